/** What a difference is told with: values before and after, numbers at their limits, forms other than JSON. */
import { describe, expect, it } from 'vitest'
import { readOtherFormats } from '../../../src/drift/answers/other-formats.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import { type JsonTree, memberOf, textOf } from '../../../src/recorder/json/json-tree.ts'
import { type Answer, side, tree } from '../sides.ts'

const found = (
  a: unknown,
  b: unknown,
  request = 'action=query&list=things'
): readonly Finding[] =>
  compareCassettes(side('a', { [request]: a }), side('b', { [request]: b })).findings
const summaries = (...both: Parameters<typeof found>): readonly string[] =>
  found(...both).map(({ kind, severity, place }) => `${kind} [${severity}] ${place}`)
const shown = (...both: Parameters<typeof found>): readonly unknown[] =>
  found(...both).flatMap(({ samples }) =>
    samples.map(({ before, after }) => [textOf(before), textOf(after)])
  )

describe('a cookie', () => {
  const answer = (...cookies: NonNullable<Answer['cookies']>): Answer => ({
    body: { query: {} },
    cookies
  })
  const cookie = {
    name: 'x',
    value: '1',
    attributes: ['Path=/', 'HttpOnly'],
    expiresIn: 600
  }
  const described = 'set; expires in 10 min; httponly; path=/'

  it('is told with what it was and is', () => {
    expect(shown(answer(cookie), answer())).toEqual([[described, undefined]])
    expect(shown(answer(), answer(cookie))).toEqual([[undefined, described]])
    expect(shown(answer(cookie), answer({ ...cookie, value: 'deleted' }))).toEqual([
      [described, described.replace('set', 'deleted')]
    ])
    expect(
      shown(
        answer({ ...cookie, value: '' }),
        answer({ name: 'x', value: '2', attributes: [], expiresIn: undefined })
      )
    ).toEqual([[described.replace('set', 'deleted'), 'set; session']])
  })
})

describe('a header', () => {
  const answer = (headers: Readonly<Record<string, string>>): Answer => ({
    body: { query: {} },
    headers
  })

  it('is told with what it was and is', () => {
    const ru = answer({ 'content-language': 'ru' })
    const none = answer({})
    const en = answer({ 'content-language': 'en' })
    expect([shown(ru, none), shown(none, ru), shown(ru, en)]).toEqual([
      [['ru', undefined]],
      [[undefined, 'ru']],
      [['ru', 'en']]
    ])
  })
})

describe('a request on one side alone', () => {
  it('is told as what went or came', () => {
    const one = side('a', { 'action=x': {} })
    const other = side('b', { 'action=x': {}, 'action=y': {} })
    const texts = (list: readonly Finding[]): unknown =>
      list.map(({ kind, samples: [first] }) => [
        kind,
        textOf(first?.before),
        textOf(first?.after)
      ])
    expect(texts(compareCassettes(other, one).findings)).toEqual([
      ['interaction.missing', 'action=y', undefined]
    ])
    expect(texts(compareCassettes(one, other).findings)).toEqual([
      ['interaction.new', undefined, 'action=y']
    ])
  })
})

describe('a number', () => {
  const answer = (text: string): string =>
    `{"query":{"things":[{"title":"A","n":${text}}]}}`

  it.each([
    ['1', '1.0', ['type.changed']],
    ['1e0', '1', ['type.changed']],
    ['1e0', '1.0', []],
    ['1', '2', ['value.changed']],
    ['9007199254740991', '9007199254740991.0', ['type.changed']],
    ['9007199254740992', '9007199254740993', ['value.changed']],
    ['-9007199254740992', '-9007199254740993', ['value.changed']],
    ['1', 'true', ['type.changed']],
    ['true', 'false', ['value.changed']],
    ['1', 'null', ['field.nullable']],
    ['null', '1', ['field.non-null']]
  ])('%s, then %s', (a, b, findings) => {
    expect(found(answer(a), answer(b)).map(({ kind }) => kind)).toEqual(findings)
  })
})

