/** `wikitape import`: makes recordings of what browsers, other proxies and other recorders kept of a wiki. */
import { cpSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findRecordings, type RecordingFile, type RecordingFiles } from '../../../import/find-recordings.ts'
import { type ImportJob, runImport } from '../../../import/import-job.ts'
import { type ImportResult, isIncomplete, reportImport } from '../../../import/import-report.ts'
import {
  asOneUnit,
  cassetteFolderOf,
  entriesOfWiki,
  groupIntoUnits,
  type RecordingUnit,
  withDistinctFolders,
} from '../../../import/plan-cassettes.ts'
import { findWikis, findWikisWith, type RecordedWiki } from '../../../import/recorded-wikis.ts'
import { redactUrl } from '../../../privacy/redact/url-credentials.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import {
  type Command,
  type CommandContext,
  expectArgs,
  type ParsedArgs,
  UsageError,
} from '../../args/command.ts'
import { politeUpstreamOptions, WaitStatus } from '../../connect/wiki-upstream.ts'
import {
  cassetteFlag,
  cassetteToRecord,
  jsonFlag,
  liveFlags,
  movedFlag,
  readApiUrlArg,
  wikiFolderName,
} from '../../flags/cassette-flags.ts'
import { connectionFlags, ownRequestFlags } from '../../flags/connection-flags.ts'
import { showProgress } from '../../terminal/progress.ts'

const wikiFlag = 'wiki'
const describeFlag = 'describe'
const describeFromFlag = 'describe-from'
const togetherFlag = 'together'
const dryRunFlag = 'dry-run'

export const importCommand: Command = {
  name: 'import',
  usage: 'PATH [flags]',
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
    { name: wikiFlag, valueName: 'URL', help: 'only this api.php (default each wiki that was recorded)' },
    {
      name: describeFlag,
      valueName: 'URL',
      help: 'let this live wiki describe its modules, so that more requests find their recordings',
    },
    {
      name: describeFromFlag,
      valueName: 'DIR',
      help: 'take the descriptions of modules and titles from this cassette',
    },
    { name: dryRunFlag, help: 'write nothing, and tell what would be written' },
    ...liveFlags.filter(({ name }) => name === 'allow-live' || name === 'timeout'),
    movedFlag,
    ...connectionFlags,
    ...ownRequestFlags.filter(({ name }) => name !== 'login'),
    jsonFlag,
  ],
  examples: [
    'wikitape import session.har --cassette cassettes/mine',
    'wikitape import spec/fixtures/vcr_cassettes --cassette cassettes',
    'wikitape import spec/fixtures/vcr_cassettes --cassette cassettes/all --together',
    'wikitape import session.har --describe https://ru.wikipedia.org/w/api.php',
  ],
  async run(args, context) {
    const [place = ''] = expectArgs(importCommand, args, 1)
    const describing = descriptionSource(args, context)
    const named = args.value(wikiFlag)
    const base = named === undefined ? undefined : new URL(readApiUrlArg(named).href).origin
    const state = { text: '' }
    const progress = showProgress(context, () => state.text)
    const result = await importAll(place, base, describing, state, args, context).finally(() =>
      progress.stop(),
    )
    reportImport(result, args.isOn('json'), context)
    return result.exitCode
  },
}

/** @param state what is told of how far it has come */
async function importAll(
  place: string,
  base: string | undefined,
  describing: () => ImportJob['descriptionSource'],
  state: { text: string },
  args: ParsedArgs,
  context: CommandContext,
): ReturnType<typeof runImports> {
  const found = await findRecordings(place, { now: context.now(), base }, (file) => {
    state.text = `reading ${file}`
  })
  if (typeof found === 'string') throw new UsageError(found)
  const planned = planImports(found, place, args, context)
  const total = planned.flatMap(({ files }) => files).reduce((sum, { entries }) => sum + entries.length, 0)
  let done = 0
  return runImports(found, planned, describing, args, context, () => {
    done += 1
    state.text = `${done} of ${total} entries`
  })
}

/** @throws UsageError | StoreError */
function descriptionSource(args: ParsedArgs, context: CommandContext): () => ImportJob['descriptionSource'] {
  const [url, dir] = [args.value(describeFlag), args.value(describeFromFlag)]
  if (url !== undefined && dir !== undefined)
    throw new UsageError(`--${describeFlag} and --${describeFromFlag} do not go together; name one`)
  if (url === undefined) return () => (dir === undefined ? undefined : CassetteStore.open(dir))
  if (context.env['CI'] === 'true' && !args.isOn('allow-live'))
    throw new UsageError(`CI=true, and --${describeFlag} asks a live wiki; add --allow-live if it shall`)
  const api = readApiUrlArg(url)
  return () => politeUpstreamOptions(api, args, context, new WaitStatus(context)).upstream()
}

