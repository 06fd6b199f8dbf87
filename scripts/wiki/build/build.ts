/** Builds one wiki from nothing: unpack, install, settings, content, jobs. Ready is what was renamed into its place. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeContent } from '../content/write.ts'
import { type LabVersion, labAccounts } from '../lab.ts'
import { builtAt, frozenClock, installedAt } from '../machine/clock.ts'
import { run } from '../machine/command.ts'
import { unpackMediaWiki } from '../machine/debian.ts'
import { addressOf, dropDatabase, environmentOf } from '../machine/mariadb.ts'
import { type Lab, type WikiPlace, wikiPlace } from '../machine/place.ts'
import { stopServer } from '../machine/server.ts'
import { languageOf, settingsOf, type VariantName } from '../variants.ts'
import { databaseName, keepPristine } from './pristine.ts'

/** The folder of what the lab brings in PHP. */
export const php: string = fileURLToPath(new URL('../php/', import.meta.url))

/** What `ready.json` says of a built wiki. */
export interface Ready {
  readonly version: LabVersion
  readonly order: string
  readonly content: string
}

export async function buildWiki(
  lab: Lab,
  version: LabVersion,
  content: string,
  say: (text: string) => void
): Promise<void> {
  const place = wikiPlace(lab, version)
  // Everything happens beside the final place, in a folder of this process: a build that was killed leaves no wiki.
  await removeLeftovers(place)
  const temporary = wikiPlace(lab, version, `${place.root}.building-${process.pid}`)
  say('unpacking')
  await unpack(lab, temporary)
  say('installing')
  await install(temporary, lab.variants ?? [])
  say('writing the content')
  await fill(lab, temporary, say)
  await keepPristine(temporary)
  const ready: Ready = { version, order: lab.order, content }
  await writeFile(temporary.ready, `${JSON.stringify(ready)}\n`)
  // The cache of messages knows the files it was made from by their old path; the server makes it anew.
  await rm(temporary.cache, { recursive: true })
  await mkdir(temporary.cache)
  await stopServer(place)
  await rm(place.root, { recursive: true, force: true })
  await rename(temporary.root, place.root)
  say('built')
}

/** Folders of builds that were killed. One that PHP still writes into is left for the next time. */
export async function removeLeftovers(place: WikiPlace): Promise<void> {
  const names = await readdir(dirname(place.root)).catch(() => [])
  const left = names.filter((name) => name.startsWith(`${place.version}.building-`))
  for (const name of left) {
    await rm(join(dirname(place.root), name), { recursive: true, force: true }).catch(
      () => undefined
    )
  }
}

export async function readReady(place: WikiPlace): Promise<Ready | undefined> {
  const text = await readFile(place.ready, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { version, order, content } = JSON.parse(text) as Record<string, unknown>
  if (
    typeof order !== 'string' ||
    typeof content !== 'string' ||
    version !== place.version
  )
    return undefined
  return { version: place.version, order, content }
}

/** Debian's tree points out of itself in four places; the lab's copy stands alone. */
async function unpack(lab: Lab, place: WikiPlace): Promise<void> {
  const unpacked = join(place.root, 'package')
  for (const folder of [unpacked, place.web, place.data, place.cache, place.temporary]) {
    await mkdir(folder, { recursive: true })
  }
  await unpackMediaWiki(lab.downloads, place.version, unpacked)
  await rename(join(unpacked, 'usr', 'share', 'mediawiki'), place.install)
  for (const link of ['LocalSettings.php', 'config', 'extensions', 'images']) {
    await rm(join(place.install, link), { force: true })
  }
  await rename(join(place.install, 'extensions-core'), join(place.install, 'extensions'))
  await mkdir(join(place.install, 'images'))
  await rm(unpacked, { recursive: true })
}

async function install(
  place: WikiPlace,
  variants: readonly VariantName[]
): Promise<void> {
  const { mariadb } = place
  const database = databaseName(place.version)
  if (mariadb !== undefined) await dropDatabase(mariadb, database)
  const tables =
    mariadb === undefined
      ? ['--dbtype', 'sqlite', '--dbpath', place.data]
      : [
          '--dbtype',
          'mysql',
          '--dbserver',
          addressOf(mariadb),
          '--dbuser',
          'root',
          '--dbpass',
          ''
        ]
  const where = [...tables, '--dbname', database, '--scriptpath', '/w']
  const site = [
    '--lang',
    languageOf(variants),
    '--server',
    'http://127.0.0.1',
    '--pass',
    labAccounts.admin.password
  ]
  await maintain(
    place,
    'install',
    [...where, ...site, 'Wikitape', labAccounts.admin.name],
    installedAt
  )
  await writeSettings(place, database, variants)
}

/** New files: those of a copied wiki are hard links. */
export async function writeSettings(
  place: WikiPlace,
  database: string,
  variants: readonly VariantName[]
): Promise<void> {
  const settings = await readFile(join(php, 'LocalSettings.php'), 'utf8')
  const files = {
    'LocalSettings.php': settings + settingsOf(variants),
    'lab.json': JSON.stringify({ database })
  }
  for (const [name, text] of Object.entries(files)) {
    await rm(join(place.install, name), { force: true })
    await writeFile(join(place.install, name), text)
  }
}

async function fill(
  lab: Lab,
  place: WikiPlace,
  say: (text: string) => void
): Promise<void> {
  const content = await writeContent(join(place.root, 'content'), lab.order)
  // What an extension keeps in tables of its own, it looks into with the first edit.
  if ((lab.variants ?? []).length > 0) await maintain(place, 'update', ['--quick'])
  for (const steps of content.beforeJobs) await applySteps(place, steps)
  const { bot } = labAccounts
  if (bot.bot !== undefined) {
    const app = bot.bot.name.split('@')[1] ?? 'lab'
    const grants = 'basic,highvolume,editpage,createeditmovepage'
    await maintain(place, 'createBotPassword', [
      '--appid',
      app,
      '--grants',
      grants,
      bot.name,
      bot.bot.password
    ])
  }
  say('running the jobs')
  await maintain(place, 'runJobs', [])
  await maintain(place, 'initSiteStats', ['--update'])
  await maintain(place, 'updateSpecialPages', [])
  await applySteps(place, content.afterJobs)
}

/** One of MediaWiki's own maintenance scripts; 1.43 starts them through run.php. */
export async function maintain(
  place: WikiPlace,
  script: string,
  args: readonly string[],
  instant: string = builtAt
): Promise<void> {
  const start = usesRunner(place.version)
    ? ['maintenance/run.php', script]
    : [`maintenance/${script}.php`]
  await runPhp(place, [...start, ...args], instant)
}

export async function applySteps(place: WikiPlace, steps: string): Promise<void> {
  const start = usesRunner(place.version) ? ['maintenance/run.php'] : []
  await runPhp(place, [...start, join(php, 'apply.php'), steps], builtAt)
}

function usesRunner(version: LabVersion): boolean {
  return version === '1.43'
}

async function runPhp(
  place: WikiPlace,
  args: readonly string[],
  instant: string
): Promise<void> {
  await run('php', ['-d', 'memory_limit=1G', ...args], {
    cwd: place.install,
    env: {
      ...(await frozenClock(instant)),
      ...environmentOf(place.mariadb),
      TMPDIR: place.temporary,
      MW_INSTALL_PATH: place.install
    },
    advice: `The half-built wiki is in ${place.root}. Build again: npm run wiki -- up --fresh ${place.version}`
  })
}
