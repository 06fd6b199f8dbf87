/** Three-way merge of a cassette's file, for git. Answers are not mixed: one version is taken whole, or it is a conflict. */
import { sameTree } from '../../json/json-tree.ts'
import { tryParsePlain } from '../../json/plain-json.ts'
import { readTree } from '../../json/read-json.ts'
import { writePretty } from '../../json/write-json.ts'
import { decodeInteraction } from '../format/decode-interaction.ts'
import { encodeInteraction } from '../format/encode-interaction.ts'
import { decodeManifest, encodeManifest, type Manifest } from '../format/manifest.ts'
import { type Interaction, sameRecording } from '../interaction.ts'
import { keyInFileName } from '../interaction-path.ts'
import { changedSide, mergeManifests } from './merge-manifest.ts'

/** The texts of a file; `base`, the common ancestor, is undefined where both sides added the file. */
export interface MergeVersions {
  readonly base: string | undefined
  readonly ours: string
  readonly theirs: string
}

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly text: string }
  /** `text` is written until a person has decided; `isOneSide` where it is a valid file, not one with conflict marks. */
  | {
      readonly kind: 'conflict'
      readonly text: string
      readonly reason: string
      readonly isOneSide: boolean
    }

const mergedText = (text: string): MergeOutcome => ({ kind: 'merged', text })

/** @param name of the file, which ends in the key of the request that belongs there */
export function mergeInteractions(versions: MergeVersions, name: string): MergeOutcome {
  const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(
    readInteraction
  )
  if (!ours || !theirs)
    return conflict(versions, `${ours ? 'theirs' : 'ours'} is not a readable recording`)
  if (ours.key !== theirs.key) {
    // Git takes a deleted recording and a similar new one for a renamed file.
    const reason =
      'these are two requests that git treats as a renamed file: one side deleted what the other recorded again'
    const key = keyInFileName(name)
    if (key !== ours.key && key !== theirs.key) return conflict(versions, reason)
    const text = key === ours.key ? versions.ours : versions.theirs
    return { kind: 'conflict', text, reason, isOneSide: true }
  }
  const commonBase = base?.key === ours.key ? base : undefined
  const side = changedSide([commonBase, ours, theirs], sameInteraction)
  if (side !== undefined) return mergedText(versions[side])
  if (isContinuation(commonBase, ours, theirs)) return mergedText(versions.theirs)
  if (isContinuation(commonBase, theirs, ours)) return mergedText(versions.ours)
  const hasOneAnswer = changedSide([commonBase, ours, theirs], sameAnswers) !== undefined
  return conflict(
    versions,
    hasOneAnswer
      ? 'both sides changed this recording, not only its answer'
      : 'both sides recorded this request, and the wiki answered them differently'
  )
}

function readInteraction(text: string | undefined): Interaction | undefined {
  // Body files are merged by themselves: here the name stands for the bytes.
  const reading = text === undefined ? undefined : decodeInteraction(text, Buffer.from)
  return reading?.ok ? reading.interaction : undefined
}

/** True where recording one after the other would not have changed the file. */
const sameInteraction = (a: Interaction, b: Interaction): boolean =>
  textWithoutBodies(a) === textWithoutBodies(b) && sameAnswers(a, b)

const sameAnswers = (a: Interaction, b: Interaction): boolean =>
  a.responses.length === b.responses.length && startsWith(a, b)

const startsWith = (short: Interaction, long: Interaction): boolean =>
  short.responses.every((one, at) => {
    const other = long.responses[at]
    return other !== undefined && sameRecording(one, other)
  })

/** The text of the file, bodies left empty, without how long they took. */
function textWithoutBodies(interaction: Interaction): string {
  const [first, ...more] = interaction.responses
  const empty = { body: { kind: 'text', text: '' }, seconds: undefined } as const
  const responses = [
    { ...first, ...empty },
    ...more.map((one) => ({ ...one, ...empty }))
  ] as const
  return encodeInteraction({ ...interaction, responses }, '').text
}

/** True where `long` begins with the sequence of answers of `short`. */
function isContinuation(
  base: Interaction | undefined,
  short: Interaction,
  long: Interaction
): boolean {
  if (short.responses.length >= long.responses.length || !startsWith(short, long))
    return false
  const [first, ...more] = long.responses
  const beginning = {
    ...long,
    responses: [first, ...more.slice(0, short.responses.length - 1)] as const
  }
  return (
    textWithoutBodies(beginning) === textWithoutBodies(short) &&
    (base?.responses.length ?? 0) <= short.responses.length
  )
}

export function mergeManifestTexts(versions: MergeVersions): MergeOutcome {
  const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(
    readManifest
  )
  if (!ours || !theirs) {
    const reason =
      'is not a cassette.json that this wikitape can read; is its format newer?'
    return conflict(versions, `${ours ? 'theirs' : 'ours'} ${reason}`)
  }
  const { manifest, conflicts } = mergeManifests(base, ours, theirs)
  if (conflicts.length === 0)
    return mergedText(`${writePretty(encodeManifest(manifest))}\n`)
  const what = conflicts.join(' and ')
  const are = conflicts.length === 1 ? 'is' : 'are'
  return conflict(
    versions,
    `${what} ${are} another one on each side: were these recorded from two wikis?`
  )
}

function readManifest(text: string | undefined): Manifest | undefined {
  const reading = decodeManifest(tryParsePlain(text ?? ''))
  return reading.kind === 'manifest' ? reading.manifest : undefined
}

/** `paraminfo/…`: what the wiki says of one of its modules, never mixed. */
export function mergeDescriptions(versions: MergeVersions): MergeOutcome {
  const reason =
    'the two sides describe this module differently; were they recorded from different versions?'
  const side = changedSide([versions.base, versions.ours, versions.theirs], sameJson)
  return side === undefined ? conflict(versions, reason) : mergedText(versions[side])
}

function sameJson(a: string, b: string): boolean {
  const one = readTree(a)
  const other = readTree(b)
  return one && other ? sameTree(one, other) : a === b
}

/** Both versions between git's conflict marks, with which the file is no valid recording. */
export function conflict({ ours, theirs }: MergeVersions, reason: string): MergeOutcome {
  const left = splitFileLines(ours)
  const right = splitFileLines(theirs)
  const maxCommonLines = Math.min(left.length, right.length)
  let start = 0
  while (start < maxCommonLines && left[start] === right[start]) start += 1
  let end = 0
  while (end < maxCommonLines - start && left.at(-1 - end) === right.at(-1 - end))
    end += 1
  const lines = [
    ...left.slice(0, start),
    '<<<<<<< ours',
    ...left.slice(start, left.length - end),
    '=======',
    ...right.slice(start, right.length - end),
    '>>>>>>> theirs',
    ...left.slice(left.length - end)
  ]
  return { kind: 'conflict', reason, isOneSide: false, text: `${lines.join('\n')}\n` }
}

/** Lines without their ends, LF or CRLF. */
const splitFileLines = (text: string): readonly string[] =>
  text.replace(/\r?\n$/, '').split(/\r?\n/)
