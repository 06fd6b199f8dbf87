/** A wiki that differs from the lab's by settings, or by pages on top: made out of that one in seconds. */
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeNasty } from '../content/write.ts'
import type { LabVersion } from '../lab.ts'
import { type Lab, type WikiPlace, wikiPlace } from '../machine/place.ts'
import { stopServer } from '../machine/server.ts'
import { hasNastyContent } from '../variants.ts'
import {
  applySteps,
  maintain,
  php,
  type Ready,
  removeLeftovers,
  writeSettings
} from './build.ts'
import { copyWiki } from './copy.ts'
import { databaseName, keepPristine } from './pristine.ts'

interface Derivation {
  readonly version: LabVersion
  /** The print of what the wiki will hold. */
  readonly content: string
  readonly from: WikiPlace
  readonly say: (text: string) => void
}

export async function deriveWiki(
  lab: Lab,
  { version, content, from, say }: Derivation
): Promise<void> {
  const { variants = [] } = lab
  const place = wikiPlace(lab, version)
  await removeLeftovers(place)
  const temporary = wikiPlace(lab, version, `${place.root}.building-${process.pid}`)
  say('copying')
  await copyWiki(from, temporary)
  await mkdir(temporary.cache)
  await cp(join(php, 'lab'), join(temporary.install, 'lab'), { recursive: true })
  await writeSettings(temporary, databaseName(version), variants)
  if (hasNastyContent(variants)) await addNastyContent(temporary, say)
  const ready: Ready = { version, order: lab.order, content }
  await writeFile(temporary.ready, `${JSON.stringify(ready)}\n`)
  await stopServer(place)
  await rm(place.root, { recursive: true, force: true })
  await rename(temporary.root, place.root)
  say('built')
}

async function addNastyContent(
  place: WikiPlace,
  say: (text: string) => void
): Promise<void> {
  say('writing the content')
  const { beforeJobs } = await writeNasty(join(place.root, 'content'))
  for (const steps of beforeJobs) await applySteps(place, steps)
  await maintain(place, 'runJobs', [])
  await maintain(place, 'updateSpecialPages', [])
  // What is hard-linked is the other wiki's, too.
  await rm(join(place.root, 'pristine'), { recursive: true })
  await keepPristine(place)
  await rm(place.cache, { recursive: true })
  await mkdir(place.cache)
}
