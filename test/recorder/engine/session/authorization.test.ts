/** Callers by `Authorization`: who they are is what the wiki says, and nobody gets what was recorded for another. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { requestKey } from '../../../../src/recorder/request/request-key.ts'
import { type FakeWiki, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import { ask, type HttpReply } from '../../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../../helpers/proxies.ts'

const groups = [
  { name: '*', rights: ['read'] },
  { name: 'user', rights: ['read', 'edit', 'viewmywatchlist'] }
]
const named = /(?:Bearer |Basic |oauth_token=")x(Admin|Bob)(limited)?/

/** Maps `Bearer xAdmin` to Admin, as OAuth does; `Bearer xAdminlimited` has fewer rights. */
function bearerWiki(): Promise<FakeWiki> {
  return fakeWiki((params, { headers }) => {
    const [, user, limited] = named.exec(headers.authorization ?? '') ?? []
    const isNobody = user === undefined || headers['treat-as-untrusted'] !== undefined
    const rights = isNobody || limited ? ['read'] : ['read', 'edit', 'viewmywatchlist']
    const info = isNobody
      ? { id: 0, name: '127.0.0.1', anon: true, groups: ['*'], rights }
      : { id: user === 'Bob' ? 3 : 1, name: user, groups: ['*', 'user'], rights }
    if (params.get('meta')?.includes('userinfo') === true)
      return JSON.stringify({
        batchcomplete: true,
        query: { userinfo: info, usergroups: groups }
      })
    if (isNobody)
      return '{"error":{"code":"notloggedin","info":"You must be logged in."}}'
    return JSON.stringify({
      watchlistraw: [{ ns: 0, title: `Page of ${user}${limited ?? ''}` }]
    })
  }, true)
}

const list = 'action=query&list=watchlistraw&format=json'
const who = 'action=query&meta=userinfo&format=json'
type Headers = Readonly<Record<string, string>>
const get = (
  { api }: Pick<RunningProxy, 'api'>,
  query: string,
  headers: Headers
): Promise<HttpReply> => ask(`${api}?${query}`, { headers })
const bearer = (user: string, more: Headers = {}): Headers => ({
  authorization: `Bearer ${user}`,
  ...more
})
const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])
const replayOf = ({ cassette }: RunningProxy): Promise<RunningProxy> =>
  startProxy(undefined, { cassette })

async function recorded(callers: readonly Headers[]): Promise<RunningProxy> {
  const wiki = await bearerWiki()
  const recording = await startProxy(wiki.api)
  for (const headers of callers)
    for (const query of [list, who]) {
      const { text } = await get(wiki, query, headers)
      expect((await get(recording, query, headers)).text).toBe(text)
    }
  await recording.close()
  return recording
}

