/**
 * What is looked for in an answer before it is written, as a job that another thread can be given: values in, values
 * out, and the secrets that are known come along.
 */

import { bodiesApart, encodeInteraction } from '../../cassette/format/interaction-format.ts'
import {
  type Interaction,
  type RecordedBody,
  type RecordedResponse,
  sameTexts,
} from '../../cassette/interaction.ts'
import { textLength } from '../../cassette/recorded-body.ts'
import { type JsonTree, mapStrings, sameTree } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { type Spelling, writeCompact } from '../../json/write-json.ts'
import { judgedIn } from '../../privacy/detect/scan-file.ts'
import { type Leak, Ledger } from '../../privacy/known/secret-registry.ts'
import { redactResponse } from '../../privacy/redact/redact-response.ts'
import type { Counts } from '../../privacy/redact/secret-replacer.ts'
import type { Secret } from '../../privacy/secrets/secret.ts'
import { inflate } from './decompress.ts'

/** An answer less its secrets. */
export interface Redaction {
  readonly response: RecordedResponse
  /** What was found in it, for the ledger. */
  readonly secrets: readonly Secret[]
  /** What was replaced inside of its body. */
  readonly inBody: Counts
}

/** The answer less its secrets and less those that are known; the ledger learns what is found. */
export function redactedBy(ledger: Ledger, response: RecordedResponse, fromApi: boolean): Redaction {
  const own = ledger.own()
  const first = redactResponse(response, { secrets: own, fromApi })
  ledger.learnFromResponse(first.secrets)
  // What people chose may be a word of the text: where such a value stands, nothing is written at all.
  const echoed = ledger.plainIn(textOf(first.response)).filter(isMade)
  if (echoed.length === 0) return first
  const secrets = [...own, ...echoed, ...first.secrets.filter(isMade)]
  return { ...redactResponse(response, { secrets, fromApi }), secrets: first.secrets }
}

/** What is about to be written: an interaction, less its key and what is judged of it, and its path inside the cassette. */
export interface Draft extends Pick<Interaction, 'request' | 'asked' | 'responses'> {
  readonly file: string
}

/** True where both are the same to the last character. */
export const sameDraft = (a: Draft, b: Draft): boolean =>
  a.file === b.file &&
  sameTexts(a.request, b.request) &&
  sameTexts(a.asked, b.asked) &&
  a.responses.length === b.responses.length &&
  a.responses.every((one, at) => sameResponse(one, b.responses[at]))

const sameResponse = (a: RecordedResponse, b: RecordedResponse | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.status === b.status &&
    sameTexts(a.headers, b.headers) &&
    JSON.stringify(a.cookies) === JSON.stringify(b.cookies) &&
    sameBody(a.body, b.body))

function sameBody(a: RecordedBody, b: RecordedBody): boolean {
  if (a.kind === 'json') return b.kind === 'json' && a.spelling === b.spelling && sameTree(a.tree, b.tree)
  if (a.kind === 'text') return b.kind === 'text' && a.spelling === b.spelling && a.text === b.text
  return b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0
}

/** What was found in a draft. */
export interface Look {
  /** Digests of texts that only look like a secret. */
  readonly judged: readonly string[]
  readonly leaks: readonly Leak[]
  /** The file as it is to be written, these digests included. */
  readonly text: Uint8Array<ArrayBuffer>
  /** The bodies that lie beside it, by name. */
  readonly beside: ReadonlyMap<string, Uint8Array>
}

/** Looks through all that would be written. */
function lookedThrough(ledger: Ledger, { file, ...draft }: Draft): Look {
  const judged = judgedOf(draft.responses)
  const { text, beside } = encodeInteraction(judged.length === 0 ? draft : { ...draft, judged }, stemOf(file))
  const leaks = ledger.leaks(file, text, ...bodiesApart(draft.responses))
  return { judged, leaks, text: new TextEncoder().encode(text), beside }
}

/** The secrets that stand in what was written before. */
export function leaksIn(ledger: Ledger, { file, ...draft }: Draft): readonly Leak[] {
  const { text } = encodeInteraction(draft, stemOf(file))
  return ledger.leaks(file, text, ...bodiesApart(draft.responses))
}

/** What of these answers only looks like a secret. */
export const judgedOf = (responses: readonly RecordedResponse[]): readonly string[] =>
  [...new Set(responses.flatMap(({ body }) => judgedIn(body, { inflate })))].sort()

