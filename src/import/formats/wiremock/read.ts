/**
 * Mappings of WireMock: what to answer to which request; recorded ones name one request each, and no host.
 * Source: https://wiremock.org/docs/record-playback/, /docs/stubbing/, /docs/stateful-behaviour/
 */
import type { WikiAnswer } from '../../../wiki/answers/wiki-answer.ts'
import { writeQuery } from '../../../wiki/parameters/request-params.ts'
import {
  answerOf,
  decodedBody,
  headersOf,
  type KeptContext,
  type KeptFormat,
  type KeptReading,
  keptReading,
} from '../../exchange/imported-exchange.ts'
import { jsonText, spellingOf } from '../../exchange/json-values.ts'
import { at, base64Of, bytesOf, headerPairs, list, text } from '../../exchange/members.ts'

export const wiremock: KeptFormat = {
  name: 'WireMock',
  expected: 'mappings of WireMock ("request" and "response", or a list of them under "mappings")',
  entries: ['mappings'],
  scattered: true,
  read(value, context) {
    const mappings = at(value, 'mappings')
    const all = Array.isArray(mappings) ? mappings : [value]
    return all.length > 0 && all.every(isMapping)
      ? Promise.all(inTurn(all).map((one) => readMapping(one, context)))
      : undefined
  },
}

const addressed = ['url', 'urlPath', 'urlPattern', 'urlPathPattern', 'urlPathTemplate']
const isMapping = (one: unknown): boolean =>
  at(one, 'response') !== undefined && addressed.some((name) => at(one, 'request', name) !== undefined)

/** As they were recorded, of which the last has the lowest index; within a scenario each leads to the state in which the next one answers. */
function inTurn(mappings: readonly unknown[]): readonly unknown[] {
  const place = (one: unknown): number => {
    const state = text(at(one, 'requiredScenarioState'))
    return state === '' || state === 'Started' ? 1 : Number(/(\d+)$/.exec(state)?.[1] ?? 1)
  }
  const recorded = mappings.toSorted((a, b) => momentOf(a) - momentOf(b) || indexOf(b) - indexOf(a))
  return recorded.toSorted((a, b) => {
    const scenario = at(a, 'scenarioName')
    return scenario !== undefined && scenario === at(b, 'scenarioName') ? place(a) - place(b) : 0
  })
}

const momentOf = (one: unknown): number => {
  const [, date = ''] =
    headerPairs(at(one, 'response', 'headers')).find(([name]) => /^date$/i.test(name)) ?? []
  return Date.parse(date) || 0
}

const indexOf = (one: unknown): number => {
  const index = at(one, 'insertionIndex')
  return typeof index === 'number' ? index : 0
}

async function readMapping(one: unknown, context: KeptContext): Promise<KeptReading> {
  const [request, response] = [at(one, 'request'), at(one, 'response')]
  const target = targetOf(request)
  const address = `${context.base ?? ''}${target}`
  const lacking = (why: string): KeptReading => ({ kind: 'lacking', address, why })
  if (target === '') return lacking('it answers every request of a pattern, not one')
  if (context.base === undefined) return lacking('WireMock names no host; name the wiki with --wiki')
  const method = text(at(request, 'method'))
  const body = bodyOf(request)
  const headers = headersOf(equalValues(at(request, 'headers')))
  const answer =
    typeof body === 'string' ? body : await responseOf(response, context, { address, headers, body })
  return keptReading(
    {
      address,
      method: method === 'ANY' ? 'GET' : method,
      headers,
      body,
      answer,
      moment: Number.NaN,
      turn: -indexOf(one),
    },
    context,
  )
}

/** Path and query; empty where a pattern takes many. */
function targetOf(request: unknown): string {
  const url = text(at(request, 'url'))
  if (url !== '') return url
  const path = text(at(request, 'urlPath'))
  const query = at(request, 'queryParameters')
  if (path === '' || query === undefined) return path
  const wanted = entriesOf(query).filter(([, one]) => at(one, 'absent') !== true)
  return wanted.every(([, one]) => valuesOf(one) !== undefined)
    ? `${path}?${writeQuery(equalValues(query))}`
    : ''
}

const entriesOf = (all: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(typeof all === 'object' && all !== null ? all : {})

/** Names with the values that each must have. */
const equalValues = (all: unknown): readonly (readonly [string, string])[] =>
  entriesOf(all).flatMap(([name, one]) => (valuesOf(one) ?? []).map((value) => [name, value] as const))

/** The values that a pattern stands for; WireMock 3 writes a list for what may be said several times. */
function valuesOf(pattern: unknown): readonly string[] | undefined {
  const exactly = at(pattern, 'hasExactly')
  const values = (Array.isArray(exactly) ? exactly : [pattern]).map((one) => at(one, 'equalTo'))
  const texts = values.filter((one) => typeof one === 'string')
  return texts.length === values.length ? texts : undefined
}

function bodyOf(request: unknown): Uint8Array | string {
  const form = at(request, 'formParameters')
  const patterns = list(at(request, 'bodyPatterns'))
  if (form !== undefined) return Buffer.from(writeQuery(equalValues(form)))
  const [pattern, another] = patterns
  if (pattern === undefined) return new Uint8Array()
  const value = at(pattern, 'equalTo')
  return typeof value === 'string' && another === undefined
    ? bytesOf(value)
    : 'it answers every body of a pattern, not one'
}

interface Asked {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

async function responseOf(
  response: unknown,
  context: KeptContext,
  asked: Asked,
): Promise<WikiAnswer | string> {
  if (at(response, 'proxyBaseUrl') !== undefined) return 'it passes the request on to a server'
  if (list(at(response, 'transformers')).length > 0) return 'its answer is a template'
  const headers = headerPairs(at(response, 'headers'))
  const bytes = bytesIn(response, context, asked)
  const body = typeof bytes === 'string' ? bytes : await decodedBody(headers, bytes)
  return answerOf(at(response, 'status') ?? 200, headers, body)
}

function bytesIn(response: unknown, { beside }: KeptContext, asked: Asked): Uint8Array | string {
  const file = at(response, 'bodyFileName')
  if (typeof file === 'string')
    return beside?.(file) ?? `its body lies in __files/${file.slice(0, 100)}, which is not there`
  const base64 = at(response, 'base64Body')
  if (typeof base64 === 'string') return base64Of(base64)
  const json = at(response, 'jsonBody')
  if (json === undefined) return bytesOf(at(response, 'body'))
  const form = { ...asked.headers, 'content-type': 'application/x-www-form-urlencoded' }
  const candidate = jsonText(json, spellingOf(asked.address, form, asked.body), false)
  return candidate.why ?? Buffer.from(candidate.text ?? '')
}
