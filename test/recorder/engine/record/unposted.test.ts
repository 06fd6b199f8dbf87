/** What a wiki answers to a request that it wants posted, and to the same request posted, are two answers. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const refusal = (code: string) => ({
  headers: { 'mediawiki-api-error': code },
  body: JSON.stringify({ error: { code, info: 'no' } })
})

/** As MediaWiki 1.29 and newer. */
const strictWiki = () =>
  fakeWiki((params, { method, target }) => {
    if (params.get('action') === 'edit' && !params.has('token'))
      return refusal('missingparam')
    if (/[?&]token=/.test(target)) return refusal('mustpostparams')
    if (method !== 'POST') return refusal('mustbeposted')
    return `{"${params.get('action')}":{"result":"Success","pageid":7,"title":"A","lgusername":"Q"}}`
  })

const login = 'action=login&lgname=Q&lgpassword=x&format=json'
const edit = 'action=edit&title=A&text=b&format=json'
const token = `token=${'0123456789'.repeat(4)}%2B%5C`

describe('a request that has to be posted', () => {
  it.each([
    ['a GET', (api: string) => ask(`${api}?${login}`), (api: string) => post(api, login)],
    [
      'a token in the address',
      (api: string) => post(`${api}?${token}`, edit),
      (api: string) => post(api, `${edit}&${token}`)
    ],
    [
      'a token in the address of a GET',
      (api: string) => ask(`${api}?${edit}&${token}`),
      (api: string) => post(api, `${edit}&${token}`)
    ]
  ])('gets the refusal of %s only when sent so', async (_what, wrong, right) => {
    const wiki = await strictWiki()
    const first = await startProxy(wiki.api)
    const refused = (await wrong(first.api)).text
    expect(refused).toMatch(/mustbeposted|mustpostparams/)
    await first.close()
    const early = await startProxy(undefined, { cassette: first.cassette })
    expect((await right(early.api)).text).toContain('cassette-miss')
    await early.close()
    const again = await startProxy(wiki.api, { cassette: first.cassette })
    const done = (await right(again.api)).text
    expect(done).toContain('Success')
    await again.close()
    const replay = await startProxy(undefined, { cassette: first.cassette })
    expect([(await wrong(replay.api)).text, (await right(replay.api)).text]).toEqual([
      refused,
      done
    ])
  })

  it.each([
    ['a write', `${edit}&${token}`],
    ['a login', login]
  ])('gets no success of a POST when it is a GET: %s', async (_what, query) => {
    const wiki = await strictWiki()
    const proxy = await startProxy(wiki.api)
    await post(proxy.api, query)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const { text } = await ask(`${replay.api}?${query}`)
    expect(text).toContain('the same parameters, sent in another way')
  })

  it('shares the lack of a parameter, which the wiki tells first', async () => {
    const wiki = await strictWiki()
    const proxy = await startProxy(wiki.api)
    const lacking = await ask(`${proxy.api}?${edit}`)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    expect((await post(replay.api, edit)).text).toBe(lacking.text)
  })
})
