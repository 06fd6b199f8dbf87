/** Sessions that log in, write and read back: recorded once, replayed with the wiki switched off. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../../helpers/folders.ts'
import type { HttpReply } from '../../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../../helpers/proxies.ts'
import { scaled } from '../../../helpers/scale.ts'
import { loginEditRead, type Script } from '../../../helpers/session-script.ts'
import {
  Client,
  password,
  statefulWiki,
  withoutTokens
} from '../../../helpers/stateful-wiki.ts'

const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])
interface MissBody {
  readonly error: { readonly info: string }
  readonly cassette: {
    readonly reason: string
    readonly nearest: readonly { readonly differences: readonly object[] }[]
  }
}
const missOf = (reply: HttpReply): MissBody => JSON.parse(reply.text) as MissBody
const missReason = (reply: HttpReply): string => missOf(reply).cassette.reason

/** What a script got from a live wiki through `record`, and a replay of that cassette. */
async function recorded(
  script: Script
): Promise<{ live: readonly string[]; replay: RunningProxy }> {
  const wiki = await statefulWiki()
  const recording = await startProxy(wiki.api)
  const live = (await script(new Client(recording.api))).map(withoutTokens)
  await recording.close()
  await wiki.close()
  return { live, replay: await startProxy(undefined, { cassette: recording.cassette }) }
}

describe('a session that logs in, writes, reads back', () => {
  it('is replayed as recorded, as often as wanted', async () => {
    const { live, replay } = await recorded(loginEditRead)
    for (let time = 0; time < 3; time += 1) {
      const replies = await loginEditRead(new Client(replay.api))
      expect(replies.map(withoutTokens)).toEqual(live)
      expect(new Set(replies.map(status))).toEqual(new Set(['replayed']))
    }
  })

  it('knows again who has logged in, and that they have left, though a cookie still names them', async () => {
    const { live, replay } = await recorded(loginEditRead)
    const client = new Client(replay.api)
    const replies = await loginEditRead(client)
    expect(client.cookies.get('wikiUserName')).toBe('Bob')
    expect(replies.at(-1)?.text).toBe(live[0])
    expect(live[3]).toContain('Bob')
  })

  it('hands out cookies of its own, another session each time', async () => {
    const { replay } = await recorded(loginEditRead)
    const one = new Client(replay.api)
    const two = new Client(replay.api)
    await one.login('Bob', 'whatever')
    await one.login('Bob', 'whatever')
    await two.login('Bob', 'whatever')
    await two.login('Bob', 'whatever')
    const sessions = [one, two].map(({ cookies }) => cookies.get('wiki_session'))
    expect(new Set(sessions).size).toBe(2)
    for (const session of sessions) expect(session).toMatch(/^[0-9a-f]{32}$/)
    expect((await one.whoami()).text).toContain('Bob')
  })
})

