/** Two OpenAPI descriptions of rest.php, and whether the recorded requests use what changed. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { modulesOfOpenApi } from '../../../src/drift/contract/openapi-modules.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { requestKey } from '../../../src/recorder/request/request-key.ts'
import { side } from '../sides.ts'

/** As Wikibase writes it: everything in place, schemas in parts. */
const item = () => ({
  allOf: [
    {
      type: 'object',
      properties: {
        id: { type: 'string', readOnly: true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        rank: { type: 'string', enum: ['normal', 'preferred'] }
      }
    },
    { required: ['id'] }
  ]
})

const description = () => ({
  openapi: '3.1.0',
  info: { title: 'REST', version: '1.4' },
  servers: [{ url: 'http://wiki.example/w/rest.php/wikibase' }],
  paths: {
    '/v1/items/{item_id}': {
      parameters: [
        {
          name: 'item_id',
          in: 'path',
          required: true,
          schema: { $ref: '#/components/schemas/Id' }
        }
      ],
      get: {
        parameters: [
          {
            name: '_fields',
            in: 'query',
            schema: { type: 'array', items: { type: 'string', enum: ['labels', 'type'] } }
          }
        ],
        responses: {
          200: {
            headers: { ETag: {} },
            content: { 'application/json': { schema: item() } }
          },
          404: { content: { 'application/json': { schema: { type: 'object' } } } }
        }
      },
      put: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { properties: { item: item() } } } }
        },
        responses: { 200: { content: { 'application/json': { schema: item() } } } }
      }
    },
    '/v1/search': {
      get: {
        parameters: [
          { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
          {
            name: 'limit',
            in: 'query',
            schema: { type: 'integer', default: 10, maximum: 500 }
          }
        ],
        responses: {}
      }
    }
  },
  components: { schemas: { Id: { type: 'string', pattern: '^Q\\d+$' } } }
})

const path = '/w/rest.php/wikibase/v1'
const text = JSON.stringify(description())

/** A description by its JSON, with requests that use some of it. */
function recorded(json: string): CassetteSide {
  const plain = side('x', { description: json, item: { id: 'Q1' } })
  const targets = [`${path}/openapi.json`, `${path}/items/Q1?_fields=labels,type`]
  const interactions = plain.interactions.map((one, at) => {
    const request = new Map([['plain target', targets[at] ?? '']])
    return { ...one, key: requestKey(request), request }
  })
  return { ...plain, interactions }
}

const changesTo = (changed: string): readonly string[] =>
  compareCassettes(recorded(text), recorded(changed)).causes.map(({ findings }) => {
    const [{ severity }] = findings
    const found = findings.map(({ kind, place }) => `${kind} ${place}`)
    return [severity, ...new Set(found)].join(' ')
  })

const search = '"/v1/search":{"get":{'
const limit =
  ',{"name":"limit","in":"query","schema":{"type":"integer","default":10,"maximum":500}}'
const notFound = ',"404":{"content":{"application/json":{"schema":{"type":"object"}}}}'
const rank = '"rank":{"type":"string","enum":["normal","preferred"]}'

