/** What stands around a result: status, headers, cookies, errors and warnings. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import type { RecordedCookie } from '../../../src/recorder/cassette/interaction.ts'
import { type Answer, side } from '../sides.ts'
import { warningCases } from './envelope-cases.ts'

const query = 'action=parse&page=Волга'
const summaries = (a: unknown, b: unknown): readonly string[] =>
  compareCassettes(side('a', { [query]: a }), side('b', { [query]: b }))
    .findings.map(
      ({ kind, place, scope }) => `${kind} ${place}${scope === '*' ? ' everywhere' : ''}`
    )
    .sort()
const answer = (rest: Omit<Answer, 'body'>): Answer => ({ body: { parse: {} }, ...rest })
const cookie = (more: Partial<RecordedCookie>): readonly RecordedCookie[] => [
  {
    name: 'wikiUserID',
    value: '7',
    attributes: ['Path=/', 'HttpOnly'],
    expiresIn: 600,
    ...more
  }
]

describe('a continuation', () => {
  it('that only one side has takes what belongs to its dialect with it', () => {
    const list = 'action=query&list=allpages'
    const query = { allpages: [{ title: 'A' }] }
    const going = { continue: { apcontinue: 'B', continue: '-||' }, query }
    const kinds = (a: unknown, b: unknown): readonly string[] =>
      compareCassettes(side('a', { [list]: a }), side('b', { [list]: b })).findings.map(
        ({ kind }) => kind
      )
    const once = kinds(going, { query })
    expect(kinds(going, { batchcomplete: '', query })).toEqual(once)
    expect(kinds({ batchcomplete: '', ...going }, { query })).toEqual(once)
    expect(kinds({ batchcomplete: '', query }, { query })).toEqual(['field.removed'])
  })
})

describe('headers', () => {
  const headers = (value?: string): Answer =>
    answer({ headers: value === undefined ? {} : { 'content-language': value } })

  it.each([
    ['appear', undefined, 'ru', ['header.added headers.content-language everywhere']],
    ['go', 'ru', undefined, ['header.removed headers.content-language everywhere']],
    ['change', 'ru', 'en', ['header.changed headers.content-language everywhere']],
    ['stay', 'ru', 'ru', []]
  ])('that %s', (_, a, b, findings) => {
    expect(summaries(headers(a), headers(b))).toEqual(findings)
  })
})

describe('the time that an answer took', () => {
  it.each([
    ['five times as long', 1.2, 6, ['note answer.slower seconds']],
    ['not five times as long', 1.3, 6, []],
    [
      'long where it was not measured, or up to a second',
      undefined,
      5,
      ['note answer.slower seconds']
    ],
    ['a few seconds where it was not measured, or up to a second', undefined, 4.9, []],
    ['shorter', 9, undefined, []]
  ])('%s', (_, before, after, findings) => {
    const compared = (seconds: number | undefined): CassetteSide =>
      side('x', { [query]: answer({ seconds }) })
    const told = compareCassettes(compared(before), compared(after)).findings
    expect(
      told.map(({ severity, kind, place }) => `${severity} ${kind} ${place}`)
    ).toEqual(findings)
  })

  it('is accepted, however long it takes the next time', () => {
    const slow = (seconds: number): readonly string[] =>
      compareCassettes(
        side('a', { [query]: answer({}) }),
        side('b', { [query]: answer({ seconds }) })
      ).findings.map(({ fingerprint }) => fingerprint)
    expect(slow(6)).toEqual(slow(60.5))
  })
})

describe('cookies', () => {
  it.each([
    ['of another value', { value: '8' }, []],
    [
      'of another domain or date',
      { attributes: ['path=/', 'httponly', 'Domain=wiki.example', 'Max-Age=9'] },
      []
    ],
    ['that end some seconds later', { expiresIn: 611 }, []],
    ['that end a minute later', { expiresIn: 660 }, ['cookie.changed cookies.UserID']],
    [
      'that end with the browser',
      { expiresIn: undefined },
      ['cookie.changed cookies.UserID']
    ],
    ['that are taken away', { value: 'deleted' }, ['cookie.changed cookies.UserID']],
    ['that are empty', { value: '' }, ['cookie.changed cookies.UserID']],
    [
      'that scripts may read',
      { attributes: ['Path=/'] },
      ['cookie.changed cookies.UserID']
    ]
  ])('%s', (_, more, findings) => {
    const a = answer({ cookies: cookie({}) })
    const b = answer({ cookies: cookie(more) })
    expect(summaries(a, b).map((one) => one.replace('wikiUserID', 'UserID'))).toEqual(
      findings
    )
  })

  it('on one side alone', () => {
    expect(summaries(answer({}), answer({ cookies: cookie({ session: true }) }))).toEqual(
      ['cookie.changed cookies._session']
    )
  })
})

describe('a body', () => {
  const text = (type: string | undefined, body: string): unknown => ({
    body,
    headers: type === undefined ? { 'content-type': '' } : { 'content-type': type }
  })

  it.each([
    [
      'of the same type in another spelling',
      'text/plain; charset=utf-8',
      'Text/Plain;Charset="UTF-8"',
      []
    ],
    [
      'of another charset',
      'text/plain; charset=utf-8',
      'text/plain',
      ['content-type.changed content-type everywhere']
    ],
    [
      'of another type',
      'text/html',
      'text/plain',
      ['content-type.changed content-type everywhere']
    ],
    [
      'of a type that is said by one side alone',
      undefined,
      'text/plain',
      ['content-type.changed content-type everywhere']
    ]
  ])('%s', (_, a, b, findings) => {
    expect(summaries(text(a, 'words'), text(b, 'words'))).toEqual(findings)
  })

  it.each([
    ['with another text', '<p>a</p>', '<p>b</p>', ['html.text text']],
    ['with other elements', '<p>a</p>', '<b>a</b>', ['html.structure text']],
    [
      'a feed that has news now',
      '<rss></rss>',
      '<rss><item>a</item></rss>',
      ['html.text text']
    ],
    [
      'a feed with elements that its news have not had',
      '<rss><item>a</item></rss>',
      '<rss><item><b>a</b></item></rss>',
      ['html.structure text']
    ],
    ['of scripts alone', '<p>a</p><script>1</script>', '<p>a</p><script>2</script>', []]
  ])('%s', (_, a, b, findings) => {
    expect(summaries(text('text/html', a), text('text/html', b))).toEqual(findings)
  })
})

describe('errors', () => {
  const failed = (code: string, info = 'words', more: object = {}): unknown => ({
    error: { code, info, ...more }
  })
  const fine = { parse: {} }

  it.each([
    ['mustbeposted', 'words', 'method'],
    ['mustpostparams', 'words', 'method'],
    ['missingparam', 'The "token" parameter must be set.', 'auth'],
    ['missingparam', 'The "title" parameter must be set.', 'error'],
    ['notoken', 'words', 'auth'],
    ['nosuchpage', 'words', 'error'],
    ['notitle', 'no words about a token', 'auth'],
    ['readapidenied', 'words', 'auth'],
    ['permissiondenied', 'words', 'auth'],
    ['unknown_token', 'words', 'error']
  ])('%s (%s) is a matter of "%s"', (code, info, matter) => {
    const [there, gone] =
      matter === 'error' ? ['appeared', 'disappeared'] : ['required', 'dropped']
    expect(summaries(fine, failed(code, info))).toEqual([`${matter}.${there} error`])
    expect(summaries(failed(code, info), fine)).toEqual([`${matter}.${gone} error`])
  })

  it.each([
    [
      'in other words',
      failed('a', 'words'),
      failed('a', 'other words'),
      ['text.changed error.info']
    ],
    [
      'of another code',
      failed('a', 'words'),
      failed('b', 'other words'),
      ['error.code-changed error']
    ],
    [
      'in another envelope',
      failed('a'),
      { errors: [{ code: 'a', text: 'words' }] },
      ['error.envelope error everywhere']
    ],
    [
      'with help',
      failed('a'),
      failed('a', 'words', { docref: 'help' }),
      ['text.changed error.docref']
    ],
    [
      'with help elsewhere',
      failed('a', 'words', { '*': 'help' }),
      failed('a', 'words', { docref: 'help' }),
      ['error.envelope error everywhere']
    ],
    [
      'with a detail',
      failed('a'),
      failed('a', 'words', { retry: 5 }),
      ['field.added error.retry']
    ],
    [
      'in HTML',
      { errors: [{ code: 'a', html: 'one' }] },
      { errors: [{ code: 'a', html: 'two' }] },
      ['text.changed error.info']
    ],
    ['none in an empty list', { errors: [], ...fine }, fine, []]
  ])('%s', (_, a, b, findings) => {
    expect(summaries(a, b)).toEqual(findings)
  })
})

describe('warnings', () => {
  it.each(warningCases)('%s', (_, a, b, findings) => {
    expect(summaries(a, b)).toEqual(findings)
  })
})