describe('callers by Authorization', () => {
  it('get their own answers while recording and on replay', async () => {
    const recording = await recorded([
      bearer('xAdmin', { 'x-cassette-session': 'a' }),
      bearer('xBob', { 'x-cassette-session': 'b' })
    ])
    const replay = await replayOf(recording)
    for (const [session, user] of [
      ['b', 'Bob'],
      ['a', 'Admin']
    ] as const)
      for (const query of [list, who]) {
        const reply = await get(
          replay,
          query,
          bearer('fresh', { 'x-cassette-session': session })
        )
        expect(reply.text).toContain(user)
        expect(status(reply)).toBe('replayed')
      }
  })

  it('are one user offline, whatever the token is, if one user was recorded', async () => {
    const replay = await replayOf(await recorded([bearer('xAdmin')]))
    const reply = await get(replay, list, bearer('made in a CI'))
    expect(reply.text).toContain('Page of Admin')
    expect(status(await get(replay, list, {}))).toBe('miss')
  })

  it('are a miss that says so if several were recorded and neither token nor name tells them apart', async () => {
    const replay = await replayOf(await recorded([bearer('xAdmin'), bearer('xBob')]))
    const reply = await get(replay, list, bearer('xBob'))
    expect(status(reply)).toBe('miss')
    expect(reply.text).toContain('X-Cassette-Session')
    expect(reply.text).toContain('Admin, Bob')
  })

  it('with fewer rights than the user get no answer of the user, nor the user theirs', async () => {
    const session = (name: string): Headers => ({ 'x-cassette-session': name })
    const recording = await recorded([
      bearer('xAdmin', session('all')),
      bearer('xAdminlimited', session('few'))
    ])
    const replay = await replayOf(recording)
    expect((await get(replay, list, bearer('x', session('few')))).text).toContain(
      'Adminlimited'
    )
    expect((await get(replay, list, bearer('x', session('all')))).text).toContain(
      'Page of Admin"'
    )
  })

  it('by OAuth 1, whom nobody else can ask for, are told apart by their token', async () => {
    const wiki = await bearerWiki()
    const recording = await startProxy(wiki.api)
    const engine = recording.rack.first
    const sent = async (token: string, nonce: string): Promise<string> => {
      const authorization = `OAuth oauth_token="${token}", oauth_nonce="${nonce}", oauth_signature="s"`
      const request = {
        method: 'GET',
        headers: { authorization },
        body: new Uint8Array()
      } as const
      const target = `/w/api.php?${list}`
      const reply = await engine.handle({
        ...request,
        target,
        namedHost: true,
        session: '',
        signal: undefined
      })
      return reply.body.toString()
    }
    for (const nonce of ['1', '2'])
      for (const user of ['Admin', 'Bob'])
        expect(await sent(`x${user}`, nonce + user)).toContain(`of ${user}"`)
    expect(wiki.asked()).toHaveLength(2)
  })

  it('that are treated as untrusted are anonymous, and their session stays the user’s', async () => {
    const untrusted = bearer('xAdmin', { 'treat-as-untrusted': '1' })
    const recording = await recorded([bearer('xAdmin'), untrusted, bearer('xAdmin')])
    const replay = await replayOf(recording)
    expect((await get(replay, list, untrusted)).text).toContain('notloggedin')
    expect((await get(replay, who, untrusted)).text).toContain('anon')
    expect((await get(replay, list, bearer('xAdmin'))).text).toContain('Page of Admin')
  })

  it('of a web server in front name nobody', async () => {
    const wiki = await bearerWiki()
    const recording = await startProxy(wiki.api)
    const basic = { authorization: 'Basic c3RhZ2luZzpwYXNz' }
    await get(recording, who, basic)
    await recording.close()
    const replay = await replayOf(recording)
    expect(status(await get(replay, who, basic))).toBe('replayed')
  })

  it('of an older cassette, as authorized, are replayed', async () => {
    const { cassette } = await recorded([bearer('xAdmin')])
    for (const name of interactionFiles(cassette)) {
      const file = path.join(cassette, name)
      const text = readFileSync(file, 'utf8').replace('user:Admin', 'authorized')
      const { request } = JSON.parse(text) as { request: Record<string, string> }
      rmSync(file)
      writeFileSync(
        path.join(
          path.dirname(file),
          `${requestKey(new Map(Object.entries(request)))}.json`
        ),
        text
      )
    }
    const manifest = path.join(cassette, 'cassette.json')
    const { callers, ...older } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      callers: unknown
    }
    expect(callers).toEqual([{ as: 'user:Admin' }])
    writeFileSync(manifest, JSON.stringify(older))
    const { api } = await startProxy(undefined, { cassette })
    for (const query of [who, list]) {
      const reply = await get({ api }, query, bearer('another'))
      expect([status(reply), reply.text.includes('Admin')]).toEqual(['replayed', true])
    }
  })
})

describe('OAuth 1', () => {
  const signed = (nonce: string): Headers => ({
    authorization: `OAuth oauth_token="xAdmin", oauth_nonce="${nonce}", oauth_signature="s"`
  })

  it('through the server is refused before anything is asked or recorded, and the message says what works', async () => {
    const wiki = await bearerWiki()
    const recording = await startProxy(wiki.api)
    const reply = await get(recording, list, signed('1'))
    expect(status(reply)).toBe('miss')
    expect(reply.text).toMatch(/"reason":"signed-request"/)
    expect(reply.text).toContain('in the process of the client')
    expect(wiki.asked()).toEqual([])
    expect(recording.rack.first.store.size).toBe(0)
  })

  it('offline is answered', async () => {
    const replay = await replayOf(await recorded([bearer('xAdmin')]))
    expect(status(await get(replay, list, signed('1')))).toBe('replayed')
  })
})
