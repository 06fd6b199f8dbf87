/** `wikitape merge-driver`: merges one file of a cassette for git (`wikitape init` installs it). */

import { spawnSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import {
  decodeAcceptances,
  encodeAcceptances,
  mergeAcceptances,
  otherNotes
} from '../../../drift/findings/acceptances.ts'
import {
  decodeNoiseProfile,
  encodeNoiseProfile,
  mergeNoiseProfiles
} from '../../../drift/noise/noise-profile.ts'
import {
  decodeTraffic,
  requestsFile
} from '../../../recorder/cassette/format/traffic-file.ts'
import {
  keyInFileName,
  paraminfoFolder
} from '../../../recorder/cassette/interaction-path.ts'
import {
  conflict,
  type MergeOutcome,
  type MergeVersions,
  mergeDescriptions,
  mergeInteractions,
  mergeManifestTexts
} from '../../../recorder/cassette/merge/merge-files.ts'
import { mergeByName } from '../../../recorder/cassette/merge/merge-manifest.ts'
import { tryParsePlain } from '../../../recorder/json/plain-json.ts'
import { shellQuote } from '../../../recorder/store/command-name.ts'
import { readText } from '../../../recorder/store/files/whole-files.ts'
import { readOrElse } from '../../../recorder/text/error-text.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  textsOf,
  UsageError
} from '../../args/command.ts'
import { acceptFile } from '../../files/drift-files.ts'
import { writeText } from '../../files/text-files.ts'
import { printNote } from '../../terminal/terminal-output.ts'

export const mergeDriverCommand: Command = {
  name: 'merge-driver',
  async run(call) {
    const given = expectArgs(mergeDriverCommand, call, 4)
    const [base = '', ours = '', theirs = '', name = ''] = given
    const versions = readVersions([base, ours, theirs])
    const result = versions && mergeFile(name, versions)
    if (!result) return mergeLines([ours, base, theirs], call)
    if (result.text !== versions?.ours) writeText(ours, result.text)
    if (result.kind === 'merged') return 0
    const quoted = shellQuote(name)
    const remedy = result.isOneSide
      ? `the file now has the right content: git add ${quoted} keeps it`
      : `keep one: git checkout --ours ${quoted}, or --theirs; then git add it, or record it again`
    printNote(call, `${name}: ${result.reason}; ${remedy}`)
    return 1
  }
}

/** Undefined if one is not text. git passes an empty file as the base of an added file. @throws UsageError */
function readVersions(files: readonly string[]) {
  const texts = readOrElse(undefined, () => files.map((file) => readText(file)))
  if (!texts) return undefined
  const [base, ours, theirs] = texts
  const absent = files[ours === undefined ? 1 : 2]
  if (ours === undefined || theirs === undefined)
    throw new UsageError(
      `file not found: ${absent}; git names them: ${textsOf(mergeDriverCommand).usage}`
    )
  return { base: base === '' ? undefined : base, ours, theirs }
}

/** Undefined for a file that does not belong to a cassette. */
function mergeFile(name: string, versions: MergeVersions): MergeOutcome | undefined {
  const parts = name.split('/')
  const fileName = parts.at(-1) ?? ''
  // Shared descriptions are in a folder of their wiki.
  if (parts.slice(-3, -1).includes(paraminfoFolder) && fileName.endsWith('.json'))
    return mergeDescriptions(versions)
  if (keyInFileName(fileName) !== undefined) return mergeInteractions(versions, fileName)
  if (fileName === 'cassette.json') return mergeManifestTexts(versions)
  // Both logs may have the same lines, so that counts cannot be added.
  if (fileName === requestsFile) {
    const lastOf = (text: string) => decodeTraffic(text)?.total.last ?? 0
    const isTheirs = lastOf(versions.theirs) > lastOf(versions.ours)
    return { kind: 'merged', text: isTheirs ? versions.theirs : versions.ours }
  }
  if (fileName === 'noise.json')
    return mergeDecoded(versions, fileName, decodeNoiseProfile, (...sides) => {
      return { kind: 'merged', text: encodeNoiseProfile(mergeNoiseProfiles(...sides)) }
    })
  if (fileName !== acceptFile) return undefined
  return mergeDecoded(versions, fileName, decodeAcceptances, (...sides) => {
    const { merged, conflicts } = mergeAcceptances(...sides)
    const notes = mergeByName(...notesOf(versions), isDeepStrictEqual)
    const differing = [...conflicts, ...notes.conflicts]
    if (differing.length > 0)
      return conflict(versions, `the sides differ in ${differing.join(', ')}`)
    const others = Object.fromEntries(notes.merged)
    return { kind: 'merged', text: encodeAcceptances([...merged.values()], others) }
  })
}

const notesOf = ({ base = '', ours, theirs }: MergeVersions) => {
  const notesIn = (text: string) =>
    new Map(Object.entries(otherNotes(tryParsePlain(text))))
  return [notesIn(base), notesIn(ours), notesIn(theirs)] as const
}

/** A conflict if one of the sides cannot be read. */
function mergeDecoded<T>(
  versions: MergeVersions,
  name: string,
  decode: (value: unknown) => T | string,
  merge: (base: T | undefined, ours: T, theirs: T) => MergeOutcome
) {
  const read = (text = '') => {
    const reading = decode(tryParsePlain(text))
    return typeof reading === 'string' ? undefined : reading
  }
  const base = read(versions.base)
  const ours = read(versions.ours)
  const theirs = read(versions.theirs)
  if (ours !== undefined && theirs !== undefined) return merge(base, ours, theirs)
  const side = ours === undefined ? 'ours' : 'theirs'
  return conflict(versions, `${side} is not a readable ${name}`)
}

/** Merges an unknown file as git does without a driver. */
function mergeLines(
  [ours, base, theirs]: readonly [string, string, string],
  call: Invocation
) {
  const labels = ['ours', 'base', 'theirs'].flatMap((label) => ['-L', label])
  const args = ['merge-file', ...labels, ours, base, theirs]
  const { status, stderr } = spawnSync('git', args, { encoding: 'utf8' })
  if (stderr !== null && stderr !== '') call.stderr(stderr)
  return status === 0 ? 0 : 1
}
