/** Sides for tests, written as query strings and bodies. */

import type { CassetteSide } from '../../src/drift/inputs/cassette-side.ts'
import {
  type Manifest,
  newManifest
} from '../../src/recorder/cassette/format/manifest.ts'
import type {
  Interaction,
  RecordedBody,
  RecordedResponse
} from '../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { readJson } from '../../src/recorder/json/read-json.ts'
import { requestKey } from '../../src/recorder/request/request-key.ts'
import { parseUrlencoded } from '../../src/recorder/wiki/parameters/request-params.ts'

/** An answer: a body, or a body with status, headers, cookies. */
export interface Answer {
  readonly body: unknown
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: RecordedResponse['cookies']
  readonly seconds?: number | undefined
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && 'body' in value && !Array.isArray(value)

/** A JSON text is read as it is, so that member order survives; other values are spelled first. */
export function tree(value: unknown): JsonTree {
  const reading = readJson(typeof value === 'string' ? value : JSON.stringify(value))
  if (!reading.ok)
    throw new Error(
      `${reading.fault.message} at ${reading.fault.line}:${reading.fault.column}`
    )
  return reading.tree
}

function bodyOf(value: unknown): RecordedBody {
  if (typeof value === 'string' && !value.startsWith('{'))
    return { kind: 'text', text: value }
  return { kind: 'json', tree: tree(value), spelling: 'utf8' }
}

function responseOf(value: unknown): RecordedResponse {
  const {
    body,
    status = 200,
    headers = {},
    cookies = [],
    seconds
  } = isAnswer(value) ? value : { body: value }
  const recorded = bodyOf(body)
  const type =
    recorded.kind === 'json'
      ? 'application/json; charset=utf-8'
      : 'text/html; charset=utf-8'
  return {
    status,
    headers: new Map(Object.entries({ 'content-type': type, ...headers })),
    cookies,
    body: recorded,
    seconds
  }
}

/** @param query a query string in readable spelling */
export function interaction(query: string, ...answers: readonly unknown[]): Interaction {
  const latin = Buffer.from(query, 'utf8').toString('latin1')
  const request = new Map(
    [...parseUrlencoded(latin)].sort(([a], [b]) => (a < b ? -1 : 1))
  )
  const [first, ...more] = answers.map(responseOf)
  if (first === undefined) throw new Error('an interaction needs an answer')
  return {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [first, ...more]
  }
}

/** One side: answers by query string. */
export function side(
  name: string,
  answers: Readonly<Record<string, unknown>>,
  extra: Partial<Omit<CassetteSide, 'manifest'>> & {
    readonly manifest?: Partial<Manifest>
  } = {}
): CassetteSide {
  const { manifest, ...rest } = extra
  return {
    name,
    interactions: Object.entries(answers).map(([query, body]) =>
      interaction(query, body)
    ),
    modules: new Map(),
    ...rest,
    manifest: { ...newManifest('http://127.0.0.1:8080/w/api.php'), ...manifest }
  }
}
