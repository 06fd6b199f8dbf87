/** `wikitape import`: makes recordings of what browsers, other proxies and other recorders kept of a wiki. */
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findKept, type KeptFile, type KeptFiles } from '../../../import/find-recordings.ts'
import { type Taking, take } from '../../../import/import-job.ts'
import { type ImportResult, sumsOf, tellImport } from '../../../import/import-report.ts'
import { allTogether, apart, entriesOf, placeOf, type Unit, unitsOf } from '../../../import/plan-cassettes.ts'
import { type Wiki, wikisIn, wikisWith } from '../../../import/recorded-wikis.ts'
import { withoutCredentials } from '../../../privacy/redact/url-credentials.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { expectArgs, type Given, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { ownLiveSide, Waiting } from '../../connect/wiki-upstream.ts'
import {
  apiUrlArg,
  cassetteFlag,
  jsonFlag,
  liveFlags,
  movedFlag,
  recordedCassette,
} from '../../flags/cassette-flags.ts'
import { patienceFlags, reachFlags } from '../../flags/connection-flags.ts'
import { showProgress } from '../../terminal/progress.ts'

const wikiFlag = 'wiki'
const describeFlag = 'describe'
const fromFlag = 'describe-from'
const togetherFlag = 'together'
const dryFlag = 'dry-run'

export const importVerb: Verb = {
  name: 'import',
  args: 'PATH [flags]',
  summary:
    'Records what a file, or each file of a folder, holds of a wiki: HAR (also of Polly), VCR, vcrpy, R vcr, ExVCR, go-vcr, betamax, nock, WireMock, talkback; redacted, checked, offline.',
  flags: [
    {
      ...cassetteFlag,
      help: 'where to record to (default cassettes/<host>, with the path where it is not /w/); of a folder, the folder of its cassettes (default cassettes): one for each file, called as the file is',
    },
    {
      name: togetherFlag,
      help: 'one cassette of all files of a folder, each file a session named by its path',
    },
    { name: wikiFlag, value: 'URL', help: 'only this api.php (default each wiki that was recorded)' },
    {
      name: describeFlag,
      value: 'URL',
      help: 'let this live wiki describe its modules, so that more requests find their recordings',
    },
    { name: fromFlag, value: 'DIR', help: 'take the descriptions of modules and titles from this cassette' },
    { name: dryFlag, help: 'write nothing, and tell what would be written' },
    ...liveFlags.filter(({ name }) => name === 'allow-live' || name === 'timeout'),
    movedFlag,
    ...reachFlags,
    ...patienceFlags.filter(({ name }) => name !== 'login'),
    jsonFlag,
  ],
  examples: [
    'wikitape import session.har --cassette cassettes/mine',
    'wikitape import spec/fixtures/vcr_cassettes --cassette cassettes',
    'wikitape import spec/fixtures/vcr_cassettes --cassette cassettes/all --together',
    'wikitape import session.har --describe https://ru.wikipedia.org/w/api.php',
  ],
  async run(given, shell) {
    const [place = ''] = expectArgs(importVerb, given, 1)
    const describing = describingOf(given, shell)
    const named = given.text(wikiFlag)
    const base = named === undefined ? undefined : new URL(apiUrlArg(named).href).origin
    const state = { text: '' }
    const progress = showProgress(shell, () => state.text)
    const result = await importAll(place, base, describing, state, given, shell).finally(() =>
      progress.stop(),
    )
    tellImport(result, given.on('json'), shell)
    return result.exitCode
  },
}

/** @param state what is told of how far it has come */
async function importAll(
  place: string,
  base: string | undefined,
  describing: () => Taking['describing'],
  state: { text: string },
  given: Given,
  shell: Shell,
): ReturnType<typeof takeAll> {
  const kept = await findKept(place, { now: shell.now(), base }, (file) => {
    state.text = `reading ${file}`
  })
  const planned = planOf(kept, place, given, shell)
  const all = planned.flatMap(({ files }) => files).reduce((sum, { entries }) => sum + entries.length, 0)
  let done = 0
  return takeAll(kept, planned, describing, given, shell, () => {
    done += 1
    state.text = `${done} of ${all} entries`
  })
}

/** @throws UsageError | StoreError */
function describingOf(given: Given, shell: Shell): () => Taking['describing'] {
  const [url, dir] = [given.text(describeFlag), given.text(fromFlag)]
  if (url !== undefined && dir !== undefined)
    throw new UsageError(`--${describeFlag} and --${fromFlag} do not go together; name one`)
  if (url === undefined) return () => (dir === undefined ? undefined : CassetteStore.open(dir))
  if (shell.env['CI'] === 'true' && !given.on('allow-live'))
    throw new UsageError(`CI=true, and --${describeFlag} asks a live wiki; add --allow-live if it shall`)
  const api = apiUrlArg(url)
  return () => ownLiveSide(api, given, shell, new Waiting(shell)).upstream()
}

