/** A cassette made by hand, and a server that replays it. */
import path from 'node:path'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { racyWindow } from '../../src/recorder/store/files/change-detector.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../helpers/proxies.ts'

export interface Taped extends RunningProxy {
  /** What a page is told: status and JSON. */
  readonly view: (path: string) => Promise<readonly [number, unknown]>
}

export async function taped(interactions: readonly Interaction[]): Promise<Taped> {
  const cassette = path.join(temporaryFolder(), 'tape')
  const store = CassetteStore.openOrCreate(cassette, 'http://wiki.example/w/api.php', {
    day: '2026-11-22'
  })
  store.saveManifest()
  for (const one of interactions) store.put(one)
  const proxy = await startProxy(undefined, { cassette })
  // The pages look at what has just been written.
  racyWindow.ms = 2000
  return {
    ...proxy,
    view: async (target) => {
      const { status, text } = await ask(`${proxy.origin}/__wikitape/${target}`)
      return [status, JSON.parse(text)]
    }
  }
}
