/**
 * Two versions of one file of a cassette into one, as a version control system asks for it. An answer of the wiki is
 * never made of two: a version is taken whole, or there is a conflict.
 */

import { sameTree } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { writePretty } from '../../json/write-json.ts'
import { decodeInteraction, encodeInteraction } from '../format/interaction-format.ts'
import { decodeManifest, encodeManifest, type Manifest } from '../format/manifest.ts'
import type { Interaction } from '../interaction.ts'
import { keyInName } from '../interaction-path.ts'
import { sameRecording } from '../record/recorded-response.ts'
import { mergeManifests } from './merge-manifest.ts'

/** The texts of a file; `base` is what both sides began with, undefined where each began with nothing. */
export interface Versions {
  readonly base: string | undefined
  readonly ours: string
  readonly theirs: string
}

export type Merged =
  | { readonly kind: 'merged'; readonly text: string }
  /** `text` is what is to lie there until a person has decided; `whole` where it is one side's and in order. */
  | { readonly kind: 'conflict'; readonly text: string; readonly why: string; readonly whole: boolean }

const merged = (text: string): Merged => ({ kind: 'merged', text })

/** What one side left as it was, and what both sides say, needs no knowledge of the format. */
export function mergeWhole(
  { base, ours, theirs }: Versions,
  same: (a: string, b: string) => boolean,
): Merged | undefined {
  if (same(ours, theirs)) return merged(ours)
  if (base !== undefined && same(base, ours)) return merged(theirs)
  return base !== undefined && same(base, theirs) ? merged(ours) : undefined
}

/** @param name of the file, which ends in the key of the request that belongs there */
export function mergeInteractions(versions: Versions, name: string): Merged {
  const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(interactionIn)
  if (ours === undefined || theirs === undefined)
    return conflict(versions, `${ours === undefined ? 'ours' : 'theirs'} is no recording that can be read`)
  if (ours.key !== theirs.key) return otherRequest(versions, [ours, theirs], keyInName(name))
  if (sameInteraction(ours, theirs)) return merged(versions.ours)
  const began = base?.key === ours.key ? base : undefined
  if (began !== undefined && sameInteraction(began, ours)) return merged(versions.theirs)
  if (began !== undefined && sameInteraction(began, theirs)) return merged(versions.ours)
  if (goesOn(began, ours, theirs)) return merged(versions.theirs)
  if (goesOn(began, theirs, ours)) return merged(versions.ours)
  return conflict(versions, 'both sides recorded this request, and the wiki answered them differently')
}

/** Bodies in files of their own are files of their own to git too. */
const nameStandsForBytes = { read: (name: string): Uint8Array => Buffer.from(name) }

function interactionIn(text: string | undefined): Interaction | undefined {
  const reading = text === undefined ? undefined : decodeInteraction(text, nameStandsForBytes)
  return reading?.ok === true ? reading.interaction : undefined
}

/** True where recording the one after the other would have left the file as it stands. */
const sameInteraction = (a: Interaction, b: Interaction): boolean =>
  a.responses.length === b.responses.length && frameOf(a) === frameOf(b) && startsAlike(a, b)

const startsAlike = (short: Interaction, long: Interaction): boolean =>
  short.responses.every((one, at) => {
    const other = long.responses[at]
    return other !== undefined && sameRecording(one, other)
  })

/** All that a file says besides its bodies. */
function frameOf(interaction: Interaction): string {
  const [first, ...more] = interaction.responses
  const body = { kind: 'text', text: '' } as const
  const responses = [{ ...first, body }, ...more.map((one) => ({ ...one, body }))] as const
  const { request, asked } = interaction
  return encodeInteraction({ request, asked, judged: [], responses }, '').text
}

/** True where `long` is the sequence of answers that `short` breaks off. */
function goesOn(base: Interaction | undefined, short: Interaction, long: Interaction): boolean {
  if (short.responses.length >= long.responses.length || !startsAlike(short, long)) return false
  const [first, ...more] = long.responses
  const begun = { ...long, responses: [first, ...more.slice(0, short.responses.length - 1)] as const }
  return frameOf(begun) === frameOf(short) && (base?.responses.length ?? 0) <= short.responses.length
}

/** Git takes a recording that was deleted and another that came for one that was renamed, if they are alike enough. */
function otherRequest(
  versions: Versions,
  [ours, theirs]: readonly [Interaction, Interaction],
  key: string | undefined,
): Merged {
  const why =
    'these are two requests, which git took for one that was renamed: one side deleted what the other recorded anew'
  if (key !== ours.key && key !== theirs.key) return conflict(versions, why)
  const text = key === ours.key ? versions.ours : versions.theirs
  return { kind: 'conflict', text, why, whole: true }
}

/** `cassette.json`. */
export function mergeManifestTexts(versions: Versions): Merged {
  const [base, ours, theirs] = [versions.base, versions.ours, versions.theirs].map(manifestIn)
  if (ours === undefined || theirs === undefined) {
    const why = 'is no cassette.json that this wikitape can read; is it of a newer format?'
    return conflict(versions, `${ours === undefined ? 'ours' : 'theirs'} ${why}`)
  }
  const { manifest, conflicts } = mergeManifests(base, ours, theirs)
  if (conflicts.length === 0) return merged(`${writePretty(encodeManifest(manifest))}\n`)
  const [what, are] = [conflicts.join(' and '), conflicts.length === 1 ? 'is' : 'are']
  return conflict(versions, `${what} ${are} another one on each side: were these recorded from two wikis?`)
}

function manifestIn(text: string | undefined): Manifest | undefined {
  const reading = text === undefined ? undefined : readJson(text)
  if (text === undefined || reading?.ok !== true) return undefined
  const manifest = decodeManifest(JSON.parse(text.replace(/^\ufeff/, '')))
  return manifest.kind === 'manifest' ? manifest.manifest : undefined
}

/** What the wiki says of one of its modules: one statement, never made of two. */
export function mergeDescriptions(versions: Versions): Merged {
  const why = 'the wiki describes this module in another way on each side: is it another version?'
  return mergeWhole(versions, sameJson) ?? conflict(versions, why)
}

function sameJson(a: string, b: string): boolean {
  const [one, other] = [readJson(a), readJson(b)]
  return one.ok && other.ok ? sameTree(one.tree, other.tree) : a === b
}

/** Both versions in git's own marks, which no reader of cassettes takes for a recording. */
export function conflict({ ours, theirs }: Versions, why: string): Merged {
  const [left, right] = [linesOf(ours), linesOf(theirs)]
  const most = Math.min(left.length, right.length)
  let start = 0
  while (start < most && left[start] === right[start]) start += 1
  let end = 0
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const lines = [
    ...left.slice(0, start),
    '<<<<<<< ours',
    ...left.slice(start, left.length - end),
    '=======',
    ...right.slice(start, right.length - end),
    '>>>>>>> theirs',
    ...left.slice(left.length - end),
  ]
  return { kind: 'conflict', why, whole: false, text: `${lines.join('\n')}\n` }
}

/** Lines without their ends, whichever an editor gave them. */
const linesOf = (text: string): readonly string[] => text.replace(/\r?\n$/, '').split(/\r?\n/)
