/** Requests that look like a recorded one, but that a wiki answers otherwise: through the whole program. */
import { expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

type Sent = readonly [query: string, body?: string]
type Params = ReadonlyMap<string, string>

interface Told {
  readonly status: unknown
  readonly text: string
}

const send = async (api: string, [query, body]: Sent): Promise<Told> => {
  const address = query === '' ? api : `${api}?${query}`
  const reply = body === undefined ? await ask(address) : await post(address, body)
  return { status: reply.headers['x-cassette-status'], text: reply.text }
}

/** What replay says to a request after some were recorded of a wiki. */
async function replayed(
  answer: (params: Params) => FakeAnswer,
  recorded: readonly Sent[],
  asked: Sent
): Promise<Told> {
  const wiki = await fakeWiki(answer)
  const recording = await startProxy(wiki.api)
  for (const one of recorded) await send(recording.api, one)
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  return send(replay.api, asked)
}

const echoOf =
  (name: string) =>
  (params: Params): string =>
    JSON.stringify({ [params.get('action') ?? '']: { [name]: params.get(name) } })

it('tests of rights of more pages than one answer has room for are a miss', async () => {
  const of = (ids: string): Sent => [
    `action=query&format=json&prop=info&intestactions=read|delete|protect|block|import|undelete&pageids=${ids}`
  ]
  const pageOf = (params: Params): string => {
    const id = params.get('pageids') ?? ''
    const actions = Object.fromEntries(
      (params.get('intestactions') ?? '').split('|').map((one) => [one, ''])
    )
    const page = {
      pageid: Number(id),
      ns: 0,
      title: `P ${id}`,
      contentmodel: 'wikitext',
      actions
    }
    return JSON.stringify({ batchcomplete: '', query: { pages: { [id]: page } } })
  }
  const ids = Array.from({ length: 10 }, (_, at) => String(at + 1))
  const of8 = await replayed(pageOf, ids.map(of), of(ids.slice(0, 8).join('|')))
  expect(of8.status).toBe('synthesized')
  const of10 = await replayed(pageOf, ids.map(of), of(ids.join('|')))
  expect(of10.status).toBe('miss')
})

it.each([
  ['A', 'A|B', 'miss'],
  ['A|B', 'A|B|C', 'miss'],
  ['b|A', 'B|A', 'miss'],
  ['b|A', 'B|A&formatversion=2', 'miss'],
  ['A&formatversion=2', 'A|B&formatversion=2', 'synthesized'],
  ['A', 'A|B|C', 'synthesized'],
  ['C|D', 'A|B|C|D', 'synthesized']
])(
  'of pages that are an array in formatversion 1 by their number, %s out of %s is a %s',
  async (titles, recorded, told) => {
    // ApiResult::applyTransformations: the greatest key is one less than there are keys.
    const pagesOf = (params: Params): string => {
      const named = (params.get('titles') ?? '').toUpperCase().split('|')
      const pages = named.map((title, at) =>
        title === 'A'
          ? ([1, { pageid: 1, ns: 0, title }] as const)
          : ([-1 - at, { ns: 0, title, missing: '' }] as const)
      )
      const isArray = Math.max(...pages.map(([key]) => key)) === pages.length - 1
      return params.get('formatversion') === '2' || isArray
        ? JSON.stringify({
            batchcomplete: params.get('formatversion') === '2' ? true : '',
            query: { pages: pages.map(([, page]) => page) }
          })
        : JSON.stringify({
            batchcomplete: '',
            query: { pages: Object.fromEntries(pages) }
          })
    }
    const query = 'action=query&format=json&titles='
    const said = await replayed(pagesOf, [[query + recorded]], [query + titles])
    expect(said.status).toBe(told)
  }
)

it.each([
  ['inprop=url', 'synthesized'],
  ['inprop=preloadcontent', 'miss'],
  ['intestactions=edit&intestactionsdetail=full', 'miss']
])(
  'what a page says by %s in formatversion 2 is, in formatversion 1, %s',
  async (sent, told) => {
    const pageOf = (params: Params): string => {
      const page = { pageid: 1, ns: 0, title: 'A', touched: '2026-01-01T00:00:00Z' }
      return params.get('formatversion') === '2'
        ? JSON.stringify({ batchcomplete: true, query: { pages: [page] } })
        : JSON.stringify({ batchcomplete: '', query: { pages: { 1: page } } })
    }
    const query = `action=query&format=json&prop=info&titles=A&${sent}`
    const said = await replayed(pageOf, [[`${query}&formatversion=2`]], [query])
    expect(said.status).toBe(told)
  }
)

it.each([
  ['text', 'https://example.org/?pass=one', 'https://example.org/?pass=two'],
  ['text', 'https://a:one@example.org/', 'https://a:two@example.org/'],
  [
    'titles',
    'Talk:Email/0123456789abcdef0123456789abcdef',
    'Talk:Email/ffff456789abcdef0123456789abcdef'
  ]
])('another secret inside of %s is another request: %s', async (name, one, other) => {
  const action = name === 'text' ? 'expandtemplates' : 'query'
  const of = (value: string): Sent => [
    `action=${action}&format=json&prop=${name === 'text' ? 'wikitext' : ''}&${name}=${encodeURIComponent(value)}`
  ]
  const itself = await replayed(echoOf(name), [of(one)], of(one))
  expect(itself.text).toContain(one)
  const another = await replayed(echoOf(name), [of(one)], of(other))
  expect(another.status).toBe('miss')
})

it('a password whose strength was not asked for is a miss', async () => {
  const of = (password: string): Sent => [
    '',
    `action=validatepassword&format=json&password=${password}`
  ]
  const strength = (params: Params): string =>
    JSON.stringify({
      validatepassword: {
        validity: (params.get('password')?.length ?? 0) > 8 ? 'Good' : 'Change'
      }
    })
  const told = await replayed(strength, [of('1')], of('abcdefgh12XY'))
  expect(told.status).toBe('miss')
})

it('a list in the address is not one in the body', async () => {
  const answer = (params: Params): string =>
    JSON.stringify({ query: { titles: [...params.keys()] } })
  const recorded: Sent = ['titles[]=Y', 'action=query&format=json&titles=X']
  const told = await replayed(
    answer,
    [recorded],
    ['titles=X', 'action=query&format=json&titles[]=Y']
  )
  expect(told.status).toBe('miss')
})

it('the error of an unknown version of formats is in no callback', async () => {
  const error = '{"error":{"code":"unknown_formatversion","info":"?"}}'
  const recorded: Sent = ['action=query&format=json&titles=A&formatversion=9']
  const told = await replayed(() => error, [recorded], [`${recorded[0]}&callback=f`])
  expect(told.text).not.toMatch(/^\/\*\*\/f\(/)
})

it.each([
  ['&continue=foo||bar', 'synthesized'],
  ['&continue=foo||', 'synthesized'],
  ['&continue=foo||allpages', 'miss'],
  ['&continue=aplimit||', 'miss'],
  ['&continue=foo||bar||', 'miss'],
  ['&continue=foo', 'miss']
])('a list is continued by nothing in %s: %s', async (more, told) => {
  const recorded = 'action=query&format=json&list=allpages&aplimit=3'
  const answer = JSON.stringify({ batchcomplete: '', query: { allpages: [] } })
  const said = await replayed(() => answer, [[recorded]], [`${recorded}${more}`])
  expect(said.status).toBe(told)
  if (told === 'synthesized') expect(said.text).toBe(answer)
})

it('an error is recorded with a continue that names nothing', async () => {
  const query = (more: string): Sent => [
    `action=query&format=json&list=allpages&apfrom=[${more}`
  ]
  const answer = JSON.stringify({ error: { code: 'invalidtitle', info: 'Bad title.' } })
  const asked = (recorded: string, wanted: string) =>
    replayed(() => answer, [query(recorded)], query(wanted))
  const said = await asked('&continue=foo||', '&aplimit=3&continue=bar||')
  expect(said).toEqual({ status: 'synthesized', text: answer })
  expect((await asked('&continue=-||allpages', '&aplimit=3')).status).toBe('miss')
})

it('an error comes before the warning of parameters that no module has', async () => {
  const recorded = 'action=query&format=json&list=allpages&apfrom=['
  const answer = JSON.stringify({ error: { code: 'invalidtitle', info: 'Bad title.' } })
  const said = await replayed(() => answer, [[recorded]], [`${recorded}&bogus=1`])
  expect(said).toEqual({ status: 'synthesized', text: answer })
})
