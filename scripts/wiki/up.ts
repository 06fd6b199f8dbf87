/** The verbs of the command line: bring wikis up, take them down, tell how they are. */
import { access, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildWiki, readReady, removeLeftovers } from './build/build.ts'
import { deriveWiki } from './build/derive.ts'
import { restorePristine } from './build/pristine.ts'
import { nastySteps } from './content/nasty.ts'
import { contentPrint } from './content/write.ts'
import { type LabVersion, labUrl, labVersions, wikiAnswering } from './lab.ts'
import { LabProblem } from './machine/command.ts'
import { preparePhp } from './machine/debian.ts'
import { withLock } from './machine/lock.ts'
import { startMariadb, stopMariadb } from './machine/mariadb.ts'
import {
  type Lab,
  mariadbOf,
  ownFolder,
  type WikiPlace,
  wikiPlace
} from './machine/place.ts'
import type { Progress } from './machine/progress.ts'
import {
  insistOnFreePort,
  runningServer,
  startServer,
  stopServer,
  waitForAnswer
} from './machine/server.ts'
import { hasNastyContent, isCopied, settingsOf } from './variants.ts'

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
  print: (line: string) => void
): Promise<void> {
  const content = await wantedPrint(lab)
  let php: Promise<void> | undefined
  const prepared = (): Promise<void> => {
    php ??= prepare(lab, progress)
    return php
  }
  await settleAll(
    versions.map(async (version) => {
      const wish = {
        fresh,
        content,
        prepared,
        say: (text: string) => progress.say(`${version}: ${text}`)
      }
      const place = wikiPlace(lab, version)
      const answer = await alone(place, wish.say, () => upOne(lab, place, wish))
      wish.say(`MediaWiki ${answer} answers`)
      print(`${version} ${labUrl(version, lab.portBase)}`)
    })
  )
}

async function prepare(lab: Lab, progress: Progress): Promise<void> {
  const mariadb = mariadbOf(lab)
  await preparePhp(progress, mariadb !== undefined)
  if (mariadb === undefined) return
  progress.say('starting MariaDB')
  await startMariadb(mariadb)
}

interface Wish {
  readonly fresh: boolean
  readonly content: string
  readonly say: (text: string) => void
  readonly prepared: () => Promise<void>
}

function alone<T>(
  place: WikiPlace,
  say: (text: string) => void,
  work: () => Promise<T>
): Promise<T> {
  const waiting = (pid: number): void => say(`process ${pid} is at work on it, waiting`)
  return withLock(place.lock, waiting, work)
}

async function upOne(lab: Lab, place: WikiPlace, wish: Wish): Promise<string> {
  const ready = await readReady(place)
  const upToDate = ready?.content === wish.content && ready.order === lab.order
  const running = await runningServer(place)
  if (!wish.fresh && running?.port === place.port) {
    if (!upToDate)
      wish.say(`serves older content; for the new: up --fresh ${place.version}`)
    return waitForAnswer(place)
  }
  // Told before a minute of building rather than after it.
  if (running?.port !== place.port) await insistOnFreePort(place)
  await wish.prepared()
  if (wish.fresh || !upToDate) {
    if (ready !== undefined && !wish.fresh)
      wish.say('built from older content, building again')
    if (isCopied(lab.variants ?? [])) await derive(lab, place.version, wish)
    else await buildWiki(lab, place.version, wish.content, wish.say)
  }
  await stopServer(place)
  await startServer(place)
  return waitForAnswer(place)
}

/** Out of the lab's own wiki, which is built first where it is missing. */
async function derive(
  lab: Lab,
  version: LabVersion,
  { content, say }: Wish
): Promise<void> {
  const own: Lab = { ...lab, folder: ownFolder(lab), variants: [] }
  const from = wikiPlace(own, version)
  const wanted = await wantedPrint(own)
  await alone(from, say, async () => {
    // One that serves is used as it is: whoever asks it would not have it taken away.
    const upToDate = (await readReady(from))?.content === wanted
    if (!upToDate && (await runningServer(from)) === undefined)
      await buildWiki(own, version, wanted, say)
    await deriveWiki(lab, { version, content, from, say })
  })
}