describe('reads and writes', () => {
  const script: Script = async (client) => {
    const before = [await client.read('A'), await client.read('B')]
    const write = await client.edit('A', 'new')
    return [...before, write, await client.read('A'), await client.read('B')]
  }

  it('give the old state before a write and the new one after, in any order and any number', async () => {
    const { live, replay } = await recorded(script)
    const client = new Client(replay.api, { 'x-cassette-session': 'any' })
    const texts = async (...titles: readonly string[]): Promise<string[]> => {
      const replies: HttpReply[] = []
      for (const title of titles) replies.push(await client.read(title))
      return replies.map(({ text }) => text)
    }
    expect(await texts('B', 'A', 'A', 'B', 'A')).toEqual([
      live[1],
      live[0],
      live[0],
      live[1],
      live[0]
    ])
    await client.edit('A', 'new')
    expect(await texts('B', 'A', 'B', 'A', 'A')).toEqual([
      live[4],
      live[3],
      live[4],
      live[3],
      live[3]
    ])
  })

  it('keep one recording of what a write did not change', async () => {
    const { replay } = await recorded(script)
    const reads = interactionFiles(replay.cassette).filter((file) =>
      file.includes('revisions')
    )
    expect(reads).toHaveLength(3)
  })

  it('that race with writes nobody waits for are answered where they name other pages, and a list is missed in words', async () => {
    const list = { action: 'query', list: 'allpages' }
    const { live, replay } = await recorded(async (client) => {
      const pages = [await client.read('A'), await client.read('B')]
      await client.edit('X', 'one')
      return [...pages, await client.get(list), await client.edit('Y', 'two')]
    })
    const client = new Client(replay.api, { 'x-cassette-session': 'x' })
    const writes = ['X', 'Y'].map((title) =>
      client.edit(title, title === 'X' ? 'one' : 'two')
    )
    const reads = await Promise.all([client.read('B'), client.read('A')])
    await Promise.all(writes)
    expect(reads.map(({ text }) => text)).toEqual([live[1], live[0]])
    const after = await client.get(list)
    expect([status(after), missReason(after)]).toEqual(['miss', 'state-differs'])
    // If Y comes first, its edit is missed too, and X after it is another write than recorded.
    expect(after.text).toMatch(
      /It was recorded before the edit of [XY](?: and 1 more write)?, as anonymous; this session is anonymous, after (?:it|them) \(allpages may show every write\)/
    )
  })
})

describe('reads that are missed', () => {
  it('that are missed name the first write only, and a way that writes', async () => {
    const list = { action: 'query', list: 'allpages' }
    const titles = Array.from({ length: 12 }, (_, at) => `Page ${12 - at}`)
    const { replay } = await recorded(async (client) => {
      const first = await client.get(list)
      for (const title of titles) await client.edit(title, title)
      return [first]
    })
    const client = new Client(replay.api, { 'x-cassette-session': 'x' })
    for (const title of titles) await client.edit(title, title)
    const { error, cassette } = missOf(await client.get(list))
    expect(error.info).toMatch(
      /^list allpages: It was recorded before the edit of Page 12 and 11 more writes, as anonymous; this session is anonymous, after them \(allpages may show every write\)\. Nearest recording \w{12}\. To record it, run the client again through: wikitape record http/
    )
    expect(cassette.nearest[0]?.differences).toEqual([
      { param: 'after writes', got: 'the edit of Page 12 and 11 more writes' }
    ])
  })

  it('that were recorded after a write alone are missed before it', async () => {
    const { replay } = await recorded(async (client) => [
      await client.edit('A', 'new'),
      await client.read('A')
    ])
    const { error, cassette } = missOf(await new Client(replay.api).read('A'))
    expect(error.info).toContain(
      'It was recorded after the edit of A, as anonymous; this session is anonymous, before it.'
    )
    expect(cassette.nearest[0]?.differences).toEqual([
      { param: 'after writes', recorded: 'the edit of A' }
    ])
  })

  it('that were recorded after more writes than are named say how many', async () => {
    const { replay } = await recorded(async (client) => {
      for (let at = 0; at < 41; at += 1) await client.edit(`Page ${at}`, 'new')
      return [await client.get({ action: 'query', list: 'allpages' })]
    })
    const missed = await new Client(replay.api).get({ action: 'query', list: 'allpages' })
    expect(missOf(missed).error.info).toContain(
      'It was recorded after a set of 41 writes, as anonymous;'
    )
  })
})

