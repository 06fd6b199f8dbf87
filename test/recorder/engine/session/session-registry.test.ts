/** Who asks, and for the how-manieth time: memo, identities, sequences, cookies. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { allTextIn, interactionFiles } from '../../../helpers/folders.ts'
import { ask, type HttpReply, post } from '../../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../../helpers/proxies.ts'

const call = '?action=query&format=json&meta=userinfo'
const texts = (replies: readonly HttpReply[]): readonly string[] =>
  replies.map(({ text }) => text)
const bob = { cookie: 'wikiUserName=Bob; wikiUserID=3; wiki_session=5f3a9c0e77d14b6f' }

describe('the memo of ready replies', () => {
  it('serves a URL asked again, and counts it', async () => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const replies = [
      await ask(replay.api + call),
      await ask(replay.api + call),
      await ask(replay.api + call)
    ]
    expect(new Set(texts(replies)).size).toBe(1)
    expect(replay.rack.counts()).toMatchObject({ replayed: 3, unused: 0 })
  })

  it('never gives one user’s answer to another, whoever asked first', async () => {
    const wiki = await fakeWiki((_, { headers }) =>
      JSON.stringify({ user: headers.cookie === undefined ? 'nobody' : 'Bob' })
    )
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call)
    await ask(recording.api + call, { headers: bob })
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const replies: HttpReply[] = []
    for (const headers of [{}, bob, {}, bob, { cookie: 'theme=dark' }])
      replies.push(await ask(replay.api + call, { headers }))
    expect(texts(replies)).toEqual(
      ['nobody', 'Bob', 'nobody', 'Bob', 'nobody'].map((user) => JSON.stringify({ user }))
    )
    const stranger = await ask(replay.api + call, {
      headers: { cookie: 'wikiUserName=Eve; wikiUserID=7; wiki_session=77d14b6f' }
    })
    expect(stranger.headers['x-cassette-status']).toBe('miss')
    const bearer = await ask(replay.api + call, {
      headers: { authorization: 'Bearer 77d14b6f5f3a9c0e' }
    })
    expect(bearer.headers['x-cassette-status']).toBe('miss')
    expect((await post(replay.api, call.slice(1))).text).toBe(
      JSON.stringify({ user: 'nobody' })
    )
  })

  it('does not remember misses', async () => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call)
    const miss = { headers: { 'x-cassette-mode': 'none' } }
    const other = `${recording.api}?action=query&format=json&list=allpages`
    expect((await ask(other, miss)).headers['x-cassette-status']).toBe('miss')
    await ask(other)
    expect((await ask(other, miss)).headers['x-cassette-status']).toBe('replayed')
  })
})

describe('an answer that changed while it was recorded', () => {
  /** A cassette where one request was answered "first", then "second". */
  async function sequence(): Promise<RunningProxy> {
    const answers = ['first', 'second']
    const wiki = await fakeWiki(() =>
      JSON.stringify({ answer: answers.shift() ?? 'later' })
    )
    const recording = await startProxy(wiki.api, { mode: 'all' })
    await ask(recording.api + call)
    await ask(recording.api + call)
    await recording.close()
    expect(interactionFiles(recording.cassette).length).toBe(1)
    return startProxy(undefined, { cassette: recording.cassette })
  }
  const answer = (which: string): string => JSON.stringify({ answer: which })

  it('is replayed as a sequence whose last member repeats', async () => {
    const replay = await sequence()
    const replies = [
      await ask(replay.api + call),
      await ask(replay.api + call),
      await ask(replay.api + call)
    ]
    expect(texts(replies)).toEqual(['first', 'second', 'second'].map(answer))
  })

  it('has its own position in each session', async () => {
    const replay = await sequence()
    const inSession = (session: string): Promise<HttpReply> =>
      ask(replay.api + call, { headers: { 'x-cassette-session': session } })
    const replies = [
      await inSession('a'),
      await inSession('a'),
      await inSession('b'),
      await ask(replay.api + call),
      await inSession('b'),
      await inSession('a')
    ]
    expect(texts(replies)).toEqual(
      ['first', 'second', 'first', 'first', 'second', 'second'].map(answer)
    )
  })
})

