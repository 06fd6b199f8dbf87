/** Clients without names that log in one after another or at once, into one cassette, and offline in any order. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { asksWho, callerOf, description, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import { ask, type HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { scaled } from '../../../helpers/scale.ts'
import {
  Client,
  password,
  statefulWiki,
  withoutTokens
} from '../../../helpers/stateful-wiki.ts'
import { httpStandIn, type StandIn } from '../../../helpers/upstreams.ts'

/** One client, from its first request to its last. */
interface Caller {
  readonly user: string
  readonly title: string
  /** Passwords in the order tried. */
  readonly passwords: readonly string[]
}

const good: readonly string[] = [password]

async function session(
  api: string,
  { user, title, passwords }: Caller
): Promise<readonly string[]> {
  const client = new Client(api)
  const replies: HttpReply[] = [await client.read('Common')]
  for (const one of passwords) replies.push(await client.login(user, one))
  replies.push(
    await client.whoami(),
    await client.edit(title, `by ${user}`),
    await client.read(title)
  )
  replies.push(await client.read('Common'))
  return replies.map(withoutTokens)
}

const nine: readonly Caller[] = Array.from({ length: 9 }, (_, at) => ({
  user: ['Bob', 'Алиса', 'Admin'][at % 3] ?? '',
  title: `Page ${at}`,
  passwords: good
}))

describe.each([
  ['one after another', 'one after another'],
  ['one after another', 'in the opposite order'],
  ['one after another', 'all at once'],
  ['all at once', 'one after another'],
  ['all at once', 'all at once']
])('nine clients without a name, recorded %s and replayed %s', (recorded, replayed) => {
  async function all(api: string, how: string): Promise<readonly (readonly string[])[]> {
    if (how === 'all at once') return Promise.all(nine.map((one) => session(api, one)))
    const told = new Map<Caller, readonly string[]>()
    for (const one of how === 'one after another' ? nine : nine.toReversed())
      told.set(one, await session(api, one))
    return nine.map((one) => told.get(one) ?? [])
  }

  it('get what they got', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const live = await all(recording.api, recorded)
    expect(recording.reports).toEqual([])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (let time = 0; time < scaled(1, 2); time += 1)
      expect(await all(replay.api, replayed)).toEqual(live)
    expect(replay.rack.counts()).toMatchObject({ missed: 0, liveRequests: 0 })
  })
})

describe.each([
  ['one after another', false],
  ['all at once', true]
])('logins of all kinds without names, %s', (_, together) => {
  const kinds: readonly (readonly [string, (client: Client) => Promise<HttpReply>])[] = [
    ['login', (client) => client.login('Bob')],
    ['clientlogin', (client) => client.clientLogin('Bob')],
    ['a bot password', (client) => client.login('Bob@app')],
    ['a bot password of another', (client) => client.login('Алиса@app')],
    ['clientlogin of another', (client) => client.clientLogin('Алиса')],
    [
      'clientlogin, wrong first',
      async (client) => {
        await client.clientLogin('Admin', 'wrong')
        return client.clientLogin('Admin')
      }
    ]
  ]

  async function all(api: string): Promise<readonly (readonly string[])[]> {
    const one = async ([kind, login]: (typeof kinds)[number]): Promise<
      readonly string[]
    > => {
      const client = new Client(api)
      const replies = [
        await login(client),
        await client.whoami(),
        await client.edit(`By ${kind}`, kind)
      ]
      return [...replies, await client.read(`By ${kind}`)].map(withoutTokens)
    }
    if (together) return Promise.all(kinds.map(one))
    const told: (readonly string[])[] = []
    for (const kind of kinds) told.push(await one(kind))
    return told
  }

  it('replay as recorded, twice', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const live = await all(recording.api)
    expect(recording.reports).toEqual([])
    expect(live.map(([login]) => login)).toEqual(
      kinds.map(() => expect.stringMatching(/Success|PASS/))
    )
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (let time = 0; time < 2; time += 1) {
      const told = await all(replay.api)
      // Revisions are numbered in the order of the edits, of which each session was told its own.
      expect(told).toEqual(live)
    }
    expect(replay.rack.counts()).toMatchObject({ missed: 0, liveRequests: 0 })
  })
})

