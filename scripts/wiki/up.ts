/** The verbs of the command line: bring wikis up, take them down, tell how they are. */
import { access, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWiki, readReady } from './build/build.ts'
import { restorePristine } from './build/pristine.ts'
import { contentPrint } from './content/write.ts'
import { type LabVersion, labUrl, wikiAnswering } from './lab.ts'
import { LabProblem } from './machine/command.ts'
import { preparePhp } from './machine/debian.ts'
import { type Lab, type WikiPlace, wikiPlace } from './machine/place.ts'
import type { Progress } from './machine/progress.ts'
import { runningServer, startServer, stopServer, waitForAnswer } from './machine/server.ts'

export interface WikiStatus {
  readonly version: LabVersion
  readonly url: string
  readonly state: 'missing' | 'built' | 'serving'
  readonly mediawiki?: string
  readonly order?: string
  readonly pid?: number
}

/** Brings one line per wiki to `print` as soon as that wiki answers. */
export async function up(
  lab: Lab,
  versions: readonly LabVersion[],
  fresh: boolean,
  progress: Progress,
  print: (line: string) => void,
): Promise<void> {
  const print16 = await wantedPrint(lab)
  await mkdir(lab.folder, { recursive: true })
  let php: Promise<void> | undefined
  const prepared = (): Promise<void> => {
    php ??= preparePhp(progress)
    return php
  }
  await settleAll(
    versions.map(async (version) => {
      const answer = await upOne(lab, version, { fresh, content: print16, progress, prepared })
      progress.say(`${version}: MediaWiki ${answer} answers`)
      print(`${version} ${labUrl(version, lab.portBase)}`)
    }),
  )
}

interface Wish {
  readonly fresh: boolean
  readonly content: string
  readonly progress: Progress
  readonly prepared: () => Promise<void>
}

async function upOne(lab: Lab, version: LabVersion, wish: Wish): Promise<string> {
  const place = wikiPlace(lab, version)
  const ready = await readReady(place)
  const upToDate = ready?.content === wish.content && ready.order === lab.order
  if (!wish.fresh && (await runningServer(place)) !== undefined) {
    if (!upToDate) wish.progress.say(`${version}: serves older content; for the new: up --fresh ${version}`)
    return waitForAnswer(place)
  }
  await wish.prepared()
  if (wish.fresh || !upToDate) {
    if (ready !== undefined && !wish.fresh)
      wish.progress.say(`${version}: built from older content, building again`)
    await buildWiki(lab, version, wish.content, wish.progress)
  }
  await startServer(place)
  return waitForAnswer(place)
}

/** Every wiki is seen to its end, so that one that fails leaves no other half-built; then all failures are told. */
async function settleAll(tasks: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(tasks)
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  )
  const [first, ...others] = failures
  if (first === undefined) return
  if (!failures.every((failure) => failure instanceof LabProblem)) throw first
  if (others.length === 0) throw first
  throw new LabProblem(failures.map(({ message }) => message).join('\n\n'))
}

/** The print of what this checkout would build: content, settings, and the script that applies it. */
async function wantedPrint(lab: Lab): Promise<string> {
  const files = ['LocalSettings.php', 'apply.php'].map((name) =>
    fileURLToPath(new URL(`php/${name}`, import.meta.url)),
  )
  return contentPrint(lab.order, ...(await Promise.all(files.map((file) => readFile(file, 'utf8')))))
}

/** Gives the wikis back as they were built, whatever tests have written into them; each serves again if it did. */
export async function reset(
  lab: Lab,
  versions: readonly LabVersion[],
  progress: Progress,
  print: (line: string) => void,
): Promise<void> {
  for (const version of versions) {
    const place = wikiPlace(lab, version)
    if ((await readReady(place)) === undefined) {
      progress.say(`${version}: not built, nothing to give back`)
      continue
    }
    const served = await stopServer(place)
    await restorePristine(place)
    if (served) {
      await startServer(place)
      await waitForAnswer(place)
    }
    print(`${version} as built${served ? `, ${labUrl(version, lab.portBase)}` : ''}`)
  }
}

export async function down(
  lab: Lab,
  versions: readonly LabVersion[],
  remove: boolean,
  print: (line: string) => void,
): Promise<void> {
  for (const version of versions) {
    const place = wikiPlace(lab, version)
    const stopped = await stopServer(place)
    if (remove) await removeWiki(place)
    print(`${version} ${stopped ? 'stopped' : 'was not running'}${remove ? ', removed' : ''}`)
  }
}

async function removeWiki(place: WikiPlace): Promise<void> {
  await rm(place.root, { recursive: true, force: true })
  await rm(`${place.root}.building`, { recursive: true, force: true })
}

export async function status(lab: Lab, versions: readonly LabVersion[]): Promise<readonly WikiStatus[]> {
  return Promise.all(versions.map((version) => statusOf(lab, version)))
}

async function statusOf(lab: Lab, version: LabVersion): Promise<WikiStatus> {
  const place = wikiPlace(lab, version)
  const running = await runningServer(place)
  const url =
    running === undefined ? labUrl(version, lab.portBase) : `http://127.0.0.1:${running.port}/w/api.php`
  const ready = await readReady(place)
  const mediawiki = running === undefined ? undefined : await wikiAnswering(url)
  return {
    version,
    url,
    state: mediawiki !== undefined ? 'serving' : (await exists(place.ready)) ? 'built' : 'missing',
    ...(mediawiki === undefined ? {} : { mediawiki }),
    ...(ready === undefined ? {} : { order: ready.order }),
    ...(running === undefined ? {} : { pid: running.pid }),
  }
}

async function exists(path: string): Promise<boolean> {
  return access(join(path)).then(
    () => true,
    () => false,
  )
}
