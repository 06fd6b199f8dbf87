/** What Ask, Compare and the live list are told. */
import { describe, expect, it } from 'vitest'
import type { AskView, RequestView, SentRequestView } from '../../src/pages/run-views.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { taped } from './recorded-cassette.ts'

const asked = async (origin: string, query: Record<string, string>): Promise<AskView> =>
  JSON.parse((await postAsk(origin, query)).text) as AskView

const postAsk = (origin: string, query: Record<string, string>) =>
  ask(`${origin}/__wikitape/api/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query)
  })

describe('a request that is asked', () => {
  const address = 'action=query&list=allpages&aplimit=7&format=json'

  it('is answered byte for byte as replay answers it, from the same recordings', async () => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const one = await asked(origin, { address })
    const replayed = await ask(`${api}?${address}`)
    expect(one.text).toBe(replayed.text)
    expect([one.outcome, one.from.join()]).toEqual([
      replayed.headers['x-cassette-status'],
      replayed.headers['x-cassette-synthesized-from']
    ])
    expect(one.steps.map(({ name, counts }) => [name, counts])).toContainEqual([
      'format',
      false
    ])
  })

  it.each([
    ['a query string', address],
    ['a path', `/w/api.php?${address}`],
    ['a URL', `https://wiki.example/w/api.php?${address}`]
  ])('may be %s', async (_, text) => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    expect((await asked(origin, { address: text })).outcome).toBe('synthesized')
  })

  it('counts nothing, marks nothing as used, and is no miss', async () => {
    const { origin, rack } = await startProxy(undefined, {
      cassette: 'cassettes/ru-1.43'
    })
    const before = rack.counts()
    await asked(origin, { address })
    const missed = await asked(origin, {
      address: 'action=query&list=backlinks&bltitle=Foo'
    })
    expect(missed.miss).toMatchObject({ reason: 'param-differs', nearest: [{}, {}, {}] })
    expect(missed.miss?.nearest[0]?.differences).toEqual([
      {
        param: 'bltitle',
        text: 'bltitle recorded "Узел", got "Foo"',
        recorded: 'Узел',
        got: 'Foo'
      }
    ])
    expect([rack.counts(), rack.misses(), rack.feed.since(0)]).toEqual([before, [], []])
  })
})