describe('reads and writes that are not answered from another state', () => {
  it('that were not recorded after a write of the page are missed, not answered from before', async () => {
    const { replay } = await recorded(async (client) => [
      await client.read('A'),
      await client.read('B'),
      await client.edit('A', 'new')
    ])
    const client = new Client(replay.api, { 'x-cassette-session': 'x' })
    await client.edit('A', 'new')
    expect(status(await client.read('B'))).toBe('replayed')
    const stale = await client.read('A')
    expect([status(stale), missReason(stale)]).toEqual(['miss', 'state-differs'])
    expect(stale.text).toContain(
      'It was recorded before the edit of A, as anonymous; this session is anonymous, after it (A was written since).'
    )
  })

  it('that the wiki refused at once do not count: a bad token changes nothing', async () => {
    const { live, replay } = await recorded(async (client) => [
      await client.edit('A', 'x'),
      await client.post({ action: 'edit', title: 'A', text: 'y', token: 'bad' }),
      await client.read('A')
    ])
    const client = new Client(replay.api, { 'x-cassette-session': 'x' })
    await client.edit('A', 'x')
    expect((await client.read('A')).text).toBe(live[2])
  })

  it('of two at once may end in either order', async () => {
    const read = async (client: Client): Promise<readonly HttpReply[]> => [
      await client.read('A'),
      await client.read('B')
    ]
    const { live, replay } = await recorded(async (client) => {
      await client.login('Bob')
      const both = await Promise.all([client.edit('A', '1'), client.edit('B', '2')])
      return [...both, ...(await read(client))]
    })
    const client = new Client(replay.api)
    await client.login('Bob')
    await client.edit('B', '2')
    await client.edit('A', '1')
    expect((await read(client)).map(({ text }) => text)).toEqual(live.slice(2))
  })

  it('never reach the wiki where they are refused', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api, { refuseWrites: true })
    const client = new Client(recording.api)
    await client.login('Bob')
    const refused = await client.edit('A', 'x')
    expect([status(refused), missReason(refused)]).toEqual(['miss', 'write-refused'])
    expect(wiki.asked().filter((one) => one.includes('edit'))).toEqual([])
    expect(status(await client.read('A'))).toBe('recorded')
  })
})

describe('a token', () => {
  const script: Script = async (client) => [
    await client.login('Bob'),
    await client.edit('A', 'x'),
    await client.post({ action: 'edit', title: 'B', text: 'y', token: 'worn out' })
  ]

  it('from elsewhere is taken, one for something else is not', async () => {
    const { live, replay } = await recorded(script)
    const client = new Client(replay.api)
    const loginToken = await client.token('login')
    await client.login('Bob', 'any password at all')
    const edit = (token: string): Promise<HttpReply> =>
      client.post({ action: 'edit', title: 'A', text: 'x', token })
    for (const token of ['+\\', 'worn out', loginToken]) {
      const refused = await edit(token)
      expect(refused.text).toBe(live[2])
      expect(refused.headers['mediawiki-api-error']).toBe('badtoken')
      expect(status(refused)).toBe('synthesized')
    }
    expect((await edit(`${'5f3a9c0e77'.repeat(4)}+\\`)).text).toBe(live[1])
  })

  it('that is right is never called bad because only the wrong one was recorded', async () => {
    const { replay } = await recorded(script)
    const client = new Client(replay.api)
    await client.login('Bob')
    expect(status(await client.edit('B', 'y'))).toBe('miss')
  })

  it('that was bad at first is asked about again while recording, and replayed in that order', async () => {
    const retry: Script = async (client) => {
      await client.login('Bob')
      const send = (token: string): Promise<HttpReply> =>
        client.post({ action: 'edit', title: 'A', text: 'x', token })
      const worn = await send(`${'5f3a9c0e77'.repeat(4)}+\\`)
      return [worn, await send(await client.token('csrf')), await client.read('A')]
    }
    const { live, replay } = await recorded(retry)
    expect(live[1]).toContain('newrevid')
    for (let time = 0; time < 2; time += 1)
      expect((await retry(new Client(replay.api))).map(withoutTokens)).toEqual(live)
  })

  it('handed out while recording is the wiki’s own, also where the answer was recorded before', async () => {
    const wiki = await statefulWiki()
    const first = await startProxy(wiki.api)
    await new Client(first.api).login('Bob')
    await first.close()
    const second = await startProxy(wiki.api, { cassette: first.cassette })
    const client = new Client(second.api)
    await client.login('Bob')
    expect((await client.edit('A', 'x')).text).toContain('newrevid')
    expect(second.rack.counts()).toMatchObject({ recorded: 2, unchanged: 2, missed: 0 })
  })
})

