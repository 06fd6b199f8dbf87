/** The plan of an import: which entries go to which cassette: one for each file, but one for all files of one exchange. */
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  folderNameOf,
  uniqueName,
  wikiFolderName
} from '../../../recorder/cassette/interaction-path.ts'
import { nameOfWiki } from '../../../recorder/cassette/test-names.ts'
import { redactUrl } from '../../../recorder/privacy/redact/redact-url.ts'
import { pathInside } from '../../../recorder/store/files/paths-inside.ts'
import type { RecordingFile, RecordingFiles } from '../../../transfer/find-recordings.ts'
import type { ImportJob } from '../../../transfer/import-job.ts'
import {
  findWikis,
  findWikisWith,
  type RecordedWiki,
  wikiOf
} from '../../../transfer/recorded-wikis.ts'
import { type Invocation, UsageError } from '../../args/command.ts'
import {
  cassettesFolder,
  cassetteToRecord,
  namedCassette
} from '../../flags/cassette-flags.ts'
import { readApiUrlArg } from '../../flags/connection-flags.ts'
import { namedForRunner, type RecordingUnit } from './runner-names.ts'

interface ImportPlan {
  readonly jobs: readonly Pick<ImportJob, 'dir' | 'wiki' | 'files'>[]
  /** Recordings that are left out, each with where and why. */
  readonly unplaced: readonly string[]
}

/** @param target the file or folder that was named. @throws UsageError if nothing is to be imported */
export function planImports(
  { files }: RecordingFiles,
  target: string,
  call: Invocation
): ImportPlan {
  const together = call.isOn('together')
  const named = call.value('wiki')
  const isFolder = statSync(target).isDirectory()
  const runner = call.value('for')
  if (runner !== undefined && (together || !isFolder))
    throw new UsageError(
      '--for names a cassette for each recording of a folder; name the folder, without --together'
    )
  const found = together ? [asOneUnit(files)] : groupIntoUnits(files)
  const { units, unplaced } =
    runner === undefined
      ? { units: found, unplaced: [] }
      : namedForRunner(found, target, runner)
  const planned = units.flatMap((unit) => {
    const readings = unit.files.flatMap((one) => one.readings)
    const all =
      named === undefined
        ? findWikis(readings)
        : findWikisWith(readApiUrlArg(named), readings)
    const wikis = named === undefined ? all : all.slice(0, 1)
    return wikis.flatMap((wiki) => {
      const ofWiki = unit.files.flatMap(
        ({ readings: inFile, isOneExchange, relativePath, file }) => {
          const entries = inFile.flatMap((entry, index) =>
            wikiOf(entry.address, all) === wiki ? [{ number: index + 1, entry }] : []
          )
          const session = together && !isOneExchange ? relativePath : ''
          return entries.length === 0 ? [] : [{ file, session, entries }]
        }
      )
      const dir = cassetteFor(unit, wiki, wikis.length > 1, isFolder, call)
      return ofWiki.length === 0 ? [] : [{ dir, wiki, files: ofWiki }]
    })
  })
  if (planned.length === 0) {
    // The address in a file may not be the wiki's: R's vcr, for one, stores no port.
    const apis = findWikis(files.flatMap((one) => one.readings)).map(
      ({ api }) => api.href
    )
    throw new UsageError(
      named === undefined || apis.length === 0
        ? `${target} has no answer of an api.php; name the wiki with --wiki`
        : `${target} has no answer of ${redactUrl(named)}, but of ${apis.slice(0, 5).join(', ')}`
    )
  }
  // Cassettes that would share a folder are numbered.
  const used = new Set<string>()
  const jobs = planned.map((one) => ({ ...one, dir: uniqueName(one.dir, used) }))
  return { jobs, unplaced }
}

function cassetteFor(
  unit: RecordingUnit,
  wiki: RecordedWiki,
  isOneOfSeveral: boolean,
  isFolder: boolean,
  call: Invocation
) {
  // The cassette of the project is one, and not a folder of several.
  const named = namedCassette({ ...call, settings: undefined })
  if ((unit.name === '' && !isOneOfSeveral) || (named === undefined && !isFolder))
    return cassetteToRecord(call, wiki.api)
  const root = named ?? cassettesFolder
  if (existsSync(path.join(root, 'cassette.json')))
    throw new UsageError(
      `${root} is a cassette and cannot contain other cassettes; name another folder, or add --together or --wiki`
    )
  const runner = call.value('for')
  const isWikiInName = isOneOfSeveral && runner !== undefined && runner !== 'pytest'
  const name = isWikiInName ? nameOfWiki(unit.name, wiki.api.host) : unit.name
  const names = name === '' ? [] : name.replaceAll(path.sep, '/').split('/')
  return pathInside(
    root,
    ...names.map(folderNameOf),
    ...(isOneOfSeveral && !isWikiInName ? [wikiFolderName(wiki.api)] : [])
  )
}

/** A file of many exchanges is a unit; all files of one exchange are one unit. */
function groupIntoUnits(files: readonly RecordingFile[]) {
  const single = oneExchangeFiles(files)
  const whole = files.filter((one) => !one.isOneExchange)
  const tapes = { name: whole.length === 0 ? '' : 'tapes', files: single }
  return [
    ...whole.map((one) => ({ name: unitName(one, whole), files: [one] })),
    ...(single.length === 0 ? [] : [tapes])
  ]
}

/** All files as the sessions of one cassette; files of one exchange are one session. */
const asOneUnit = (files: readonly RecordingFile[]) => ({
  name: '',
  files: [...files.filter((one) => !one.isOneExchange), ...oneExchangeFiles(files)]
})

const oneExchangeFiles = (files: readonly RecordingFile[]) =>
  files
    .filter((one) => one.isOneExchange)
    .sort(
      (a, b) => timeOf(a).moment - timeOf(b).moment || timeOf(a).order - timeOf(b).order
    )

const timeOf = ({ readings: [entry] }: RecordingFile) =>
  entry?.kind === 'exchange' ? entry.exchange : { moment: 0, order: 0 }

const stem = (file: string) => file.slice(0, file.length - path.extname(file).length)

/** The path without extension, unless another file or a folder has that name too: no cassette is inside another. */
function unitName({ relativePath }: RecordingFile, all: readonly RecordingFile[]) {
  const name = stem(relativePath)
  const others = all.map((one) => one.relativePath).filter((one) => one !== relativePath)
  const isAmbiguous = others.some(
    (one) => stem(one) === name || one.startsWith(`${name}${path.sep}`)
  )
  return isAmbiguous ? relativePath : name
}
