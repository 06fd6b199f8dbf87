/** Answers of a wiki, as they come to the redaction. */

import { encodeInteraction } from '../../src/cassette/format/encode-interaction.ts'
import type { RecordedBody, RecordedCookie, RecordedResponse } from '../../src/cassette/interaction.ts'
import type { JsonTree } from '../../src/json/json-tree.ts'
import { readJson } from '../../src/json/read-json.ts'
import { requestKey } from '../../src/request/request-key.ts'

export const tree = (value: unknown): JsonTree => {
  const reading = readJson(JSON.stringify(value))
  if (!reading.ok) throw new Error(reading.fault.message)
  return reading.tree
}

export const json = (value: unknown): RecordedBody => ({ kind: 'json', tree: tree(value), spelling: 'ascii' })

export const answer = (
  body: RecordedBody,
  headers: Readonly<Record<string, string>> = {},
  cookies: readonly RecordedCookie[] = [],
): RecordedResponse => ({ status: 200, headers: new Map(Object.entries(headers)), cookies, body })

export const page = (text: string): RecordedResponse => answer({ kind: 'text', text })

export const cookie = (name: string, value: string): RecordedCookie => ({
  name,
  value,
  attributes: ['path=/', 'HttpOnly'],
  expiresIn: undefined,
})

/** The file that a store would write for this answer. */
export function fileOf(response: RecordedResponse): string {
  const request = new Map([['action', 'query']])
  const interaction = {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [response] as const,
  }
  return encodeInteraction(interaction, 'query').text
}

export const textOfBody = (response: RecordedResponse): string =>
  response.body.kind === 'text' ? response.body.text : fileOf(response)
