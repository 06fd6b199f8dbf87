/** A token belongs to the session that got it: another session or user is refused, as the wiki refuses them. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import type { HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client, password, statefulWiki } from '../../../helpers/stateful-wiki.ts'

const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])

/** Admin logs in and out, then Bob logs in and edits. @param keeps true to edit with Admin's token */
async function program(client: Client, keeps: boolean): Promise<HttpReply> {
  await client.login('Admin')
  const kept = await client.token('csrf')
  await client.logout()
  await client.login('Bob')
  return client.edit('A', 'by Bob', keeps ? kept : undefined)
}

async function recorded(): Promise<string> {
  const wiki = await statefulWiki()
  const recording = await startProxy(wiki.api)
  expect((await program(new Client(recording.api), false)).text).toContain('Success')
  // Shows how the wiki words errors.
  expect((await new Client(recording.api).edit('B', 'text', 'none')).text).toContain(
    'badtoken'
  )
  await recording.close()
  return recording.cassette
}

describe('offline, a token', () => {
  it('of another user is refused', async () => {
    const wiki = await statefulWiki()
    expect((await program(new Client(wiki.api), true)).text).toContain('badtoken')
    const replay = await startProxy(undefined, { cassette: await recorded() })
    const reply = await program(new Client(replay.api), true)
    expect(reply.text).toContain('badtoken')
    expect(status(reply)).toBe('synthesized')
  })

  it('of another session is refused, and one’s own is not', async () => {
    const replay = await startProxy(undefined, { cassette: await recorded() })
    const other = new Client(replay.api)
    await other.login('Bob')
    const theirs = await other.token('csrf')
    const own = new Client(replay.api)
    await own.login('Bob')
    expect((await own.edit('A', 'by Bob', theirs)).text).toContain('badtoken')
    expect((await own.edit('A', 'by Bob')).text).toContain('Success')
    expect((await other.edit('A', 'by Bob', theirs)).text).toContain('Success')
  })
})

/** Admin logs in and out and in again. @param early true to log in with a token that was asked for before the logout */
async function loginAgain(client: Client, early: boolean): Promise<HttpReply> {
  await client.clientLogin('Admin')
  const before = await client.token('login')
  await client.logout()
  if (!early) return client.clientLogin('Admin')
  client.restore(new Map())
  return client.clientLogin('Admin', undefined, before)
}

describe('offline, a token of a session that has ended', () => {
  it('is refused, if its client sends no cookie of a session any more', async () => {
    const wiki = await statefulWiki()
    expect((await loginAgain(new Client(wiki.api), true)).text).toContain('badtoken')
    const recording = await startProxy(wiki.api)
    await loginAgain(new Client(recording.api), false)
    // Shows how the wiki words errors.
    await new Client(recording.api).edit('B', 'text', 'none')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await loginAgain(new Client(replay.api), false)).text).toContain('PASS')
    const refused = await loginAgain(new Client(replay.api), true)
    expect(refused.text).toContain('badtoken')
    expect(status(refused)).toBe('synthesized')
  })
})

describe('offline, a token that its module does not describe', () => {
  it('is missed in a login without the session that asked for it', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    await new Client(recording.api).login('Admin')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const asked = new Client(replay.api)
    const lgtoken = await asked.token('login')
    const login = { action: 'login', lgname: 'Admin', lgpassword: password, lgtoken }
    const reply = await new Client(replay.api).post(login)
    expect(status(reply)).toBe('miss')
    expect((await asked.post(login)).text).toContain('Success')
  })

  it('is missed where another session checks it', async () => {
    const wiki = await fakeWiki((params) =>
      JSON.stringify(
        params.get('meta') === 'tokens'
          ? { query: { tokens: { csrftoken: `${'0f'.repeat(20)}+\\` } } }
          : { checktoken: { result: 'valid' } }
      )
    )
    const sessions = (api: string): readonly [Client, Client] => {
      const named = (id: string): Client =>
        new Client(api, { cookie: `wiki_session=${id.repeat(32)}` })
      return [named('1'), named('2')]
    }
    const check = (token: string): Record<string, string> => ({
      action: 'checktoken',
      type: 'csrf',
      token
    })
    const recording = await startProxy(wiki.api)
    const [first] = sessions(recording.api)
    expect((await first.post(check(await first.token('csrf')))).text).toContain('"valid"')
    await recording.close()
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    const [one, other] = sessions(api)
    const token = await one.token('csrf')
    expect(status(await other.post(check(token)))).toBe('miss')
    expect((await one.post(check(token))).text).toContain('"valid"')
  })
})

describe('offline, a token of another session', () => {
  it('is missed, and not accepted, if no recorded error shows how the wiki words its refusal', async () => {
    const wiki = await fakeWiki((params) => {
      if (params.get('meta') === 'tokens')
        return JSON.stringify({
          query: { tokens: { csrftoken: `${'0f'.repeat(20)}+\\` } }
        })
      return JSON.stringify({ edit: { result: 'Success', title: 'A' } })
    })
    const recording = await startProxy(wiki.api)
    const sent = (name: string): Client =>
      new Client(recording.api, { cookie: `wiki_session=${name.repeat(32)}` })
    await sent('1').edit('A', 'text')
    await recording.close()
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    const [one, other] = ['2', '3'].map(
      (name) => new Client(api, { cookie: `wiki_session=${name.repeat(32)}` })
    )
    const reply = await other?.edit('A', 'text', await one?.token('csrf'))
    expect(reply && status(reply)).toBe('miss')
    expect(reply?.text).toContain('no recording shows how this wiki answers that')
    expect((await one?.edit('A', 'text'))?.text).toContain('Success')
  })
})

describe('offline, cookies of a user', () => {
  it('with a token that nobody has issued are not that user’s', async () => {
    const wiki = await statefulWiki()
    const list = { action: 'query', list: 'watchlistraw' }
    const recording = await startProxy(wiki.api)
    const client = new Client(recording.api)
    await client.login('Admin')
    await client.get(list)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const cookie =
      'wikiUserID=1; wikiUserName=Admin; wikiToken=0123456789abcdef0123456789abcdef'
    const reply = await new Client(replay.api, { cookie }).get(list)
    expect(status(reply)).toBe('miss')
    expect(reply.text).toContain('cookies that are not of this replay')
  })
})
