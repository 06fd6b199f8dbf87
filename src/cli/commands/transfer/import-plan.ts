/** The plan of an import: which entries of which files go to which cassette. */
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { RecordingFile, RecordingFiles } from '../../../import/find-recordings.ts'
import type { ImportJob } from '../../../import/import-job.ts'
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
import { type Flag, flag, type Invocation, UsageError } from '../../args/command.ts'
import {
  cassetteFlag,
  cassettesFolder,
  cassetteToRecord,
  wikiFolderName,
} from '../../flags/cassette-flags.ts'
import { readApiUrlArg } from '../../flags/connection-flags.ts'

export const wikiFlag: Flag = flag('wiki URL', 'only this api.php (default each wiki that was recorded)')

export const togetherFlag: Flag = flag(
  'together',
  'one cassette for all files of a folder, each file a session named by its path',
)

export type PlannedImport = Pick<ImportJob, 'dir' | 'wiki' | 'files'>

/** @param target the file or folder that was named. @throws UsageError if nothing is to be imported */
export function planImports(
  { files }: RecordingFiles,
  target: string,
  call: Invocation,
): readonly PlannedImport[] {
  const together = call.isOn(togetherFlag.name)
  const named = call.value(wikiFlag.name)
  const isFolder = statSync(target).isDirectory()
  const units = together ? [asOneUnit(files)] : groupIntoUnits(files)
  const planned = units.flatMap((unit) => {
    const readings = unit.files.flatMap((one) => one.readings)
    const all = named === undefined ? findWikis(readings) : findWikisWith(readApiUrlArg(named), readings)
    const wikis = named === undefined ? all : all.slice(0, 1)
    return wikis.flatMap((wiki) => {
      const ofWiki = unit.files.flatMap((one) => filesOfWiki(one, wiki, all, together))
      const dir = cassetteFor(unit, wiki, { isOneOfSeveral: wikis.length > 1, isFolder }, call)
      return ofWiki.length === 0 ? [] : [{ dir, wiki, files: ofWiki }]
    })
  })
  if (planned.length === 0) throw new UsageError(nothingFoundText(target, files, named))
  return withDistinctFolders(planned)
}

/** Why nothing is planned. The address in a file may not be the wiki's: R's vcr, for one, stores no port. */
function nothingFoundText(
  target: string,
  files: readonly RecordingFile[],
  named: string | undefined,
): string {
  const apis = findWikis(files.flatMap((one) => one.readings)).map(({ api }) => api.href)
  return named === undefined || apis.length === 0
    ? `${target} holds no answer of an api.php; name the wiki with --${wikiFlag.name}`
    : `${target} holds no answer of ${redactUrl(named)}, but of ${apis.slice(0, 5).join(', ')}`
}

function filesOfWiki(
  { readings, isOneExchange, relativePath, file }: RecordingFile,
  wiki: RecordedWiki,
  all: readonly RecordedWiki[],
  together: boolean,
): PlannedImport['files'] {
  const entries = entriesOfWiki(readings, wiki, all)
  const session = together && !isOneExchange ? relativePath : ''
  return entries.length === 0 ? [] : [{ file, session, entries }]
}

/** @throws UsageError */
function cassetteFor(
  unit: RecordingUnit,
  wiki: RecordedWiki,
  { isOneOfSeveral, isFolder }: { readonly isOneOfSeveral: boolean; readonly isFolder: boolean },
  call: Invocation,
): string {
  const named = call.value(cassetteFlag.name) ?? call.env['WIKITAPE_CASSETTE']
  if ((unit.name === '' && !isOneOfSeveral) || (named === undefined && !isFolder))
    return cassetteToRecord(call, wiki.api)
  const root = named ?? cassettesFolder
  if (existsSync(path.join(root, 'cassette.json')))
    throw new UsageError(
      `${root} is a cassette, and cannot hold others; name another folder, or add --${togetherFlag.name} or --${wikiFlag.name}`,
    )
  return cassetteFolderOf(root, unit, isOneOfSeveral ? wikiFolderName(wiki.api) : undefined)
}