type Planned = Pick<Taking, 'dir' | 'wiki' | 'files'>

/** @throws UsageError */
function planOf({ files }: KeptFiles, place: string, given: Given, shell: Shell): readonly Planned[] {
  const together = given.on(togetherFlag)
  const units: readonly Unit[] = together ? [allTogether(files)] : unitsOf(files)
  const planned = units.flatMap((unit) => {
    const readings = unit.files.flatMap((one) => one.readings)
    const named = given.text(wikiFlag)
    const all = named === undefined ? wikisIn(readings) : wikisWith(apiUrlArg(named), readings)
    const wikis = named === undefined ? all : all.slice(0, 1)
    return wikis.flatMap((wiki) => {
      const own = unit.files.flatMap((one) => filePlan(one, wiki, all, together))
      const dir = dirFor(unit, wiki, wikis.length > 1, statSync(place).isDirectory(), given, shell)
      return own.length === 0 ? [] : [{ dir, wiki, files: own }]
    })
  })
  if (planned.length === 0) throw new UsageError(nothingOf(place, files, given.text(wikiFlag)))
  return apart(planned)
}

/** Why nothing is planned. R's vcr, for one, keeps no port: what a file calls its wiki may not be where it was. */
function nothingOf(place: string, files: readonly KeptFile[], named: string | undefined): string {
  const held = wikisIn(files.flatMap((one) => one.readings)).map(({ api }) => api.href)
  return named === undefined || held.length === 0
    ? `${place} holds no answer of an api.php; name the wiki with --${wikiFlag}`
    : `${place} holds no answer of ${withoutCredentials(named)}, but of ${held.slice(0, 5).join(', ')}`
}

function filePlan(one: KeptFile, wiki: Wiki, all: readonly Wiki[], together: boolean): Planned['files'] {
  const entries = entriesOf(one.readings, wiki, all)
  const session = together && !one.scattered ? one.below : ''
  return entries.length === 0 ? [] : [{ file: one.file, session, entries }]
}

/** @throws UsageError */
function dirFor(
  unit: Unit,
  wiki: Wiki,
  several: boolean,
  isFolder: boolean,
  given: Given,
  shell: Shell,
): string {
  const named = given.text(cassetteFlag.name) ?? shell.env['WIKITAPE_CASSETTE']
  const root = named ?? 'cassettes'
  if (unit.name === '' && !several) return recordedCassette(given, shell, wiki.api)
  if (named === undefined && !isFolder) return recordedCassette(given, shell, wiki.api)
  if (existsSync(path.join(root, 'cassette.json')))
    throw new UsageError(
      `${root} is a cassette, and cannot hold others; name another folder, or add --${togetherFlag} or --${wikiFlag}`,
    )
  return placeOf(root, unit, wiki, several)
}

async function takeAll(
  { files, unreadable }: KeptFiles,
  planned: readonly Planned[],
  describing: () => Taking['describing'],
  given: Given,
  shell: Shell,
  onEntry: () => void,
): Promise<ImportResult & { readonly exitCode: number }> {
  const dryRun = given.on(dryFlag)
  const taken = []
  for (const one of planned) {
    const moved = given.on(movedFlag.name)
    const taking = { ...one, moved, describing: describing(), now: shell.now(), onEntry }
    taken.push(dryRun ? await tried(taking) : await take(taking))
  }
  const counted = planned.flatMap((one) => one.files).reduce((sum, { entries }) => sum + entries.length, 0)
  const elsewhere = files.reduce((sum, { readings }) => sum + readings.length, -counted)
  const result: ImportResult = {
    files: taken.flatMap((one) => one.files),
    elsewhere,
    unreadable: [...unreadable, ...files.flatMap(({ fault }) => fault ?? [])],
    undescribed: taken.some((one) => one.undescribed),
    remarks: taken.flatMap((one) => one.remarks),
    dryRun,
  }
  const lacking = sumsOf(result).leftOut > 0 || result.unreadable.length > 0
  return { ...result, exitCode: Math.max(lacking ? 1 : 0, ...taken.map((one) => one.exitCode)) }
}

/** In a copy that is thrown away. */
async function tried(taking: Taking): ReturnType<typeof take> {
  const root = mkdtempSync(path.join(tmpdir(), 'wikitape-'))
  try {
    const dir = path.join(root, 'cassette')
    if (existsSync(taking.dir)) cpSync(taking.dir, dir, { recursive: true })
    const taken = await take({ ...taking, dir })
    return { ...taken, files: taken.files.map((one) => ({ ...one, cassette: taking.dir })) }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
