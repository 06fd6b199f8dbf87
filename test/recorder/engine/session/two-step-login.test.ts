/** The old login in two steps: the first asks for a token and gets a session, the second sends the token back. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const token = `${'a'.repeat(40)}+\\`

/** As MediaWiki 1.35 answers: only a caller without a session gets one with the token. */
const wikiWithLogin = () =>
  fakeWiki((params, { headers }) => {
    const hasSession = String(headers.cookie ?? '').includes('wiki_session=')
    if (!params.has('lgtoken')) {
      const body = JSON.stringify({ login: { result: 'NeedToken', token } })
      return hasSession
        ? body
        : { headers: { 'set-cookie': [`wiki_session=${'b'.repeat(32)}; path=/`] }, body }
    }
    if (params.get('lgpassword') !== 'right-Passw0rd')
      return '{"login":{"result":"Failed","reason":"Incorrect username or password entered."}}'
    const cookies = [
      `wiki_session=${'c'.repeat(32)}; path=/`,
      'wikiUserID=3; path=/',
      'wikiUserName=Bob; path=/'
    ]
    const body = '{"login":{"result":"Success","lguserid":3,"lgusername":"Bob"}}'
    return { headers: { 'set-cookie': cookies }, body }
  }, true)

/** The results of logins in one cookie jar, each in two steps. */
async function logIn(
  api: string,
  passwords: readonly string[]
): Promise<readonly string[]> {
  const jar = new Map<string, string>()
  const results: string[] = []
  const send = async (form: string): Promise<{ result: string; token?: string }> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const { headers, text } = await post(api, form, cookie === '' ? {} : { cookie })
    for (const header of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(String(header)) ?? []
      jar.set(name, value)
    }
    const { login } = JSON.parse(text) as { login?: { result: string; token?: string } }
    return login ?? { result: text }
  }
  for (const password of passwords) {
    const form = `action=login&format=json&lgname=Bob&lgpassword=${password}`
    const first = await send(form)
    const second = await send(`${form}&lgtoken=${encodeURIComponent(first.token ?? '')}`)
    results.push(first.result, second.result)
  }
  return results
}

it.each([
  [
    'after a failed attempt',
    ['wrong-Passw0rd', 'right-Passw0rd'],
    ['NeedToken', 'Failed', 'NeedToken', 'Success']
  ],
  [
    'after two failed attempts',
    ['wrong-1', 'wrong-2', 'right-Passw0rd'],
    ['NeedToken', 'Failed', 'NeedToken', 'Failed', 'NeedToken', 'Success']
  ],
  ['at once', ['right-Passw0rd'], ['NeedToken', 'Success']]
])(
  '%s in one cookie jar, it is replayed as it was recorded',
  async (_, passwords, expected) => {
    const wiki = await wikiWithLogin()
    const proxy = await startProxy(wiki.api)
    expect(await logIn(proxy.api, passwords)).toEqual(expected)
    await proxy.close()
    expect(proxy.reports.join('\n')).not.toContain('conflict')
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    expect(await logIn(replay.api, passwords)).toEqual(expected)
  }
)