/** Every wiki is seen to its end, so that one that fails leaves no other half-built; then all failures are told. */
async function settleAll(tasks: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(tasks)
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : []
  )
  const [first, ...others] = failures
  if (first === undefined) return
  if (!failures.every((failure) => failure instanceof LabProblem)) throw first
  if (others.length === 0) throw first
  throw new LabProblem(failures.map(({ message }) => message).join('\n\n'))
}

/** What variants load of php/lab. */
const labFiles = ['replaced', 'LabRedirects', 'busy', 'bearer', 'LabBearer']

/** The print of what this checkout would build: content, settings, and the script that applies it. */
async function wantedPrint(lab: Lab): Promise<string> {
  const { order, variants = [] } = lab
  const own = isCopied(variants) ? labFiles.map((name) => `lab/${name}.php`) : []
  const files = ['LocalSettings.php', 'apply.php', ...own].map((name) =>
    fileURLToPath(new URL(`php/${name}`, import.meta.url))
  )
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const nasty = hasNastyContent(variants) ? [JSON.stringify(nastySteps())] : []
  return contentPrint(order, ...texts, settingsOf(variants), ...nasty)
}

/** Gives the wikis back as they were built, whatever tests have written into them; each serves again if it did. */
export async function reset(
  lab: Lab,
  versions: readonly LabVersion[],
  progress: Progress,
  print: (line: string) => void
): Promise<void> {
  const mariadb = mariadbOf(lab)
  if (mariadb !== undefined) await startMariadb(mariadb)
  for (const version of versions) {
    const say = (text: string): void => progress.say(`${version}: ${text}`)
    const place = wikiPlace(lab, version)
    const served = await alone(place, say, () => resetOne(place))
    if (served === undefined) say('not built, nothing to give back')
    else print(`${version} as built${served ? `, ${labUrl(version, lab.portBase)}` : ''}`)
  }
}

/** Whether it served, and so serves again; undefined when there is no wiki. */
async function resetOne(place: WikiPlace): Promise<boolean | undefined> {
  if ((await readReady(place)) === undefined) return undefined
  const running = await runningServer(place)
  await stopServer(place)
  await restorePristine(place)
  if (running === undefined) return false
  await startServer(place)
  await waitForAnswer(place)
  return true
}

export async function down(
  lab: Lab,
  versions: readonly LabVersion[],
  remove: boolean,
  progress: Progress,
  print: (line: string) => void
): Promise<void> {
  for (const version of versions) {
    const place = wikiPlace(lab, version)
    const stopped = await stopServer(place)
    const say = (text: string): void => progress.say(`${version}: ${text}`)
    if (remove) await alone(place, say, () => removeWiki(place))
    print(
      `${version} ${stopped ? 'stopped' : 'was not running'}${remove ? ', removed' : ''}`
    )
  }
  await stopUnusedMariadb(lab)
}

/** The database server goes with the last of its wikis. */
async function stopUnusedMariadb(lab: Lab): Promise<void> {
  const mariadb = mariadbOf(lab)
  const served = await Promise.all(
    labVersions.map((version) => runningServer(wikiPlace(lab, version)))
  )
  if (mariadb !== undefined && served.every((one) => one === undefined))
    await stopMariadb(mariadb)
}

async function removeWiki(place: WikiPlace): Promise<void> {
  await rm(place.root, { recursive: true, force: true })
  await removeLeftovers(place)
}

export async function status(
  lab: Lab,
  versions: readonly LabVersion[]
): Promise<readonly WikiStatus[]> {
  return Promise.all(versions.map((version) => statusOf(lab, version)))
}

async function statusOf(lab: Lab, version: LabVersion): Promise<WikiStatus> {
  const place = wikiPlace(lab, version)
  const running = await runningServer(place)
  const url =
    running === undefined
      ? labUrl(version, lab.portBase)
      : `http://127.0.0.1:${running.port}/w/api.php`
  const ready = await readReady(place)
  const mediawiki = running === undefined ? undefined : await wikiAnswering(url)
  return {
    version,
    url,
    state:
      mediawiki !== undefined
        ? 'serving'
        : (await exists(place.ready))
          ? 'built'
          : 'missing',
    ...(mediawiki === undefined ? {} : { mediawiki }),
    ...(ready === undefined ? {} : { order: ready.order }),
    ...(running === undefined ? {} : { pid: running.pid })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