describe('cookies', () => {
  const logout = '?action=logout&format=json'
  const day = 86_400_000

  it('of a logout are dated from the moment of the replay', async () => {
    const recordedAt = Date.parse('2026-01-01T00:00:00Z')
    const wiki = await fakeWiki(() => ({
      body: '{}',
      headers: {
        date: new Date(recordedAt).toUTCString(),
        'set-cookie': [
          `wikiUserID=deleted; expires=${new Date(recordedAt - 365 * day).toUTCString()}; Max-Age=0; path=/; HttpOnly`,
          `wikiLoggedOut=20260101000000; expires=${new Date(recordedAt + day).toUTCString()}; path=/; secure`,
          'wiki_session=0e77d14b6f5f3a9c; path=/; httponly'
        ]
      }
    }))
    const recording = await startProxy(wiki.api, { now: () => recordedAt })
    await ask(recording.api + logout)
    await recording.close()
    const now = Date.parse('2030-06-15T12:00:00Z')
    const replay = await startProxy(undefined, {
      cassette: recording.cassette,
      now: () => now
    })
    const cookies = (await ask(replay.api + logout)).headers['set-cookie'] ?? []
    const expiries = cookies.map((cookie) => /expires=([^;]*)/.exec(cookie)?.[1])
    expect(expiries).toEqual([
      new Date(now - 365 * day).toUTCString(),
      new Date(now + day).toUTCString(),
      undefined
    ])
    expect(cookies[0]).toMatch(/^wikiUserID=deleted; .*path=\/; HttpOnly$/)
    expect(cookies.join()).not.toMatch(/secure/i)
  })

  it('keep their values for the client, and lose them on the disk', async () => {
    const wiki = await fakeWiki(() => ({
      body: '{}',
      headers: { 'set-cookie': 'wiki_session=0e77d14b6f5f3a9c; path=/' }
    }))
    const recording = await startProxy(wiki.api)
    const reply = await ask(recording.api + call)
    await recording.close()
    expect(reply.headers['set-cookie']).toEqual(['wiki_session=0e77d14b6f5f3a9c; path=/'])
    expect(allTextIn(recording.cassette)).not.toContain('0e77d14b6f5f3a9c')
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const [cookie] = (await ask(replay.api + call)).headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^wiki_session=.+; path=\/$/)
  })
})

describe('cookies and credentials', () => {
  it('of the api-url’s credentials do not reach a file either', async () => {
    const wiki = await fakeWiki((_, { headers }) =>
      JSON.stringify({ authorized: headers.authorization !== undefined })
    )
    const api = wiki.api.replace('http://', 'http://reader:correct-horse-battery@')
    const recording = await startProxy(api)
    expect((await ask(recording.api + call)).text).toBe('{"authorized":true}')
    await recording.close()
    const basic = Buffer.from('reader:correct-horse-battery').toString('base64')
    expect(allTextIn(recording.cassette) + recording.reports.join()).not.toMatch(
      new RegExp(`correct-horse|${basic}`)
    )
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await ask(replay.api + call)).text).toBe('{"authorized":true}')
  })

  it('a wiki that says the api-url’s password back is not recorded', async () => {
    const wiki = await fakeWiki((_, { headers }) =>
      JSON.stringify({ echo: headers.authorization ?? '' })
    )
    const recording = await startProxy(
      wiki.api.replace('http://', 'http://reader:correct-horse-battery-9431@')
    )
    expect((await ask(recording.api + call)).status).toBe(200)
    await recording.close()
    const basic = Buffer.from('reader:correct-horse-battery-9431').toString('base64')
    expect(allTextIn(recording.cassette)).not.toContain(basic)
  })
})
