/**
 * What is looked for in an answer before it is written, as a job that another thread can be given: values in, values
 * out, and the secrets that are known come along.
 */

import { bodiesOutsideText, encodeInteraction } from '../../cassette/format/encode-interaction.ts'
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
import { falseAlarmsIn } from '../../privacy/detect/scan-file.ts'
import { type SecretLeak, SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactResponse } from '../../privacy/redact/redact-response.ts'
import type { RedactionCounts } from '../../privacy/redact/secret-replacer.ts'
import type { Secret } from '../../privacy/secrets/secret.ts'
import { decompress } from './decompress.ts'

/** An answer less its secrets. */
export interface RedactionResult {
  readonly response: RecordedResponse
  /** What was found in it, for the ledger. */
  readonly secrets: readonly Secret[]
  /** What was replaced inside of its body. */
  readonly bodyCounts: RedactionCounts
}

/** The answer less its secrets and less those that are known; the ledger learns what is found. */
export function redactBy(
  registry: SecretRegistry,
  response: RecordedResponse,
  fromApi: boolean,
): RedactionResult {
  const callerIdentifiers = registry.callerIdentifiers()
  const first = redactResponse(response, { secrets: callerIdentifiers, fromApi })
  registry.learnFromResponse(first.secrets)
  // What people chose may be a word of the text: where such a value stands, nothing is written at all.
  const repeated = registry.findUnencoded(responseText(first.response)).filter(isGenerated)
  if (repeated.length === 0) return first
  const secrets = [...callerIdentifiers, ...repeated, ...first.secrets.filter(isGenerated)]
  return { ...redactResponse(response, { secrets, fromApi }), secrets: first.secrets }
}

/** What is about to be written: an interaction, less its key and what is judged of it, and its path inside the cassette. */
export interface PendingWrite extends Pick<Interaction, 'request' | 'sentValues' | 'responses'> {
  readonly file: string
}

/** True where both are the same to the last character. */
export const isSameWrite = (a: PendingWrite, b: PendingWrite): boolean =>
  a.file === b.file &&
  sameTexts(a.request, b.request) &&
  sameTexts(a.sentValues, b.sentValues) &&
  a.responses.length === b.responses.length &&
  a.responses.every((one, at) => isSameResponse(one, b.responses[at]))

const isSameResponse = (a: RecordedResponse, b: RecordedResponse | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.status === b.status &&
    sameTexts(a.headers, b.headers) &&
    JSON.stringify(a.cookies) === JSON.stringify(b.cookies) &&
    isSameBody(a.body, b.body))

function isSameBody(a: RecordedBody, b: RecordedBody): boolean {
  if (a.kind === 'json') return b.kind === 'json' && a.spelling === b.spelling && sameTree(a.tree, b.tree)
  if (a.kind === 'text') return b.kind === 'text' && a.spelling === b.spelling && a.text === b.text
  return b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0
}

/** What was found in a draft. */
export interface SecretScan {
  /** Digests of texts that only look like a secret. */
  readonly falseAlarms: readonly string[]
  readonly leaks: readonly SecretLeak[]
  /** The file as it is to be written, these digests included. */
  readonly text: Uint8Array<ArrayBuffer>
  /** The bodies that lie beside it, by name. */
  readonly bodyFiles: ReadonlyMap<string, Uint8Array>
}

/** Looks through all that would be written. */
function scanForSecrets(registry: SecretRegistry, { file, ...write }: PendingWrite): SecretScan {
  const falseAlarms = falseAlarmsOf(write.responses)
  const { text, bodyFiles } = encodeInteraction(
    falseAlarms.length === 0 ? write : { ...write, falseAlarms },
    bodyFileStem(file),
  )
  const leaks = registry.findLeaks(file, text, ...bodiesOutsideText(write.responses))
  return { falseAlarms, leaks, text: new TextEncoder().encode(text), bodyFiles }
}

/** The secrets that stand in what was written before. */
export function leaksIn(registry: SecretRegistry, { file, ...write }: PendingWrite): readonly SecretLeak[] {
  const { text } = encodeInteraction(write, bodyFileStem(file))
  return registry.findLeaks(file, text, ...bodiesOutsideText(write.responses))
}

/** What of these answers only looks like a secret. */
export const falseAlarmsOf = (responses: readonly RecordedResponse[]): readonly string[] =>
  [...new Set(responses.flatMap(({ body }) => falseAlarmsIn(body, { inflate: decompress })))].sort()

