/** Cookies of a wiki whose `$wgCookiePath` is not `/`, for clients that ask below a path prefix. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

const session = '0123456789abcdef0123456789abcdef'
const token = `${'a'.repeat(40)}+\\`

/** Logs in only those who send the session's cookie back. */
const wikiBelow = (path: string) =>
  fakeWiki((params, { headers }) => {
    const setCookie = (pair: string) => `${pair}; path=${path}; HttpOnly`
    if (params.get('action') === 'login') {
      const isKnown = String(headers.cookie ?? '').includes(`wiki_session=${session}`)
      if (!isKnown)
        return '{"login":{"result":"Failed","reason":"session most likely timed out"}}'
      return {
        headers: {
          'set-cookie': [setCookie('wikiUserID=1'), setCookie('wikiUserName=Bob')]
        },
        body: '{"login":{"result":"Success","lguserid":1,"lgusername":"Bob"}}'
      }
    }
    if (params.get('meta') === 'tokens')
      return {
        headers: { 'set-cookie': [setCookie(`wiki_session=${session}`)] },
        body: JSON.stringify({
          batchcomplete: true,
          query: { tokens: { logintoken: token } }
        })
      }
    return '{"query":{}}'
  }, true)

/** A cookie jar as browsers and libraries have it: a cookie goes to its path and below. */
async function logIn(
  origin: string,
  path: string
): Promise<{ result: string; paths: readonly string[] }> {
  const jar = new Map<string, { value: string; path: string }>()
  const keep = (headers: Readonly<Record<string, unknown>>): void => {
    for (const header of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(header)) ?? []
      jar.set(name, { value, path: /;\s*path=([^;]*)/i.exec(String(header))?.[1] ?? '/' })
    }
  }
  const cookie = (): string =>
    [...jar]
      .flatMap(([name, one]) =>
        path.startsWith(one.path) ? [`${name}=${one.value}`] : []
      )
      .join('; ')
  const tokens = await ask(
    `${origin}${path}?action=query&meta=tokens&type=login&format=json&formatversion=2`
  )
  keep(tokens.headers)
  const form = `action=login&format=json&lgname=Bob&lgpassword=hunter2-secret&lgtoken=${encodeURIComponent(token)}`
  const reply = await post(`${origin}${path}`, form, { cookie: cookie() })
  keep(reply.headers)
  const { login } = JSON.parse(reply.text) as { login: { result: string } }
  return { result: login.result, paths: [...jar.values()].map((one) => one.path) }
}

it.each([
  ['/w/', '/~@one/w/api.php', '/~@one/w/'],
  ['/w/', '/w/api.php', '/w/'],
  ['/', '/~@one/w/api.php', '/']
])(
  'a login works while recording and on replay: cookies of %s, asked for at %s',
  async (path, asked, sent) => {
    const wiki = await wikiBelow(path)
    const proxy = await startProxy(wiki.api)
    const expected = { result: 'Success', paths: [sent, sent, sent] }
    expect(await logIn(proxy.origin, asked)).toEqual(expected)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    expect(await logIn(replay.origin, asked)).toEqual(expected)
  }
)
