/** What an import asks a live wiki: descriptions of modules, and nothing else. */
import { expect, it } from 'vitest'
import { OwnUpstream } from '../../src/transfer/imported-upstream.ts'

const query = '&format=json&formatversion=2'
const paraminfo = '/w/api.php?action=paraminfo&modules=query'

it.each([
  [`${paraminfo}&helpformat=none${query}`, 'asked'],
  [`${paraminfo}&helpformat=raw${query}`, 'asked'],
  [`/w/api.php?action=query&meta=userinfo${query}`, '{}']
])('%s is %s', async (target, expected) => {
  const answer = {
    status: 200,
    headers: new Map(),
    setCookies: [],
    body: Buffer.from('asked')
  }
  const own = new OwnUpstream({ ask: async () => answer, close: () => undefined })
  const request = { method: 'GET', target, headers: {}, body: new Uint8Array() } as const
  const { body } = await own.ask(request)
  expect(Buffer.from(body).toString()).toBe(expected)
})
