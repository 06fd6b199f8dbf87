/**
 * Mappings of WireMock: what to answer to which request; recorded ones name one request each, and no host.
 * Source: https://wiremock.org/docs/record-playback/, /docs/stubbing/, /docs/stateful-behaviour/
 */

import { plainItems, plainText } from '../../recorder/json/plain-json.ts'
import type { Spelling } from '../../recorder/json/write-json.ts'
import { writeQuery } from '../../recorder/wiki/parameters/request-params.ts'
import type { FormatReader, ImportContext, RawEntry } from '../exchange/exchanges.ts'
import { headerValue } from '../exchange/imported-answer.ts'
import {
  bytesOfJson,
  decodeBase64,
  expectedSpelling,
  fieldsOf,
  headerPairs,
  member,
  recordedBytes
} from '../exchange/json-values.ts'

export const wiremockReader: FormatReader = {
  expected:
    'mappings of WireMock ("request" and "response", or a list of them under "mappings")',
  hasOneExchangePerFile: true,
  read(value, context) {
    const mappings = member(value, 'mappings')
    const all = Array.isArray(mappings) ? mappings : [value]
    return all.length > 0 && all.every(isMapping)
      ? sortByScenario(all).map((one) => readMapping(one, context))
      : undefined
  }
}

const urlMembers = ['url', 'urlPath', 'urlPattern', 'urlPathPattern', 'urlPathTemplate']

function isMapping(one: unknown) {
  const { request, response } = fieldsOf(one)
  const pattern = fieldsOf(request)
  return response !== undefined && urlMembers.some((name) => pattern[name] !== undefined)
}

/** In the order of recording (the last has the lowest index); within a scenario by its numbered states. */
function sortByScenario(mappings: readonly unknown[]) {
  const place = (one: unknown) => {
    const state = plainText(member(one, 'requiredScenarioState'))
    return state === '' || state === 'Started'
      ? 1
      : Number(/(\d+)$/.exec(state)?.[1] ?? 1)
  }
  const recorded = mappings.toSorted(
    (a, b) => momentOf(a) - momentOf(b) || insertionIndexOf(b) - insertionIndexOf(a)
  )
  return recorded.toSorted((a, b) => {
    const scenario = member(a, 'scenarioName')
    return scenario !== undefined && scenario === member(b, 'scenarioName')
      ? place(a) - place(b)
      : 0
  })
}

const momentOf = (one: unknown) =>
  Date.parse(headerValue(headerPairs(member(one, 'response', 'headers')), 'date')) || 0

function insertionIndexOf(one: unknown) {
  const { insertionIndex: index } = fieldsOf(one)
  return typeof index === 'number' ? index : 0
}

function readMapping(one: unknown, context: ImportContext) {
  const { request, response } = fieldsOf(one)
  const { method, headers } = fieldsOf(request)
  const { status, headers: answerHeaders } = fieldsOf(response)
  const target = targetOf(request)
  const address = `${context.base ?? ''}${target}`
  const unusable = (why: string): RawEntry => ({ kind: 'unusable', address, why })
  if (target === '') return unusable('it answers every request of a pattern, not one')
  if (context.base === undefined)
    return unusable('WireMock names no host; name the wiki with --wiki')
  const body = bodyOf(request)
  return {
    address,
    method: method === 'ANY' ? 'GET' : method,
    headers: equalValues(headers),
    body,
    status: status ?? 200,
    answerHeaders: headerPairs(answerHeaders),
    answerBody:
      typeof body === 'string'
        ? body
        : responseBytes(response, context, expectedSpelling(address, body)),
    order: -insertionIndexOf(one)
  }
}

/** Path and query; empty if a pattern matches several. */
function targetOf(request: unknown) {
  const { url, urlPath, queryParameters: query } = fieldsOf(request)
  const path = plainText(urlPath)
  const whole = plainText(url)
  if (whole !== '' || path === '' || query === undefined) return whole || path
  const isExact = Object.values(fieldsOf(query)).every(
    (one) => fieldsOf(one)['absent'] === true || valuesOf(one) !== undefined
  )
  return isExact ? `${path}?${writeQuery(equalValues(query))}` : ''
}

const equalValues = (all: unknown) =>
  Object.entries(fieldsOf(all)).flatMap(([name, one]) =>
    (valuesOf(one) ?? []).map((value) => [name, value] as const)
  )

/** The values that a pattern requires; WireMock 3 writes a list for repeated ones. */
function valuesOf(pattern: unknown) {
  const exactly = member(pattern, 'hasExactly')
  const values = (Array.isArray(exactly) ? exactly : [pattern]).map((one) =>
    member(one, 'equalTo')
  )
  const texts = values.filter((one) => typeof one === 'string')
  return texts.length === values.length ? texts : undefined
}

function bodyOf(request: unknown) {
  const { formParameters: form, bodyPatterns } = fieldsOf(request)
  if (form !== undefined) return Buffer.from(writeQuery(equalValues(form)))
  const [pattern, another] = plainItems(bodyPatterns)
  if (pattern === undefined) return new Uint8Array()
  const value = member(pattern, 'equalTo')
  return typeof value === 'string' && another === undefined
    ? recordedBytes(value)
    : 'it answers every body of a pattern, not one'
}

function responseBytes(
  response: unknown,
  { readBodyFile }: ImportContext,
  spelling: Spelling | undefined
) {
  const fields = fieldsOf(response)
  const { bodyFileName: file, base64Body: base64, jsonBody: json } = fields
  if (fields['proxyBaseUrl'] !== undefined) return 'it passes the request on to a server'
  if (plainItems(fields['transformers']).length > 0) return 'its answer is a template'
  if (typeof file === 'string')
    return (
      readBodyFile?.(file) ??
      `its body is in __files/${file.slice(0, 100)}, which does not exist`
    )
  if (typeof base64 === 'string') return decodeBase64(base64)
  return json === undefined
    ? recordedBytes(fields['body'])
    : bytesOfJson(json, spelling, { length: '', recorder: 'WireMock' })
}