type PlannedImport = Pick<ImportJob, 'dir' | 'wiki' | 'files'>

/** @throws UsageError */
function planImports(
  { files }: RecordingFiles,
  place: string,
  args: ParsedArgs,
  context: CommandContext,
): readonly PlannedImport[] {
  const together = args.isOn(togetherFlag)
  const units: readonly RecordingUnit[] = together ? [asOneUnit(files)] : groupIntoUnits(files)
  const planned = units.flatMap((unit) => {
    const readings = unit.files.flatMap((one) => one.readings)
    const named = args.value(wikiFlag)
    const all = named === undefined ? findWikis(readings) : findWikisWith(readApiUrlArg(named), readings)
    const wikis = named === undefined ? all : all.slice(0, 1)
    return wikis.flatMap((wiki) => {
      const own = unit.files.flatMap((one) => filePlan(one, wiki, all, together))
      const dir = cassetteDir(unit, wiki, wikis.length > 1, statSync(place).isDirectory(), args, context)
      return own.length === 0 ? [] : [{ dir, wiki, files: own }]
    })
  })
  if (planned.length === 0) throw new UsageError(nothingFoundText(place, files, args.value(wikiFlag)))
  return withDistinctFolders(planned)
}

/** Why nothing is planned. R's vcr, for one, keeps no port: what a file calls its wiki may not be where it was. */
function nothingFoundText(place: string, files: readonly RecordingFile[], named: string | undefined): string {
  const recordedApis = findWikis(files.flatMap((one) => one.readings)).map(({ api }) => api.href)
  return named === undefined || recordedApis.length === 0
    ? `${place} holds no answer of an api.php; name the wiki with --${wikiFlag}`
    : `${place} holds no answer of ${redactUrl(named)}, but of ${recordedApis.slice(0, 5).join(', ')}`
}

function filePlan(
  one: RecordingFile,
  wiki: RecordedWiki,
  all: readonly RecordedWiki[],
  together: boolean,
): PlannedImport['files'] {
  const entries = entriesOfWiki(one.readings, wiki, all)
  const session = together && !one.isOneExchange ? one.relativePath : ''
  return entries.length === 0 ? [] : [{ file: one.file, session, entries }]
}

/** @throws UsageError */
function cassetteDir(
  unit: RecordingUnit,
  wiki: RecordedWiki,
  several: boolean,
  isFolder: boolean,
  args: ParsedArgs,
  context: CommandContext,
): string {
  const named = args.value(cassetteFlag.name) ?? context.env['WIKITAPE_CASSETTE']
  const root = named ?? 'cassettes'
  if (unit.name === '' && !several) return cassetteToRecord(args, context, wiki.api)
  if (named === undefined && !isFolder) return cassetteToRecord(args, context, wiki.api)
  if (existsSync(path.join(root, 'cassette.json')))
    throw new UsageError(
      `${root} is a cassette, and cannot hold others; name another folder, or add --${togetherFlag} or --${wikiFlag}`,
    )
  return cassetteFolderOf(root, unit, several ? wikiFolderName(wiki.api) : undefined)
}

async function runImports(
  { files, unreadable }: RecordingFiles,
  planned: readonly PlannedImport[],
  describing: () => ImportJob['descriptionSource'],
  args: ParsedArgs,
  context: CommandContext,
  onEntry: () => void,
): Promise<ImportResult & { readonly exitCode: number }> {
  const dryRun = args.isOn(dryRunFlag)
  const results = []
  for (const one of planned) {
    const moved = args.isOn(movedFlag.name)
    const taking = { ...one, moved, descriptionSource: describing(), now: context.now(), onEntry }
    results.push(dryRun ? await runInCopy(taking) : await runImport(taking))
  }
  const counted = planned.flatMap((one) => one.files).reduce((sum, { entries }) => sum + entries.length, 0)
  const otherSites = files.reduce((sum, { readings }) => sum + readings.length, -counted)
  const result: ImportResult = {
    files: results.flatMap((one) => one.files),
    otherSites,
    unreadable: [...unreadable, ...files.flatMap(({ fault }) => fault ?? [])],
    undescribed: results.some((one) => one.undescribed),
    remarks: results.flatMap((one) => one.remarks),
    dryRun,
  }
  return {
    ...result,
    exitCode: Math.max(isIncomplete(result) ? 1 : 0, ...results.map((one) => one.exitCode)),
  }
}

/** In a copy that is thrown away. */
async function runInCopy(taking: ImportJob): ReturnType<typeof runImport> {
  const root = mkdtempSync(path.join(tmpdir(), 'wikitape-'))
  try {
    const dir = path.join(root, 'cassette')
    if (existsSync(taking.dir)) cpSync(taking.dir, dir, { recursive: true })
    const result = await runImport({ ...taking, dir })
    return { ...result, files: result.files.map((one) => ({ ...one, cassette: taking.dir })) }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
