/** What is about to be written for one interaction: its size, and the scan of it for secrets in clear. */
import { bodiesOutsideText, encodeInteraction } from '../../cassette/format/encode-interaction.ts'
import type { Interaction, RecordedBody, RecordedResponse } from '../../cassette/interaction.ts'
import { textLength } from '../../cassette/recorded-body.ts'
import { itemsOf, type JsonTree, jsonObject, jsonString, membersOf } from '../../json/json-tree.ts'
import { falseAlarmsIn } from '../../privacy/detect/scan-file.ts'
import type { SecretLeak, SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { decompress } from './decompress.ts'

/** An interaction without its key and false alarms, and the path of its file in the cassette. */
export interface PendingWrite extends Pick<Interaction, 'request' | 'sentValues' | 'responses'> {
  readonly file: string
}

/** True where the bodies have `minSize` characters and bytes or more; counts no further. */
export const isLarge = (minSize: number, responses: readonly RecordedResponse[]): boolean =>
  responses.reduce((remaining, { body }) => remaining - sizeOfBody(body, remaining), minSize) <= 0

/** Counts the request as well: a posted text may have megabytes. */
export function isLargeInteraction(
  minSize: number,
  { request, sentValues, responses }: Omit<Interaction, 'key'>,
): boolean {
  const sent = [...request.values(), ...sentValues.values()].reduce((sum, value) => sum + value.length, 0)
  return isLarge(minSize - sent, responses)
}

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

/** What a value costs to scan, in characters, besides its own. */
const costPerValue = 16

function sizeOfTree(tree: JsonTree, max: number): number {
  if (tree.kind === 'string') return tree.value.length + costPerValue
  let size = membersOf(tree).reduce((sum, { key }) => sum + key.length, costPerValue)
  for (const value of itemsOf(tree)) {
    if (size > max) break
    size += sizeOfTree(value, max - size)
  }
  return size
}

export interface SecretScan {
  /** Digests of texts that only look like a secret. */
  readonly falseAlarms: readonly string[]
  readonly leaks: readonly SecretLeak[]
  /** The file that is to be written, with these digests. */
  readonly text: Uint8Array<ArrayBuffer>
  /** Bodies in files of their own, by name. */
  readonly bodyFiles: ReadonlyMap<string, Uint8Array>
}

export function scanForSecrets(registry: SecretRegistry, { file, ...write }: PendingWrite): SecretScan {
  const falseAlarms = falseAlarmsOf(write)
  const interaction = falseAlarms.length === 0 ? write : { ...write, falseAlarms }
  const { text, bodyFiles } = encodeInteraction(interaction, fileStem(file))
  const leaks = registry.findLeaks(file, text, ...bodiesOutsideText(write.responses))
  return { falseAlarms, leaks, text: new TextEncoder().encode(text), bodyFiles }
}

/** Secrets in clear in what was written before. */
export function leaksIn(registry: SecretRegistry, { file, ...write }: PendingWrite): readonly SecretLeak[] {
  const { text } = encodeInteraction(write, fileStem(file))
  return registry.findLeaks(file, text, ...bodiesOutsideText(write.responses))
}

/** Digests of texts in the request and the bodies that only look like a secret, sorted. */
function falseAlarmsOf({ request, sentValues, responses }: Omit<PendingWrite, 'file'>): readonly string[] {
  const sent = [request, sentValues].map(
    (params): RecordedBody => ({
      kind: 'json',
      tree: jsonObject([...params].map(([name, value]) => [name, jsonString(value)])),
      spelling: 'utf8',
    }),
  )
  const bodies = [...sent, ...responses.map(({ body }) => body)]
  return [...new Set(bodies.flatMap((body) => falseAlarmsIn(body, { inflate: decompress })))].sort()
}

/** The names of body files begin with it. */
const fileStem = (file: string): string => file.replace(/^.*\//, '').replace(/\.json$/, '')