/** The name of an interaction's file without its ending, for the names of files beside it. */
const stemOf = (file: string): string => file.replace(/^.*\//, '').replace(/\.json$/, '')

/** True where there are so many characters and bytes to look through. No more is counted than that takes. */
export const holds = (least: number, responses: readonly RecordedResponse[]): boolean =>
  responses.reduce((left, { body }) => left - sizeOfBody(body, left), least) <= 0

/** The same of a whole interaction: what was asked may be a posted text of megabytes. */
export const holdsInAll = (least: number, { request, asked, responses }: Omit<Interaction, 'key'>): boolean =>
  holds(
    [...request.values(), ...asked.values()].reduce((left, value) => left - value.length, least),
    responses,
  )

function sizeOfBody(body: RecordedBody, most: number): number {
  switch (body.kind) {
    case 'binary':
      return body.bytes.length
    case 'text':
      return body.text.length
    case 'json':
      return textLength(body) ?? sizeOfTree(body.tree, most)
  }
}

/** Characters of its strings and names, and some for each value; where there are more than `most`, not all are counted. */
function sizeOfTree(tree: JsonTree, most: number): number {
  if (tree.kind === 'string') return tree.value.length + perValue
  let size = perValue
  if (tree.kind === 'array')
    for (const item of tree.items) {
      if (size > most) break
      size += sizeOfTree(item, most - size)
    }
  if (tree.kind === 'object')
    for (const { key, value } of tree.members) {
      if (size > most) break
      size += key.length + sizeOfTree(value, most - size)
    }
  return size
}

/** What a value costs to look at beside its characters. */
const perValue = 16

/** A body as it goes to another thread: a tree costs more there and back than its text. */
type SentBody =
  | Exclude<RecordedBody, { kind: 'json' }>
  | { readonly kind: 'compact'; readonly text: string; readonly spelling: Spelling }

type SentResponse = Omit<RecordedResponse, 'body'> & {
  /** Undefined on the way back where nothing of it was changed. */
  readonly body: SentBody | undefined
}

/** Work for another thread; `secrets` are all that the ledger knows. */
export type Job =
  | {
      readonly kind: 'redact'
      readonly secrets: readonly Secret[]
      readonly response: SentResponse
      readonly fromApi: boolean
    }
  | ({
      readonly kind: 'look'
      readonly secrets: readonly Secret[]
      readonly responses: readonly SentResponse[]
    } & Omit<Draft, 'responses'>)

export type Outcome =
  | ({ readonly kind: 'redact'; readonly response: SentResponse } & Omit<Redaction, 'response'>)
  | ({ readonly kind: 'look' } & Look)

/** Does a job, in whichever thread. */
export function outcomeOf(job: Job): Outcome {
  const ledger = new Ledger({ inflate })
  ledger.learn(job.secrets)
  if (job.kind === 'look') {
    const [first, ...more] = job.responses.map((response) => received(response, undefined))
    if (first === undefined) throw new Error('an interaction came without its answers')
    const { file, request, asked } = job
    return { kind: 'look', ...lookedThrough(ledger, { file, request, asked, responses: [first, ...more] }) }
  }
  const response = received(job.response, undefined)
  const { secrets, inBody, response: clean } = redactedBy(ledger, response, job.fromApi)
  return { kind: 'redact', secrets, inBody, response: sent(clean, response.body) }
}

/** @param known a body that need not be sent, since the other side has it */
export const sent = (response: RecordedResponse, known?: RecordedBody): SentResponse => ({
  ...response,
  body: response.body === known ? undefined : sentBody(response.body),
})

function sentBody(body: RecordedBody): SentBody {
  if (body.kind !== 'json') return body
  const text = compact.get(body.tree) ?? writeCompact(body.tree, 'utf8')
  compact.set(body.tree, text)
  return { kind: 'compact', text, spelling: body.spelling }
}

/** Trees are sent twice: to be redacted, and to be looked through. */
const compact = new WeakMap<JsonTree, string>()

/** @param known stands where no body was sent */
export function received({ body, ...head }: SentResponse, known: RecordedBody | undefined): RecordedResponse {
  if (body === undefined) {
    if (known === undefined) throw new Error('an answer came without its body')
    return { ...head, body: known }
  }
  if (body.kind !== 'compact') return { ...head, body }
  const reading = readJson(body.text)
  if (!reading.ok) throw new Error(`an answer came as broken JSON: ${reading.fault.message}`)
  return { ...head, body: { kind: 'json', tree: reading.tree, spelling: body.spelling } }
}

const isMade = ({ kind }: Secret): boolean => kind !== 'password'

/** All that an answer says, apart from its bytes. */
function textOf({ headers, body }: RecordedResponse): string {
  const texts = [...headers.values()]
  if (body.kind === 'text') texts.push(body.text)
  if (body.kind === 'json')
    mapStrings(body.tree, (value) => {
      texts.push(value)
      return value
    })
  return texts.join('\n')
}
