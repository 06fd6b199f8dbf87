/** Where questions go once a wiki seems to have moved, and what never goes there. */
import { expect, it } from 'vitest'
import { followRedirects } from '../../../src/recorder/upstream/redirects.ts'
import type { Upstream } from '../../../src/recorder/upstream/upstream.ts'

const old = { origin: 'http://old.test', path: '/w/api.php' }

/** Sends everybody from old.test to new.test. */
function moved(borrowed: boolean) {
  const asked: string[] = []
  const upstream = (origin: string): Upstream => ({
    ask: async ({ target }) => {
      asked.push(origin)
      const leads = origin === old.origin
      const headers = new Map(leads ? [['location', `http://new.test${target}`]] : [])
      return {
        status: leads ? 301 : 200,
        headers,
        setCookies: [],
        body: new Uint8Array()
      }
    },
    close: () => undefined
  })
  const following = followRedirects(old, {
    upstream,
    isConfidential: false,
    hasClientCookies: borrowed,
    onMoved: () => undefined
  })
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    following.ask({
      method: 'GET',
      target: '/w/api.php?action=query',
      headers,
      body: new Uint8Array()
    })
  return { ask, asked }
}

it.each([
  ['a client’s cookies', { cookie: 'session=1' }, true],
  ['a token', { authorization: 'Bearer x' }, false]
])(
  '%s are not sent to where a question without them was led',
  async (_, headers, borrowed) => {
    const { ask, asked } = moved(borrowed)
    await ask()
    await expect(ask(headers)).rejects.toMatchObject({ fault: 'moved' })
    expect(asked).toEqual(['http://old.test', 'http://new.test'])
  }
)

it('cookies that the new place gave to wikitape itself are sent there', async () => {
  const { ask, asked } = moved(false)
  await ask()
  expect((await ask({ cookie: 'edge=1' })).status).toBe(200)
  expect(asked).toEqual(['http://old.test', 'http://new.test', 'http://new.test'])
})