/** The name of an interaction's file without its ending, for the names of files beside it. */
const bodyFileStem = (file: string): string => file.replace(/^.*\//, '').replace(/\.json$/, '')

/** True where there are so many characters and bytes to look through. No more is counted than that takes. */
export const isLarge = (minSize: number, responses: readonly RecordedResponse[]): boolean =>
  responses.reduce((remaining, { body }) => remaining - sizeOfBody(body, remaining), minSize) <= 0

/** The same of a whole interaction: what was asked may be a posted text of megabytes. */
export const isLargeInteraction = (
  minSize: number,
  { request, sentValues, responses }: Omit<Interaction, 'key'>,
): boolean =>
  isLarge(
    [...request.values(), ...sentValues.values()].reduce(
      (remaining, value) => remaining - value.length,
      minSize,
    ),
    responses,
  )

function sizeOfBody(body: RecordedBody, max: number): number {
  switch (body.kind) {
    case 'binary':
      return body.bytes.length
    case 'text':
      return body.text.length
    case 'json':
      return textLength(body) ?? sizeOfTree(body.tree, max)
  }
}

/** Characters of its strings and names, and some for each value; where there are more than `most`, not all are counted. */
function sizeOfTree(tree: JsonTree, max: number): number {
  if (tree.kind === 'string') return tree.value.length + costPerValue
  let size = costPerValue
  if (tree.kind === 'array')
    for (const item of tree.items) {
      if (size > max) break
      size += sizeOfTree(item, max - size)
    }
  if (tree.kind === 'object')
    for (const { key, value } of tree.members) {
      if (size > max) break
      size += key.length + sizeOfTree(value, max - size)
    }
  return size
}

/** What a value costs to look at beside its characters. */
const costPerValue = 16

/** A body as it goes to another thread: a tree costs more there and back than its text. */
type TransferBody =
  | Exclude<RecordedBody, { kind: 'json' }>
  | { readonly kind: 'compact'; readonly text: string; readonly spelling: Spelling }

type TransferResponse = Omit<RecordedResponse, 'body'> & {
  /** Undefined on the way back where nothing of it was changed. */
  readonly body: TransferBody | undefined
}

/** Work for another thread; `secrets` are all that the ledger knows. */
export type ScanJob =
  | {
      readonly kind: 'redact'
      readonly secrets: readonly Secret[]
      readonly response: TransferResponse
      readonly fromApi: boolean
    }
  | ({
      readonly kind: 'look'
      readonly secrets: readonly Secret[]
      readonly responses: readonly TransferResponse[]
    } & Omit<PendingWrite, 'responses'>)

export type ScanOutcome =
  | ({ readonly kind: 'redact'; readonly response: TransferResponse } & Omit<RedactionResult, 'response'>)
  | ({ readonly kind: 'look' } & SecretScan)

/** Does a job, in whichever thread. */
export function runScanJob(job: ScanJob): ScanOutcome {
  const registry = new SecretRegistry({ inflate: decompress })
  registry.learn(job.secrets)
  if (job.kind === 'look') {
    const [first, ...more] = job.responses.map((response) => fromTransfer(response, undefined))
    if (first === undefined) throw new Error('an interaction came without its answers')
    const { file, request, sentValues } = job
    return {
      kind: 'look',
      ...scanForSecrets(registry, { file, request, sentValues, responses: [first, ...more] }),
    }
  }
  const response = fromTransfer(job.response, undefined)
  const { secrets, bodyCounts, response: clean } = redactBy(registry, response, job.fromApi)
  return { kind: 'redact', secrets, bodyCounts, response: toTransfer(clean, response.body) }
}

/** @param known a body that need not be sent, since the other side has it */
export const toTransfer = (response: RecordedResponse, known?: RecordedBody): TransferResponse => ({
  ...response,
  body: response.body === known ? undefined : toTransferBody(response.body),
})

function toTransferBody(body: RecordedBody): TransferBody {
  if (body.kind !== 'json') return body
  const text = transferTexts.get(body.tree) ?? writeCompact(body.tree, 'utf8')
  transferTexts.set(body.tree, text)
  return { kind: 'compact', text, spelling: body.spelling }
}

/** Trees are sent twice: to be redacted, and to be looked through. */
const transferTexts = new WeakMap<JsonTree, string>()

/** @param known stands where no body was sent */
export function fromTransfer(
  { body, ...head }: TransferResponse,
  known: RecordedBody | undefined,
): RecordedResponse {
  if (body === undefined) {
    if (known === undefined) throw new Error('an answer came without its body')
    return { ...head, body: known }
  }
  if (body.kind !== 'compact') return { ...head, body }
  const reading = readJson(body.text)
  if (!reading.ok) throw new Error(`an answer came as broken JSON: ${reading.fault.message}`)
  return { ...head, body: { kind: 'json', tree: reading.tree, spelling: body.spelling } }
}

const isGenerated = ({ kind }: Secret): boolean => kind !== 'password'

/** All that an answer says, apart from its bytes. */
function responseText({ headers, body }: RecordedResponse): string {
  const texts = [...headers.values()]
  if (body.kind === 'text') texts.push(body.text)
  if (body.kind === 'json')
    mapStrings(body.tree, (value) => {
      texts.push(value)
      return value
    })
  return texts.join('\n')
}
