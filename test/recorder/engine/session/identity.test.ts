/** Who a caller is: what the wiki says of their cookies, while recording and offline. */
import { describe, expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import { ask, type HttpReply } from '../../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../../helpers/proxies.ts'
import { Client, statefulWiki, withoutTokens } from '../../../helpers/stateful-wiki.ts'

const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])
const who = { action: 'query', meta: 'userinfo', uiprop: 'groups' }
const list = { action: 'query', list: 'watchlistraw' }

/** Asks without a login, logs in, out, and in again by the cookies of before. */
async function comeBack(api: string): Promise<readonly HttpReply[]> {
  const client = new Client(api)
  const replies = [await client.whoami(), await client.login('Bob')]
  const kept = new Map(client.cookies)
  replies.push(await client.whoami(), await client.logout(), await client.whoami())
  client.restore(kept)
  replies.push(await client.whoami(), await client.get(who), await client.get(list))
  client.restore(kept)
  // Answered from the cassette by now, and yet what follows goes to the wiki as the same user.
  replies.push(await client.get(who), await client.get({ ...who, uiprop: 'rights' }))
  client.restore(new Map([...kept].filter(([name]) => /UserID|Token/.test(name))))
  replies.push(await client.whoami())
  client.restore(kept)
  replies.push(
    await client.edit('A', 'after coming back'),
    await client.read('A'),
    await client.whoami()
  )
  return replies
}

async function recordedComeBack(): Promise<{
  live: readonly HttpReply[]
  recording: RunningProxy
}> {
  const wiki = await statefulWiki()
  const recording = await startProxy(wiki.api)
  const live = await comeBack(recording.api)
  await recording.close()
  return { live, recording }
}

const texts = (replies: readonly HttpReply[]): readonly string[] =>
  replies.map(withoutTokens)
const replayOf = ({ cassette }: RunningProxy): Promise<RunningProxy> =>
  startProxy(undefined, { cassette })

describe('cookies that log in again after a logout', () => {
  it('are taken to the wiki while recording', async () => {
    const wiki = await statefulWiki()
    const direct = texts(await comeBack(wiki.api))
    const { live } = await recordedComeBack()
    expect(texts(live)).toEqual(direct)
    expect(direct.slice(4, 7).map((text) => text.includes('Bob'))).toEqual([
      false,
      true,
      true
    ])
  })

  it('bring the user back offline, each time', async () => {
    const { live, recording } = await recordedComeBack()
    const replay = await replayOf(recording)
    for (let time = 0; time < 2; time += 1) {
      const replies = await comeBack(replay.api)
      expect(texts(replies)).toEqual(texts(live))
      expect(new Set(replies.map(status))).toEqual(new Set(['replayed']))
    }
    expect(
      await Promise.all([comeBack(replay.api), comeBack(replay.api)]).then((both) =>
        both.map(texts)
      )
    ).toEqual([texts(live), texts(live)])
  })

  it('bring the user back in a session with a name, as the message of a conflict advises', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const named = ({ origin }: RunningProxy): string => `${origin}/~@one/w/api.php`
    const live = texts(await comeBack(named(recording)))
    expect(live).toEqual(texts(await comeBack((await statefulWiki()).api)))
    await recording.close()
    expect(texts(await comeBack(named(await replayOf(recording))))).toEqual(live)
  })

  it('leave nothing that somebody without cookies is told', async () => {
    const { recording } = await recordedComeBack()
    const nobody = new Client((await replayOf(recording)).api)
    expect((await nobody.whoami()).text).toContain('127.0.0.1')
    for (const params of [who, list, { action: 'query', meta: 'tokens', type: 'csrf' }])
      expect(status(await nobody.get(params))).toBe('miss')
    expect([...nobody.cookies]).toEqual([])
  })

  it.each([
    ['a session that has ended', ['wiki_session', 'wikiUserID', 'wikiUserName']],
    ['a name and a number', ['wikiUserID', 'wikiUserName']],
    ['a token without a number', ['wikiUserName', 'wikiToken']]
  ])('are none without all that is needed: %s', async (_, names) => {
    const wiki = await statefulWiki()
    const run = async (api: string): Promise<string> => {
      const client = new Client(api)
      await client.login('Bob')
      const kept = [...client.cookies].filter(([name]) => names.includes(name))
      await client.whoami()
      await client.logout()
      client.restore(new Map(kept))
      return (await client.whoami()).text
    }
    const recording = await startProxy(wiki.api)
    const live = await run(recording.api)
    expect(live).toContain('127.0.0.1')
    await recording.close()
    expect(await run((await replayOf(recording)).api)).toBe(live)
  })
})

