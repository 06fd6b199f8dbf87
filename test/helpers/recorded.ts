/** Interactions and answers made by hand, for tests of what is done with recordings. */
import type {
  Interaction,
  RecordedBody,
  RecordedResponse
} from '../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { readJson } from '../../src/recorder/json/read-json.ts'
import { requestKey } from '../../src/recorder/request/request-key.ts'
import type { WikiAnswer } from '../../src/recorder/wiki/answers/wiki-answer.ts'

export function treeOf(text: string): JsonTree {
  const reading = readJson(text)
  if (!reading.ok)
    throw new Error(`${text.slice(0, 100)} is not JSON: ${reading.fault.message}`)
  return reading.tree
}

export const jsonBody = (text: string): RecordedBody => ({
  kind: 'json',
  tree: treeOf(text),
  spelling: 'ascii'
})

export const response = (
  body: RecordedBody,
  rest: Partial<RecordedResponse> = {}
): RecordedResponse => ({
  status: 200,
  headers: new Map(),
  cookies: [],
  body,
  ...rest
})

export function interactionOf(
  request: Readonly<Record<string, string>>,
  responses: readonly RecordedResponse[] = [response(jsonBody('{"query":{}}'))],
  asked: Readonly<Record<string, string>> = {}
): Interaction {
  const canonical = new Map(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)))
  const [first, ...more] = responses
  if (first === undefined) throw new Error('an interaction has at least one response')
  return {
    key: requestKey(canonical),
    request: canonical,
    sentValues: new Map(Object.entries(asked)),
    responses: [first, ...more]
  }
}

/** An answer of a wiki; JSON unless another content type is given. */
export const answer = (
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  rest: Partial<WikiAnswer> = {}
): WikiAnswer => ({
  status: 200,
  headers: new Map(
    Object.entries({ 'content-type': 'application/json; charset=utf-8', ...headers })
  ),
  setCookies: [],
  body: typeof body === 'string' ? Buffer.from(body) : body,
  ...rest
})
