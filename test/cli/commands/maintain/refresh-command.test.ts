/** A cassette brought up to date from a fresh recording: the counts of the wiki change with the answers alone. */
import path from 'node:path'
import { expect, it } from 'vitest'
import { syncCassette } from '../../../../src/cli/commands/maintain/refresh-command.ts'
import { CassetteStore } from '../../../../src/recorder/store/cassette-store.ts'
import { filesIn, temporaryFolder } from '../../../helpers/folders.ts'
import { interactionOf, jsonBody, response } from '../../../helpers/recorded.ts'

const request = { action: 'query', prop: 'info', titles: 'Волга' }
const upstream = 'http://wiki/w/api.php'

function recorded(dir: string, edits: number, length: number): CassetteStore {
  const store = CassetteStore.openOrCreate(dir, upstream)
  const site = { generator: '', lang: 'ru', namespaces: [], statistics: { edits } }
  store.setManifest({ ...store.manifest, site })
  store.put(
    interactionOf(request, [response(jsonBody(`{"query":{"length":${length}}}`))])
  )
  return store
}

it.each([
  ['the same answers', 1, 7],
  ['another answer', 2, 9]
])('%s', (_, length, edits) => {
  const root = temporaryFolder()
  const to = recorded(path.join(root, 'to'), 7, 1)
  const before = filesIn(to.dir).get('cassette.json')
  syncCassette(recorded(path.join(root, 'from'), 9, length), to, new Set(), 'if-changed')
  expect(CassetteStore.open(to.dir).manifest.site?.statistics).toEqual({ edits })
  expect(filesIn(to.dir).get('cassette.json') === before).toBe(edits === 7)
})