describe('a request with line breaks, hidden characters or many titles', () => {
  const titles = Array.from(
    { length: 50 },
    (_, at) => `Страница ${'ы'.repeat(60)} ${at}`
  ).join('|')
  const text = `Первая строка\nвторая\t\u202eконец ${'слово '.repeat(1000)}`
  const edit = { action: 'edit', title: 'Волга', text, token: '(csrf token)' }
  const answer = [response(jsonBody('{"edit":{"result":"Success"}}'))] as const
  const request = { action: 'query', prop: 'info', titles }

  it.each([
    ['text of an edit', interactionOf(edit, answer), 'text', text],
    ['50 titles', interactionOf(request, answer), 'titles', titles]
  ])('is a view with its values as they are: %s', async (_, recorded, name, value) => {
    const { view } = await taped([recorded])
    const [, one] = await view(`api/interaction?key=${recorded.key}`)
    expect(one).toMatchObject({ params: expect.arrayContaining([{ name, value }]) })
  })

  it('is asked whole, whatever its length', async () => {
    const recorded = interactionOf(request, [response(jsonBody('{"query":{}}'))])
    const { origin } = await taped([recorded])
    const address = `${new URLSearchParams({ ...request, format: 'json' })}`
    expect(address.length).toBeGreaterThan(16_000)
    expect((await asked(origin, { address })).recordedKey).toBe(recorded.key)
  })

  it('is told as the client sent it', async () => {
    const short = text.slice(0, 1000)
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const body = `${new URLSearchParams({ action: 'expandtemplates', text: short, titles })}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await ask(api, { method: 'POST', body, headers })
    const { text: view } = await ask(`${origin}/__wikitape/api/request?id=1`)
    expect((JSON.parse(view) as SentRequestView).params).toEqual([
      { name: 'action', value: 'expandtemplates' },
      { name: 'text', value: short },
      { name: 'titles', value: titles }
    ])
  })
})

describe('a request that is asked like a recording', () => {
  const answerOf = (text: string) =>
    [response(jsonBody(`{"query":{"said":"${text}"}}`))] as const
  const write = interactionOf(
    { action: 'edit', title: 'Волга', token: '(csrf token)', 'as user': 'user:Admin' },
    [response(jsonBody('{"edit":{"result":"Success","title":"Волга"}}'))]
  )
  const read = { action: 'query', prop: 'info', titles: 'Волга' }
  const plain = interactionOf(read, answerOf('anonymous'))
  const before = interactionOf({ ...read, 'as user': 'user:Admin' }, answerOf('before'))
  const after = interactionOf(
    { ...read, 'as user': 'user:Admin', 'after writes': write.key },
    answerOf('after')
  )

  it('is asked by its caller, after its writes', async () => {
    const { origin } = await taped([write, plain, before, after])
    const address = 'action=query&prop=info&titles=Волга&format=json'
    for (const one of [plain, before, after]) {
      const { recordedKey, outcome } = await asked(origin, { address, like: one.key })
      expect([outcome, recordedKey]).toEqual(['replayed', one.key])
    }
    expect((await asked(origin, { address })).recordedKey).toBe(plain.key)
  })
})

describe('two answers', () => {
  const listed = (titles: readonly string[]) =>
    response(
      jsonBody(
        JSON.stringify({ query: { allpages: titles.map((title) => ({ title })) } })
      )
    )

  it('are compared as drift compares them, also those of two requests', async () => {
    const one = interactionOf({ action: 'query', list: 'allpages' }, [listed(['A', 'B'])])
    const other = interactionOf({ action: 'query', list: 'allpages', apfrom: 'A' }, [
      response(jsonBody('{"query":{"allpages":[{"name":"A"},{"name":"B"}]}}'))
    ])
    const { view } = await taped([one, other])
    const compared = (b: string) =>
      view(`api/compare?a=tape&b=tape&key-a=${one.key}&key-b=${b}`)
    expect(await compared(one.key)).toMatchObject([
      200,
      { keyB: one.key, report: { findings: [] } }
    ])
    const [, { report }] = (await compared(other.key)) as [
      number,
      { report: { findings: { kind: string }[] } }
    ]
    expect(report.findings.map(({ kind }) => kind)).toContain('field.renamed')
    expect((await compared('0123456789ab'))[0]).toBe(404)
  })

  it('of one request are found in another cassette, also where that spells it differently', async () => {
    const { origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const { text } = await ask(
      `${origin}/__wikitape/api/compare?a=ru-1.43&b=ru-1.35&key-a=4da27ac9a91b`
    )
    expect(JSON.parse(text)).toMatchObject({ keyB: '4da27ac9a91b' })
  })
})

describe('a live request', () => {
  it('is told as the client sent it, without its secrets', async () => {
    const { api, origin } = await startProxy(undefined, { cassette: 'cassettes/ru-1.43' })
    const form = 'action=login&lgname=Admin&lgpassword=hunter2hunter2&format=json'
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: 'wiki_session=abc123; cf=edge',
      authorization: 'Bearer xyz'
    }
    await ask(api, { method: 'POST', body: form, headers })
    const { text } = await ask(`${origin}/__wikitape/api/request?id=1`)
    const sent = JSON.parse(text) as SentRequestView
    expect(sent.params).toContainEqual({ name: 'lgname', value: 'Admin' })
    expect(sent.params).toContainEqual({ name: 'lgpassword', value: '(secret)' })
    expect(sent.headers).toContainEqual(['authorization', '(secret)'])
    expect(sent.cookies).toEqual(['wiki_session', 'cf'])
    expect(text).not.toMatch(/hunter2|abc123|edge|xyz/)
  })

  it('names its client without the e-mail address, in its row and in its headers', async () => {
    const { api, origin } = await taped([])
    const headers = {
      'user-agent': 'bot/1.0 (mailto:me@mine.example)',
      from: 'me@mine.example',
      'api-user-agent': 'gadget/2.0 me%40mine.example'
    }
    await ask(`${api}?action=parse&page=A&format=json`, { headers })
    const told = async (view: string): Promise<string> =>
      (await ask(`${origin}/__wikitape/api/${view}`)).text
    const sent = await told('request?id=1')
    expect(sent).toContain('bot/1.0 (mailto:redacted@example.invalid)')
    expect(sent + (await told('requests'))).not.toMatch(/mine/)
  })

  it('is a row that says module, parameters, error and size', async () => {
    const error = response(
      jsonBody('{"error":{"code":"badtitle"},"warnings":{"main":{"*":"x"}}}'),
      {
        headers: new Map([['mediawiki-api-error', 'badtitle']])
      }
    )
    const one = interactionOf({ action: 'query', list: 'backlinks', bltitle: '[' }, [
      error
    ])
    const { api, origin, rack } = await taped([one])
    await ask(`${api}?action=query&list=backlinks&bltitle=[&format=json`, {
      headers: { 'user-agent': 'bot/1.0' }
    })
    const requests = async (since: number): Promise<readonly RequestView[]> =>
      JSON.parse((await ask(`${origin}/__wikitape/api/requests?since=${since}`)).text)
    const [row] = await requests(0)
    expect(row).toMatchObject({
      outcome: 'replayed',
      words: 'list backlinks · bltitle=[',
      error: 'badtitle',
      agent: 'bot/1.0',

      user: '',
      writes: 0,
      isWrite: false,
      bytes: 59,
      hasWarnings: true
    })
    expect(rack.feed.since(0)).toHaveLength(1)
    expect(await requests(1)).toEqual([])
  })
})