describe('an answer that changed within one epoch', () => {
  it('is replayed after just as many of the old ones', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api, { mode: 'all' })
    const reader = new Client(recording.api)
    const writer = new Client(wiki.api)
    const live = [await reader.read('A'), await reader.read('A'), await reader.read('A')]
    await writer.edit('A', 'x')
    live.push(await reader.read('A'), await reader.read('A'))
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const { text } of live)
      expect((await new Client(replay.api).read('A')).text).toBe(text)
  })

  it('is kept apart for sessions that have names', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api, { mode: 'all' })
    const texts = new Map<string, string>()
    for (const name of ['one', 'two']) {
      const client = new Client(recording.api, { 'x-cassette-session': name })
      await client.login('Bob')
      texts.set(name, (await client.edit('A', 'same')).text)
    }
    expect(texts.get('two')).toContain('nochange')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const name of ['two', 'one']) {
      const client = new Client(`${replay.origin}/~@${name}/w/api.php`)
      await client.login('Bob')
      expect((await client.edit('A', 'same')).text).toBe(texts.get(name))
    }
  })

  it('is replayed in the recorded order to sessions without a name', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api, { mode: 'all' })
    const program = async (api: string): Promise<readonly string[]> => {
      const texts: string[] = []
      for (const user of ['Bob', 'Bob', 'Алиса']) {
        const client = new Client(api)
        await client.login(user)
        texts.push((await client.edit('A', 'same')).text)
      }
      return texts
    }
    const live = await program(recording.api)
    expect(live[1]).toContain('nochange')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(await program(replay.api)).toEqual(live)
  })
})

describe('callers with credentials', () => {
  const who = { action: 'query', meta: 'userinfo' }
  const bearer = (name: string): Record<string, string> => ({
    authorization: `Bearer ${name}-5f3a9c0e77d14b6f`
  })
  const signed = (nonce: string): Record<string, string> => ({
    authorization: `OAuth oauth_consumer_key="k", oauth_token="5f3a9c0e77d14b6f", oauth_nonce="${nonce}"`
  })

  it('are told apart: what one was answered is never given to another', async () => {
    const wiki = await fakeWiki((_, { headers }) =>
      JSON.stringify({ you: `${headers.authorization}`.slice(0, 10) })
    )
    const recording = await startProxy(wiki.api, { mode: 'all' })
    for (const name of ['one', 'two'])
      await new Client(recording.api, bearer(name)).get(who)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const reply = await new Client(replay.api, bearer('three')).get(who)
    expect([status(reply), missReason(reply)]).toEqual(['miss', 'conflict'])
    expect(status(await new Client(replay.api).get(who))).toBe('miss')
  })

  it('are one session as long as their token lasts, however each request is signed', async () => {
    const answers = ['first', 'second']
    const wiki = await fakeWiki(() => JSON.stringify({ answer: answers.shift() }))
    const recording = await startProxy(wiki.api, { mode: 'all' })
    for (const nonce of ['1', '2'])
      await new Client(recording.api, signed(nonce)).get(who)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const texts: string[] = []
    for (const nonce of ['3', '4', '5'])
      texts.push((await new Client(replay.api, signed(nonce)).get(who)).text)
    expect(texts).toEqual(
      ['first', 'second', 'second'].map((answer) => JSON.stringify({ answer }))
    )
  })
})

