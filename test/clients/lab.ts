/**
 * Wikis that the clients may write into: a copy of the lab's, on ports of its own, so that nobody who uses the lab
 * sees an edit. They serve by the machine's clock, since clients drop cookies that expired at the lab's own date.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { copyWiki } from '../../scripts/wiki/build/copy.ts'
import { type LabVersion, labPortBase, labUrl } from '../../scripts/wiki/lab.ts'
import { type Lab, labOf, wikiPlace } from '../../scripts/wiki/machine/place.ts'
import { startProgress } from '../../scripts/wiki/machine/progress.ts'
import { down, reset, up } from '../../scripts/wiki/up.ts'

const original = labOf('natural', labPortBase(), process.env)
const lab: Lab = {
  ...original,
  folder: path.join(original.downloads, 'clients'),
  portBase: original.portBase + 10_000,
  realClock: true
}

const progress = startProgress(() => undefined)
const quiet = (): void => undefined

export interface ClientsWiki {
  readonly apiUrl: string
  /** As it was built, and serving. */
  fresh(): Promise<void>
  stop(): Promise<void>
}

/** @throws Error where the lab's own wiki was never built */
export function clientsWiki(version: LabVersion): ClientsWiki {
  return {
    apiUrl: labUrl(version, lab.portBase),
    fresh: async () => {
      await copyOnce(version)
      await down(lab, [version], false, progress, quiet)
      await reset(lab, [version], progress, quiet)
      await up(lab, [version], false, progress, quiet)
    },
    stop: () => down(lab, [version], false, progress, quiet)
  }
}

async function copyOnce(version: LabVersion): Promise<void> {
  const from = wikiPlace(original, version)
  const to = wikiPlace(lab, version)
  if (!existsSync(from.ready))
    throw new Error(
      `the lab has no wiki ${version}; build it: npm run wiki -- up ${version}`
    )
  if (
    existsSync(to.ready) &&
    readFileSync(to.ready, 'utf8') === readFileSync(from.ready, 'utf8')
  )
    return
  await copyWiki(from, to)
  cpSync(from.cache, to.cache, { recursive: true })
  cpSync(from.ready, to.ready)
}
