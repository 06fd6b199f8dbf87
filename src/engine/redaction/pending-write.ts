/** What is about to be written for one interaction: its equality, and its size as a scan for secrets takes it. */
import {
  type Interaction,
  type RecordedBody,
  type RecordedResponse,
  sameTexts,
} from '../../cassette/interaction.ts'
import { textLength } from '../../cassette/recorded-body.ts'
import { itemsOf, type JsonTree, membersOf, sameTree } from '../../json/json-tree.ts'

/** An interaction without its key and false alarms, and the path of its file in the cassette. */
export interface PendingWrite extends Pick<Interaction, 'request' | 'sentValues' | 'responses'> {
  readonly file: string
}

/** True where both write the same characters and bytes. */
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
