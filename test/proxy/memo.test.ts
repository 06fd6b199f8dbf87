/** Ready replies, in memory and aside: the reply that was kept, or none. */
import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange, Reply } from '../../src/proxy/exchange.ts'
import { type MemoOptions, ReplyMemo } from '../../src/proxy/memo.ts'
import { Overflow } from '../../src/proxy/overflow.ts'
import { asRequestKey } from '../../src/request/key.ts'
import { temporaryFolder } from '../helpers/folders.ts'

const get = (target: string, more: Partial<Exchange> = {}): Exchange => ({
  method: 'GET',
  target,
  headers: {},
  body: Buffer.alloc(0),
  session: '',
  signal: undefined,
  ...more,
})

const replyOf = (text: string): Reply => ({
  status: 200,
  headers: [['content-type', `application/json; x=${text.length % 3}`]],
  body: Buffer.from(text),
  cassetteStatus: 'replayed',
  key: asRequestKey('0123456789ab'),
})

/** With its bytes as a text: to compare thousands byte by byte takes seconds. */
const said = (reply: Reply): unknown => ({ ...reply, body: Buffer.from(reply.body).toString('latin1') })

const memoOf = (more: Partial<MemoOptions> = {}): ReplyMemo =>
  new ReplyMemo({ own: () => [], strict: () => false, mostAside: () => 1000, bytes: 3000, ...more })

describe('ready replies', () => {
  it('are those that were kept last, wherever they lie', () => {
    const step = fc.record({
      target: fc.nat(12),
      text: fc.string({ minLength: 300, maxLength: 900 }),
      keep: fc.boolean(),
    })
    let fromAside = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
        const memo = memoOf()
        const kept = new Map<number, string>()
        const [answers, truth]: [unknown[], unknown[]] = [[], []]
        for (const { target, text, keep } of steps) {
          if (keep) {
            memo.keep(get(`/${target}`), replyOf(text), { anyhow: true })
            kept.set(target, text)
          }
          const found = memo.find(get(`/${target}`))
          const last = kept.get(target)
          answers.push(found && said(found))
          truth.push(last === undefined ? undefined : said(replyOf(last)))
          if (!keep && found !== undefined) fromAside += 1
        }
        memo.close()
        expect(answers).toEqual(truth)
      }),
    )
    expect(fromAside).toBeGreaterThan(10)
  })

  it('are asked about wherever they lie, and let nothing else fall out of memory that nobody has asked for twice', () => {
    const [right, asked, noted] = [new Set<string>(), [] as string[], [] as string[]]
    const memo = memoOf({
      bytes: 8000,
      believes: ({ reply }) => {
        asked.push(reply.body.toString())
        return right.has(reply.body.toString())
      },
    })
    const origin = { file: 'query.info/a.json', marks: [1, 2, 3, 4, 5], step: undefined } as const
    const texts = [...'abcd'].map((letter) => letter.repeat(900))
    for (const text of texts) {
      right.add(text)
      const keeping = { anyhow: true, origin, noted: () => noted.push(text) > 0 }
      expect(memo.keep(get(`/${text[0]}`), replyOf(text), keeping)).toBe(true)
    }
    // An eighth of the memory is for them: the first alone lies there.
    expect(noted).toEqual([texts[0]])
    expect(texts.map((text) => memo.find(get(`/${text[0]}`)))).toEqual(texts.map((text) => replyOf(text)))
    expect(asked).toEqual(texts.slice(1))
    right.delete(texts[2] ?? '')
    expect(memo.find(get('/c'))).toBeUndefined()
    expect(memo.find(get('/d'))).toEqual(replyOf('d'.repeat(900)))
    memo.close()
  })

  it('are dropped where no more may lie aside', () => {
    const memo = memoOf({ mostAside: () => 2 })
    for (let at = 0; at < 20; at += 1) memo.keep(get(`/${at}`), replyOf('x'.repeat(900)), { anyhow: true })
    const found = Array.from({ length: 20 }, (_, at) => memo.find(get(`/${at}`)) !== undefined)
    expect(found.slice(0, 2)).toEqual([true, true])
    expect(found.slice(2, 15)).not.toContain(true)
    memo.close()
  })

  it('are dropped where the disk takes nothing', () => {
    const memo = memoOf({ overflow: new Overflow('/nowhere/at/all') })
    for (let at = 0; at < 20; at += 1) memo.keep(get(`/${at}`), replyOf('x'.repeat(900)), { anyhow: true })
    expect(memo.find(get('/0'))).toBeUndefined()
    expect(memo.find(get('/19'))).toEqual(replyOf('x'.repeat(900)))
  })

  it.each<[string, Partial<Exchange>]>([
    ['a POST', { method: 'POST' }],
    ['a session', { session: 'mine' }],
    ['credentials', { headers: { authorization: 'Bearer x' } }],
    ['a cookie of a session', { headers: { cookie: 'wiki_session=1' } }],
  ])('are none for %s', (_, more) => {
    const memo = memoOf()
    memo.keep(get('/a', more), replyOf('mine'), { anyhow: true })
    expect(memo.find(get('/a'))).toBeUndefined()
    memo.keep(get('/a'), replyOf('for all'), { anyhow: true })
    expect(memo.find(get('/a', more))).toBeUndefined()
  })
})