describe('an account that is made', () => {
  it('is there afterwards, also while recording', async () => {
    let made = false
    const wiki = await fakeWiki((params) => {
      if (params.get('action') !== 'createaccount')
        return {
          body: JSON.stringify({
            query: {
              users: [made ? { userid: 7, name: 'Eve' } : { name: 'Eve', missing: '' }]
            }
          })
        }
      made = true
      return { body: '{"createaccount":{"status":"PASS","username":"Eve"}}' }
    })
    const run = async (api: string): Promise<readonly string[]> => {
      const client = new Client(api, {
        cookie: 'wiki_session=5f3a9c0e77d14b6f5f3a9c0e77d14b6f'
      })
      const ask = async (): Promise<string> =>
        (await client.get({ action: 'query', list: 'users', ususers: 'Eve' })).text
      const before = await ask()
      await client.post({
        action: 'createaccount',
        username: 'Eve',
        createtoken: `${'0f'.repeat(16)}+\\`
      })
      return [before, await ask()]
    }
    const recording = await startProxy(wiki.api)
    const live = await run(recording.api)
    expect(live[0]).not.toBe(live[1])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(await run(replay.api)).toEqual(live)
  })
})

describe('logins of one user', () => {
  it('that differ in what means nothing are one', async () => {
    let logins = 0
    const wiki = await fakeWiki((params) => {
      if (params.get('action') !== 'login')
        return {
          body: '{"query":{"tokens":{"logintoken":"+\\\\"}}}',
          headers: { 'set-cookie': `wiki_session=${randomBytes(16).toString('hex')}` }
        }
      logins += 1
      const cookies = [
        `wiki_session=${randomBytes(16).toString('hex')}`,
        'wikiUserID=3',
        'wikiUserName=Bob'
      ]
      return {
        body: JSON.stringify({
          ...(logins > 1
            ? { warnings: { login: { '*': `Said for the ${logins}th time` } } }
            : {}),
          login: { result: 'Success', lguserid: 3, lgusername: 'Bob' }
        }),
        headers: {
          'set-cookie': logins === 1 ? [...cookies, 'UseDC=master; max-age=10'] : cookies
        }
      }
    })
    const recording = await startProxy(wiki.api)
    for (let time = 0; time < 3; time += 1) await new Client(recording.api).login('Bob')
    expect(recording.reports).toEqual([])
    expect(interactionFiles(recording.cassette)).toHaveLength(2)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await new Client(replay.api).login('Bob')).text).toContain('Success')
  })

  it('of which one tries a wrong password first go on from where the others stopped', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const failing = { user: 'Bob', title: 'A', passwords: ['wrong'] }
    const retrying = { user: 'Bob', title: 'B', passwords: ['wrong', password] }
    const live = [
      await session(recording.api, failing),
      await session(recording.api, retrying)
    ]
    expect(recording.reports).toEqual([])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect([
      await session(replay.api, retrying),
      await session(replay.api, failing)
    ]).toEqual(live.toReversed())
  })

  it('that fail here and succeed there are answered in the recorded order, and others as ever', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    await new Client(recording.api).login('Bob', 'wrong')
    await new Client(recording.api).login('Bob')
    await new Client(recording.api).login('Алиса')
    expect(recording.reports.join()).toContain('two sessions without a name')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const [wrong, right] = [
      await new Client(replay.api).login('Bob', 'wrong'),
      await new Client(replay.api).login('Bob')
    ]
    expect([wrong.text, right.text].map((text) => text.includes('Success'))).toEqual([
      false,
      true
    ])
    expect((await new Client(replay.api).login('Алиса')).text).toContain('Success')
  })
})