describe('a session that the wiki has forgotten', () => {
  const cookie = 'wikiUserID=3; wikiUserName=Bob; wiki_session=5f3a9c0e77d14b6f'
  const info = (
    user: string | undefined,
    more: Readonly<Record<string, string>> = {}
  ): FakeAnswer => ({
    headers: more,
    body: JSON.stringify({
      query: { userinfo: user ? { id: 3, name: user } : { id: 0, name: '127.0.0.1' } }
    })
  })

  it('on an earlier day is nobody’s, whatever its cookies say', async () => {
    const wiki = await fakeWiki(() => info(undefined), true)
    const recording = await startProxy(wiki.api)
    await ask(`${recording.api}?action=query&list=allpages&format=json`, {
      headers: { cookie }
    })
    await recording.close()
    const replay = await replayOf(recording)
    expect(
      status(await new Client(replay.api).get({ action: 'query', list: 'allpages' }))
    ).toBe('replayed')
  })

  it('meanwhile is nobody’s from the answer on that says so', async () => {
    let user: string | undefined = 'Bob'
    const wiki = await fakeWiki(() => info(user), true)
    const recording = await startProxy(wiki.api, { mode: 'all' })
    const client = new Client(recording.api, { cookie })
    expect((await client.get(who)).text).toContain('Bob')
    user = undefined
    expect((await client.get(who)).text).toContain('127.0.0.1')
    await client.get(list)
    await recording.close()
    const nobody = new Client((await replayOf(recording)).api)
    expect((await nobody.get(who)).text).toContain('127.0.0.1')
    expect(status(await nobody.get(list))).toBe('replayed')
    const replay = await replayOf(recording)
    expect((await new Client(replay.api, { cookie }).get(who)).text).toContain('Bob')
  })

  it('meanwhile is nobody’s where `assert` fails', async () => {
    let isIn = true
    const failure =
      '{"error":{"code":"assertuserfailed","info":"You are no longer logged in."}}'
    const wiki = await fakeWiki((params) => {
      if (params.has('meta')) return info(isIn ? 'Bob' : undefined)
      return isIn
        ? '{"query":{}}'
        : { headers: { 'mediawiki-api-error': 'assertuserfailed' }, body: failure }
    }, true)
    const recording = await startProxy(wiki.api, { mode: 'all' })
    const client = new Client(recording.api, { cookie })
    const asserting = { ...list, assert: 'user' }
    await client.get(asserting)
    isIn = false
    expect((await client.get(asserting)).text).toBe(failure)
    await recording.close()
    const replay = await replayOf(recording)
    expect((await new Client(replay.api).get(asserting)).text).toBe(failure)
    expect((await new Client(replay.api, { cookie }).get(asserting)).text).toBe(
      '{"query":{}}'
    )
  })

  it('and of which it does not say whose it is, is not recorded', async () => {
    const denied =
      '{"error":{"code":"readapidenied","info":"You need read permission to use this module."}}'
    const wiki = await fakeWiki(() => denied, true)
    const recording = await startProxy(wiki.api)
    const reply = await new Client(recording.api, { cookie }).get(list)
    expect([reply.text, status(reply)]).toEqual([denied, 'passthrough'])
    expect(interactionFiles(recording.cassette)).toEqual([])
    expect(recording.reports.join()).toContain(
      'the wiki does not say by meta=userinfo who that is'
    )
  })
})

describe('cookies of an earlier day', () => {
  it('are asked about once, and not again for each request', async () => {
    let asked = 0
    const wiki = await fakeWiki((params) => {
      if (params.get('meta') === 'userinfo') asked += 1
      return JSON.stringify({ query: { userinfo: { id: 3, name: 'Bob' } } })
    }, true)
    const recording = await startProxy(wiki.api)
    const cookie = 'wikiUserID=3; wikiUserName=Bob; wikiToken=5f3a9c0e77d14b6f'
    const client = new Client(recording.api, { cookie })
    await Promise.all(['A', 'B', 'C', 'D'].map((title) => client.read(title)))
    await client.read('E')
    expect(asked).toBe(1)
  })

  it('name nobody offline without a session or a token, as on the wiki', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const client = new Client(recording.api)
    await client.whoami()
    await client.login('Bob')
    await client.whoami()
    await recording.close()
    const replay = await replayOf(recording)
    const names = new Client(replay.api, { cookie: 'wikiUserID=3; wikiUserName=Bob' })
    expect((await names.whoami()).text).toContain('127.0.0.1')
    const nameless = new Client(replay.api, {
      cookie: 'wikiUserID=3; wikiToken=5f3a9c0e77d14b6f'
    })
    expect(status(await nameless.whoami())).toBe('miss')
  })
})

describe('an account that somebody makes', () => {
  it('leaves its maker who they are', async () => {
    const wiki = await fakeWiki((params) => {
      if (params.get('action') === 'createaccount')
        return '{"createaccount":{"status":"PASS","username":"Eve"}}'
      return JSON.stringify({ query: { userinfo: { id: 1, name: 'Admin' } } })
    }, true)
    const recording = await startProxy(wiki.api)
    const cookie = 'wikiUserID=1; wikiUserName=Admin; wiki_session=5f3a9c0e77d14b6f'
    const client = new Client(recording.api, { cookie })
    await client.post({
      action: 'createaccount',
      username: 'Eve',
      createtoken: `${'0f'.repeat(16)}+\\`
    })
    await client.get(list)
    await recording.close()
    const replay = await replayOf(recording)
    const maker = new Client(replay.api, { cookie })
    await maker.post({
      action: 'createaccount',
      username: 'Eve',
      createtoken: `${'0f'.repeat(16)}+\\`
    })
    expect(status(await maker.get(list))).toBe('replayed')
    const eve = new Client(replay.api, { cookie: cookie.replace('Admin', 'Eve') })
    expect(status(await eve.get(list))).toBe('miss')
  })
})