describe('a request that says the same', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (body: string, query = '', headers: Exchange['headers'] = form): Exchange =>
    get(`/w/api.php${query}`, { method: 'POST', headers, body: Buffer.from(body) })

  it.each<[string, Exchange]>([
    ['in another order', get('/w/api.php?b=2&a=%D0%90')],
    ['with other escapes', get('/w/api.php?a=\u00d0\u0090&%62=2')],
    ['with duplicates of which the last counts', get('/w/api.php?a=x&b=2&a=%D0%90')],
    ['as a form', post('b=2&a=%d0%90')],
    ['half in the URL, half as a form', post('b=2', '?a=%D0%90&b=3')],
  ])('gets the same: %s', (_, exchange) => {
    const memo = memoOf()
    memo.keep(get('/w/api.php?a=%D0%90&b=2'), replyOf('known'), { anyhow: true })
    expect(memo.find(exchange)).toEqual(replyOf('known'))
    memo.close()
  })

  it.each<[string, Exchange]>([
    ['where the value is another', get('/w/api.php?b=2&a=%D0%91')],
    ['where bytes that are no UTF-8 differ', get('/w/api.php?b=2&a=%D1')],
    ['where a parameter more stands there', get('/w/api.php?b=2&a=%D0%90&c')],
    ['at another path', get('/api.php?b=2&a=%D0%90')],
    ['in a form that the wiki would not read', post('b=2&a=%D0%90', '', { 'content-type': 'text/plain' })],
    ['in a form that is encoded', post('b=2&a=%D0%90', '', { ...form, 'content-encoding': 'gzip' })],
    ['to nothing of the API', { ...post('b=2&a=%D0%90'), target: '/w/index.php' }],
  ])('gets nothing: %s', (_, exchange) => {
    const memo = memoOf()
    memo.keep(get('/w/api.php?a=%D0%90&b=2'), replyOf('known'), { anyhow: true })
    memo.keep(get('/w/api.php?a=%D0&b=2'), replyOf('of half a letter'), { anyhow: true })
    expect(memo.find(exchange)).toBeUndefined()
    memo.close()
  })

  it('gets nothing where spellings count, or the order', () => {
    const [strict, memo] = [memoOf({ strict: () => true }), memoOf()]
    strict.keep(get('/w/api.php?a=1&b=2'), replyOf('known'), { anyhow: true })
    memo.keep(get('/w/api.php?a=1&b=2'), replyOf('known'), { anyhow: false })
    for (const one of [strict, memo]) {
      expect(one.find(get('/w/api.php?b=2&a=1'))).toBeUndefined()
      expect(one.find(post('a=1&b=2'))).toBeUndefined()
      expect(one.find(get('/w/api.php?a=1&b=2'))).toEqual(replyOf('known'))
      one.close()
    }
  })
})

describe('the file aside', () => {
  it('has no name, so that nobody else finds it and it goes with the process', () => {
    const folder = temporaryFolder()
    const overflow = new Overflow(folder)
    const place = overflow.write([Buffer.from('Вол'), Buffer.from('га')])
    expect(readdirSync(folder)).toEqual([])
    expect(place && overflow.read(place)?.toString()).toBe('Волга')
    overflow.close()
    expect(place && overflow.read(place)).toBeUndefined()
    expect(overflow.write([Buffer.from('more')])).toBeUndefined()
  })

  it('gives nothing where it holds less than was written', () => {
    const overflow = new Overflow(temporaryFolder())
    overflow.write([Buffer.from('abc')])
    expect(overflow.read({ at: 1, length: 3 })).toBeUndefined()
    overflow.close()
  })
})