describe('two descriptions of rest.php', () => {
  it.each([
    ['a route is gone', search, '"/v1/else":{"x":{', 'note module.removed '],
    [
      'a route is new',
      '"paths":{',
      '"paths":{"/v1/new":{"get":{}},',
      'additive module.added '
    ],
    ['a method is gone', '"put":{', '"x-put":{', 'note module.removed '],
    [
      'a used method is gone',
      '"get":{"parameters":[{"name":"_fields"',
      '"trace":{"parameters":[{"name":"_fields"',
      'breaking module.removed '
    ],
    [
      'a method is deprecated',
      search,
      `${search}"deprecated":true,`,
      'note module.deprecated '
    ],
    ['a parameter is gone', limit, '', 'note param.removed limit'],
    [
      'a parameter is new',
      '{"name":"_fields"',
      '{"name":"lang","in":"query","schema":{}},{"name":"_fields"',
      'additive param.added lang'
    ],
    [
      'a required one is new',
      '{"name":"_fields"',
      '{"name":"lang","in":"query","required":true,"schema":{}},{"name":"_fields"',
      'breaking param.required lang'
    ],
    [
      'one is needed from now on',
      '"name":"limit",',
      '"name":"limit","required":true,',
      'note param.required limit'
    ],
    [
      'one is in a header',
      '"name":"q","in":"query"',
      '"name":"q","in":"header"',
      'note param.type-changed q'
    ],
    [
      'its default is another',
      '"default":10',
      '"default":20',
      'note param.default-changed limit'
    ],
    [
      'its maximum is lower',
      '"maximum":500',
      '"maximum":50',
      'note param.limit-lowered limit'
    ],
    [
      'its type is another',
      '"type":"integer"',
      '"type":"number"',
      'note param.type-changed limit'
    ],
    [
      'a value that is sent is gone',
      '["labels","type"]',
      '["labels"]',
      'breaking param.value-removed _fields[*]'
    ],
    [
      'a value is new',
      '["labels","type"]',
      '["labels","type","all"]',
      'additive param.value-added _fields[*]'
    ],
    [
      'a pattern of a path is narrower',
      '^Q\\\\d+$',
      '^Q[1-9]$',
      'risky param.type-changed "{1}"'
    ],
    [
      'the body is of another type',
      '"required":true,"content":{"application/json"',
      '"required":true,"content":{"text/json"',
      'note param.type-changed body'
    ],
    [
      'an answer has another status',
      '"responses":{"200":{"headers"',
      '"responses":{"203":{"headers"',
      'breaking response.type-changed success'
    ],
    ['an error is new', '"404":{', '"429":{},"404":{', 'additive response.added "429"'],
    ['an error is gone', notFound, '', 'note response.removed "404"'],
    [
      'a header is gone',
      '"headers":{"ETag":{}}',
      '"headers":{}',
      'breaking response.removed success.header ETag'
    ]
  ])('%s: one cause', (_, from, to, expected) => {
    expect(text).toContain(from)
    const changed = text.replace(from, to)
    const [first, ...more] = changesTo(changed)
    expect([first?.slice(0, expected.length), more]).toEqual([expected, []])
  })

  it.each([
    ['gone', rank, '"order":{}', ['response.removed', 'param.removed']],
    [
      'of another value',
      '"preferred"',
      '"preferred","deprecated"',
      ['response.value-added', 'param.value-added']
    ],
    [
      'of another type',
      '"labels":{"type":"object"',
      '"labels":{"type":["object","null"]',
      ['response.type-changed', 'param.type-changed']
    ],
    [
      'not always there',
      '"required":["id"]',
      '"required":[]',
      ['response.optional', 'param.optional']
    ]
  ])('a member that is %s in every schema is one cause', (_, from, to, kinds) => {
    const { causes } = compareCassettes(
      recorded(text),
      recorded(text.replaceAll(from, to))
    )
    const [first] = causes.filter(({ title }) => !title.startsWith('order'))
    const found = new Set(first?.findings.map(({ kind }) => kind))
    expect([...found].sort()).toEqual([...kinds].sort())
    expect(causes).toHaveLength(from === rank ? 2 : 1)
  })

  it.each([
    ['names of path parameters', 'item_id', 'id'],
    ['texts and examples', '"in":"query"', '"description":"x","example":1,"in":"query"'],
    ['the host of the server', 'http://wiki.example', 'https://other.example']
  ])('are the same but for %s', (_, from, to) => {
    const changes = changesTo(text.replaceAll(from, to))
    expect(changes.filter((one) => !one.includes('url'))).toEqual([])
  })

  it('are the same in another order', () => {
    const { paths, ...rest } = description()
    const reversed = Object.fromEntries(Object.entries(paths).reverse())
    expect(changesTo(JSON.stringify({ ...rest, paths: reversed }))).toEqual([])
  })
})

describe('a description that is no good one', () => {
  it('is not read if its schemas lead to themselves or are too many', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 24 }, (_, at) => {
        const next = { $ref: `#/components/schemas/s${at + 1}` }
        return [`s${at}`, { properties: { a: next, b: next, c: next } }]
      })
    )
    const schema = { $ref: '#/components/schemas/s0' }
    const content = { 'application/json': { schema } }
    const paths = { '/x': { get: { responses: { 200: { content } } } } }
    const openapi = '3.1.0'
    expect(modulesOfOpenApi({ openapi, paths, components: { schemas } })).toBeUndefined()
    const circle = { $ref: '#/components/schemas/s0' }
    const inCircle = { openapi, paths, components: { schemas: { s0: circle } } }
    expect(modulesOfOpenApi(inCircle)).toHaveLength(2)
  })

  it.each([null, 3, 'x', [], {}, { openapi: 3 }])('is none: %j', (value) => {
    expect(modulesOfOpenApi(value)).toBeUndefined()
  })

  it.each([
    { paths: 4 },
    { paths: { '/x': { get: 5 } } },
    { servers: 'x', paths: { '/x': null } }
  ])('has no routes: %j', (rest) => {
    expect(modulesOfOpenApi({ openapi: '3.0.0', ...rest })).toEqual([])
  })
})
