/** What a wiki hides from one caller it shows to another, so such an answer belongs to its caller. */
import { describe, expect, it } from 'vitest'
import { callerOf, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, type HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const query = 'action=query&prop=revisions&rvprop=ids|comment|user&titles=A&format=json'
const sysop = {
  cookie:
    'wiki_session=5f3a9c0e77d14b6f5f3a9c0e77d14b6f; wikiUserID=1; wikiUserName=Admin'
}

async function recordedAnonymously(
  hides: boolean
): Promise<(headers: Record<string, string>) => Promise<HttpReply>> {
  const wiki = await fakeWiki((_, seen) => {
    const sees = !hides || callerOf(seen).includes('Admin')
    const revision = sees
      ? { revid: 5, user: 'Bob', comment: 'c' }
      : { revid: 5, userhidden: '' }
    const pages = { 1: { pageid: 1, ns: 0, title: 'A', revisions: [revision] } }
    return JSON.stringify({ batchcomplete: '', query: { pages } })
  })
  const recording = await startProxy(wiki.api)
  await ask(`${recording.api}?${query}`)
  await recording.close()
  const { api } = await startProxy(undefined, { cassette: recording.cassette })
  return (headers) => ask(`${api}?${query}`, { headers })
}

describe('revisions recorded anonymously', () => {
  it('with hidden parts are not served to a user', async () => {
    const get = await recordedAnonymously(true)
    expect((await get({})).text).toContain('userhidden')
    const reply = await get(sysop)
    expect(reply.headers['x-cassette-status']).toBe('miss')
    expect(reply.text).toContain('anonymous')
  })

  it('without hidden parts are served to a user', async () => {
    const get = await recordedAnonymously(false)
    expect((await get(sysop)).headers['x-cassette-status']).toBe('replayed')
  })
})