type Step =
  | { readonly kind: 'login'; readonly user: string; readonly password: string }
  | { readonly kind: 'logout' }
  | { readonly kind: 'whoami' }
  | { readonly kind: 'read'; readonly title: string }
  | { readonly kind: 'edit'; readonly title: string; readonly text: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('login' as const),
    user: fc.constantFrom('Bob', 'Алиса'),
    password: fc.constantFrom(password, password, 'wrong')
  }),
  fc.record({ kind: fc.constant('logout' as const) }),
  fc.record({ kind: fc.constant('whoami' as const) }),
  fc.record({
    kind: fc.constant('read' as const),
    title: fc.constantFrom('A', 'B', 'C')
  }),
  fc.record({
    kind: fc.constant('edit' as const),
    title: fc.constantFrom('A', 'B', 'C'),
    text: fc.constantFrom('1', '2')
  })
)

function run(client: Client, one: Step): Promise<HttpReply> {
  switch (one.kind) {
    case 'login':
      return client.login(one.user, one.password)
    case 'logout':
      return client.post({ action: 'logout' })
    case 'whoami':
      return client.whoami()
    case 'read':
      return client.read(one.title)
    case 'edit':
      return client.edit(one.title, one.text)
  }
}

/** Runs the sessions' steps in the order that `turns` gives, each session's own steps in their order. */
async function interleave(
  api: string,
  scripts: readonly (readonly Step[])[],
  turns: readonly number[]
): Promise<readonly (readonly string[])[]> {
  const clients = scripts.map(
    (_, at) => new Client(api, { 'x-cassette-session': `session ${at}` })
  )
  const told = scripts.map((): string[] => [])
  const one = async (at: number): Promise<void> => {
    const next = scripts[at]?.[told[at]?.length ?? 0]
    const client = clients[at]
    if (next !== undefined && client !== undefined)
      told[at]?.push(withoutTokens(await run(client, next)))
  }
  for (const turn of turns) await one(turn % scripts.length)
  for (const [at, script] of scripts.entries()) for (const _ of script) await one(at)
  return told
}

/** Runs all sessions at once, each with its own order of requests. */
const side = (
  api: string,
  scripts: readonly (readonly Step[])[]
): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    scripts.map(async (steps, at) => {
      const client = new Client(api, { 'x-cassette-session': `session ${at}` })
      const told: string[] = []
      for (const one of steps) told.push(withoutTokens(await run(client, one)))
      return told
    })
  )

describe('sessions side by side', () => {
  const turns = fc.array(fc.nat({ max: 2 }), { maxLength: 30 })

  it('replay as recorded, however they are interleaved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 10 }), {
          minLength: 2,
          maxLength: 3
        }),
        turns,
        turns,
        async (scripts, order, otherOrder) => {
          const wiki = await statefulWiki()
          const recording = await startProxy(wiki.api, { mode: 'all' })
          const live = await interleave(recording.api, scripts, order)
          await recording.close()
          await wiki.close()
          const replay = await startProxy(undefined, { cassette: recording.cassette })
          expect(await interleave(replay.api, scripts, otherOrder)).toEqual(live)
          expect(replay.rack.counts()).toMatchObject({ missed: 0, liveRequests: 0 })
          await replay.close()
        }
      ),
      { numRuns: scaled(5, 25) }
    )
  })

  it('are answered right in many requests of fifty at once', async () => {
    const sessions = 50
    const steps = scaled(3, 40)
    const random = fc.sample(fc.array(step, { minLength: steps, maxLength: steps }), {
      numRuns: sessions,
      seed: 7
    })
    // Each works on pages of its own, as tests do that run side by side.
    const scripts = random.map((steps, at) =>
      steps.map(
        (one): Step => ('title' in one ? { ...one, title: `${one.title}${at}` } : one)
      )
    )
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api, { mode: 'all' })
    const live = await side(recording.api, scripts)
    await recording.close()
    await wiki.close()
    const rounds: (readonly string[])[][] = []
    let answered = 0
    while (answered < scaled(100, 10_000)) {
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      rounds.push([...(await side(replay.api, scripts))])
      answered += replay.rack.counts().replayed
      expect(replay.rack.counts()).toMatchObject({ missed: 0, liveRequests: 0 })
      await replay.close()
    }
    for (const round of rounds) expect(round).toEqual(live)
  })
})