describe("a value in PHP's serialized form", () => {
  const read = (value: string): JsonTree | undefined => {
    const text = `a:1:{s:1:"v";${value}}`
    return memberOf(readOtherFormats(text, text)?.[0], 'v')
  }

  it.each<readonly [string, unknown]>([
    ['N;', null],
    ['b:1;', true],
    ['b:0;', false],
    ['i:-12;', -12],
    ['d:0.5;', 0.5],
    ['s:2:"é";', 'é'],
    ['s:3:"";x";', '";x'],
    ['a:0:{}', []],
    ['a:2:{i:0;i:5;i:1;N;}', [5, null]],
    ['a:2:{i:1;i:5;i:2;i:6;}', { 1: 5, 2: 6 }],
    ['a:1:{s:1:"k";a:1:{i:0;b:1;}}', { k: [true] }]
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(tree(JSON.stringify(value)))
  })

  it.each([
    's:5:"a";',
    'a:1:{i:0;}',
    'a:1:{N;i:1;}',
    'a:1:{i:0;i:1;',
    'a:1:{i:0;i:1;i:1;i:2;}',
    'O:1:"x":0:{}',
    `${'a:1:{i:0;'.repeat(300)}N;${'}'.repeat(300)}`
  ])('is not read where it is not whole, or not plain: %.20s', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('is not read where something follows it, or on one side alone', () => {
    const whole = 'a:1:{i:0;N;}'
    const more = 'a:1:{i:0;N;}x'
    expect([readOtherFormats(whole, more), readOtherFormats(more, whole)]).toEqual([
      undefined,
      undefined
    ])
  })
})

describe('an element of XML', () => {
  const read = (inner: string): unknown => {
    const text = `<api>${inner}</api>`
    return readOtherFormats(text, text)?.[0]
  }

  it.each<readonly [string, unknown]>([
    ['<a>text</a>', { a: 'text' }],
    ['<a x="1">text</a>', { a: { x: '1', '*': 'text' } }],
    ['<a x="1"> </a>', { a: { x: '1' } }],
    ['<a/>', { a: {} }],
    ['<a><b/><b/></a>', { a: [{}, {}] }],
    ['<a><b/><c/></a>', { a: { b: {}, c: {} } }],
    ['<a><b _idx="1" x="y"/></a>', { a: [{ x: 'y' }] }],
    ['<a><b/><c/><b/></a>', { a: { b: [{}, {}], c: {} } }],
    ['<a xml:space="preserve">text</a>', { a: 'text' }],
    ['<a>x<b/>y</a>', { a: { '*': 'xy', b: {} } }]
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(tree(JSON.stringify(value)))
  })
})

describe('of descriptions', () => {
  it('another description of modules is no difference of the answer', () => {
    const answer = (more: object): object => ({
      paraminfo: { modules: [], ...more },
      extra: 1
    })
    expect(
      summaries(answer({ helpformat: 'a' }), answer({}), 'action=paraminfo&modules=x')
    ).toEqual([])
    expect(summaries(answer({ other: 'a' }), answer({}), 'action=x')).toEqual([
      'field.removed [breaking] paraminfo.other'
    ])
  })
})

describe('what every answer may have', () => {
  it('is told once for the whole wiki, at the top of an answer alone', () => {
    const scopes = (a: object, b: object): readonly string[] =>
      found(a, b).map(({ scope, kind }) => `${kind} ${scope}`)
    expect(scopes({ query: {} }, { query: {}, limits: { x: 1 } })).toEqual([
      'field.added *'
    ])
    expect(scopes({ query: {} }, { query: {}, other: { x: 1 } })).toEqual([
      'field.added list=things'
    ])
    expect(scopes({ query: {} }, { query: { limits: { x: 1 } } })).toEqual([
      'field.added list=things'
    ])
    expect(scopes({ query: {}, limits: { x: 1 } }, { query: {} })).toEqual([
      'field.removed *'
    ])
  })
})

describe('bodies that are neither JSON nor text', () => {
  const withBytes = (...bytes: readonly number[]): ReturnType<typeof side> => {
    const bare = side('x', { 'action=x': { query: {} } })
    const body = { kind: 'binary', bytes: Uint8Array.from(bytes) } as const
    return {
      ...bare,
      interactions: bare.interactions.map((one) => ({
        ...one,
        responses: [{ ...one.responses[0], body }] as unknown as typeof one.responses
      }))
    }
  }
  const differ = (a: readonly number[], b: readonly number[]): readonly string[] =>
    compareCassettes(withBytes(...a), withBytes(...b)).findings.map(
      ({ kind, place, axis }) => `${axis} ${kind} ${place}`
    )

  it('are compared byte by byte', () => {
    expect(differ([1, 2], [1, 2])).toEqual([])
    expect(differ([1, 2], [1, 3])).toEqual(['data value.changed body'])
    expect(differ([1, 2], [1, 2, 3])).toEqual(['data value.changed body'])
  })

  it('are another media type than JSON', () => {
    expect(
      compareCassettes(
        withBytes(1),
        side('b', { 'action=x': { query: {} } })
      ).findings.map(({ kind }) => kind)
    ).toContain('content-type.changed')
  })
})