describe('the cookies of yesterday', () => {
  it('are those of the user whom they name, in a replay that saw no login', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const site = { action: 'query', meta: 'siteinfo' }
    const client = new Client(recording.api)
    const siteinfo = await client.get(site)
    const page = await client.read('Common')
    await client.login('Bob')
    const who = await client.whoami()
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const kept = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const tomorrow = new Client(replay.api, { cookie: kept })
    expect((await tomorrow.whoami()).text).toBe(who.text)
    expect((await tomorrow.get(site)).text).toBe(siteinfo.text)
    expect((await tomorrow.read('Common')).text).toBe(page.text)
    expect(
      (await tomorrow.get({ ...site, siprop: 'statistics' })).headers['x-cassette-status']
    ).toBe('miss')
    const stranger = new Client(replay.api, {
      cookie: 'wikiUserID=9; wikiUserName=Eve; wiki_session=5f3a9c0e77d14b6f'
    })
    expect((await stranger.whoami()).text).toContain('identity-differs')
  })
})

/** Describes its modules as MediaWiki does: to Admin with the limits that administrators have. */
const describingWiki = (): Promise<StandIn> =>
  httpStandIn((seen, response) => {
    const { target, headers } = seen
    const params = new Map(new URL(target, 'http://localhost').searchParams)
    const text = description(params) ?? (asksWho(params) ? callerOf(seen) : echoed)
    const raised = headers.cookie?.includes('UserName=Admin')
      ? text.replace(/"limit":50\b/g, '"limit":500')
      : text
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(raised)
  })
const echoed = '{"batchcomplete":true,"query":{}}'

describe('descriptions of modules that were recorded without a name', () => {
  const of = (modules: string): string =>
    `?action=paraminfo&format=json&formatversion=2&modules=${encodeURIComponent(modules)}`
  const yesterday = (user: string): { headers: { cookie: string } } => ({
    headers: {
      cookie: `wikiUserID=3; wikiUserName=${user}; wiki_session=5f3a9c0e77d14b6f5f3a9c0e77d14b6f`
    }
  })

  it('are told to a user with the cookies of yesterday, with the limits of that user', async () => {
    const wiki = await describingWiki()
    const recording = await startProxy(`${wiki.origin}/w/api.php`)
    const anonymous = await ask(recording.api + of('edit'))
    await ask(recording.api + of('json'))
    await ask(recording.api + of('query+info'), yesterday('Admin'))
    const live = await ask(`${wiki.origin}/w/api.php${of('edit')}`, yesterday('Admin'))
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const here = await ask(replay.api + of('edit'), yesterday('Admin'))
    expect(here.text).toBe(live.text)
    expect(here.text).not.toBe(anonymous.text)
  })

  it('are told to one whose limits nothing shows where they name none, and else missed', async () => {
    const wiki = await describingWiki()
    const recording = await startProxy(`${wiki.origin}/w/api.php`)
    await ask(recording.api + of('edit'))
    const plain = await ask(recording.api + of('json'))
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect((await ask(replay.api + of('json'), yesterday('Admin'))).text).toBe(plain.text)
    const limited = await ask(replay.api + of('edit'), yesterday('Admin'))
    expect(limited.headers['x-cassette-status']).toBe('miss')
    expect(limited.text).toContain('as anonymous; this session is Admin')
  })
})

describe('while recording', () => {
  it.each([
    [
      'a token among other values',
      '?action=query&meta=userinfo&uiprop=preferencestoken&format=json',
      {}
    ],
    ['a token of a module that nobody knows', '?action=extras&format=json', {}],
    [
      'a session',
      '?action=query&list=allpages&format=json',
      { 'set-cookie': 'wiki_session=5f3a9c0e77d14b6f5f3a9c0e77d14b6f' }
    ]
  ])(
    '%s is never served from the disk, one caller after another or at once',
    async (_, query, headers) => {
      let given = 0
      const wiki = await fakeWiki(() => {
        given += 1
        const token = `${String(given).repeat(32).slice(0, 30)}ab+\\`
        return {
          headers,
          body: JSON.stringify(
            'set-cookie' in headers ? { query: {} } : { query: { sometoken: token } }
          )
        }
      })
      const recording = await startProxy(wiki.api)
      const replies = [
        await ask(recording.api + query),
        ...(await Promise.all([1, 2].map(() => ask(recording.api + query))))
      ]
      expect(given).toBe(3)
      if (!('set-cookie' in headers))
        expect(new Set(replies.map(({ text }) => text)).size).toBe(3)
    }
  )
})
