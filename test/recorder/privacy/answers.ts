/** Answers of a wiki, as they come to the redaction. */

import { encodeInteraction } from '../../../src/recorder/cassette/format/encode-interaction.ts'
import type {
  RecordedBody,
  RecordedCookie,
  RecordedResponse
} from '../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import type { AnswerSource } from '../../../src/recorder/privacy/sources/answer-source.ts'
import { requestKey } from '../../../src/recorder/request/request-key.ts'

export const tree = (value: unknown): JsonTree => {
  const reading = readJson(JSON.stringify(value))
  if (!reading.ok) throw new Error(reading.fault.message)
  return reading.tree
}

export const json = (value: unknown): RecordedBody => ({
  kind: 'json',
  tree: tree(value),
  spelling: 'ascii'
})

export const answer = (
  body: RecordedBody,
  headers: Readonly<Record<string, string>> = {},
  cookies: readonly RecordedCookie[] = []
): RecordedResponse => ({
  status: 200,
  headers: new Map(Object.entries(headers)),
  cookies,
  body
})

export const page = (
  text: string,
  headers: Readonly<Record<string, string>> = {}
): RecordedResponse => answer({ kind: 'text', text }, headers)

export const cookie = (name: string, value: string): RecordedCookie => ({
  name,
  value,
  attributes: ['path=/', 'HttpOnly'],
  expiresIn: undefined
})

/** The file that a store would write for this answer. */
export function fileOf(response: RecordedResponse): string {
  const request = new Map([['action', 'query']])
  const interaction = {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [response] as const
  }
  return encodeInteraction(interaction, 'query').text
}

export const textOfBody = (response: RecordedResponse): string =>
  response.body.kind === 'text' ? response.body.text : fileOf(response)

/** A file, or a page as it is written. */
export const rawContent: AnswerSource = {
  source: 'content',
  isApi: false,
  form: 'raw',
  page: ''
}
/** A page as readers see it. */
export const article: AnswerSource = { ...rawContent, form: 'page' }
/** A page that shows what identifies the caller. */
export const credentialPage: AnswerSource = {
  source: 'credential',
  isApi: false,
  form: 'page',
  page: 'OATHManage'
}
