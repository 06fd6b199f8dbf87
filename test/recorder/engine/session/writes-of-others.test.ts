/** An answer that shows what another session wrote is given only once that was written in the replay, too. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import type { HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client, statefulWiki, withoutTokens } from '../../../helpers/stateful-wiki.ts'

type Step = (clients: Clients) => Promise<HttpReply>

interface Clients {
  readonly alice: Client
  readonly bob: Client
  readonly anyone: Client
}

const loginOf =
  (name: keyof Clients, user: string): Step =>
  (all) =>
    all[name].login(user)
const edit =
  (name: keyof Clients, text: string): Step =>
  (all) =>
    all[name].edit('X', text)
const read =
  (name: keyof Clients): Step =>
  (all) =>
    all[name].read('X')

const shown = ({ headers, text }: HttpReply): string =>
  headers['x-cassette-status'] === 'miss'
    ? 'miss'
    : (/"missing"|"\*":"[^"]*"|nochange|Success/.exec(text)?.[0] ?? text)

async function run(api: string, steps: readonly Step[]): Promise<readonly HttpReply[]> {
  const clients = {
    alice: new Client(api),
    bob: new Client(api),
    anyone: new Client(api)
  }
  const replies: HttpReply[] = []
  for (const one of steps) replies.push(await one(clients))
  return replies
}

async function recorded(steps: readonly Step[]): Promise<{
  readonly live: readonly HttpReply[]
  readonly replay: (again: readonly Step[]) => Promise<readonly HttpReply[]>
}> {
  const wiki = await statefulWiki()
  const recording = await startProxy(wiki.api)
  const live = await run(recording.api, steps)
  await recording.close()
  await wiki.close()
  const replay = async (again: readonly Step[]): Promise<readonly HttpReply[]> => {
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    return run(api, again)
  }
  return { live, replay }
}

const alice = loginOf('alice', 'Alice')
const bob = loginOf('bob', 'Bob')
const both = [alice, bob]

describe('what another session wrote', () => {
  const program = [alice, edit('alice', 'new'), read('anyone')]

  it('shows in the recorded order', async () => {
    const { live, replay } = await recorded(program)
    expect((await replay(program)).map(withoutTokens)).toEqual(live.map(withoutTokens))
  })

  it('does not show if it was not written, or to its writer before', async () => {
    const { replay } = await recorded(program)
    expect((await replay([alice, read('anyone')])).map(shown).at(-1)).toBe('miss')
    expect((await replay([read('anyone')])).map(shown)).toEqual(['miss'])
    expect((await replay([alice, read('alice')])).map(shown).at(-1)).toBe('miss')
  })

  it('is named in the miss, with who wrote it', async () => {
    const { replay } = await recorded(program)
    const [missed] = await replay([read('anyone')])
    expect(missed?.text).toContain(
      'It depends on the edit of X by Alice, which this run has not made'
    )
  })

  it('does not show in reads before it, however many there are', async () => {
    const { replay } = await recorded([read('anyone'), ...program])
    const again = [
      read('anyone'),
      read('anyone'),
      alice,
      read('anyone'),
      edit('alice', 'new')
    ]
    const replies = await replay([...again, read('anyone'), read('anyone')])
    expect(
      replies.map(shown).filter((one) => one !== 'Success' && !one.includes('login'))
    ).toEqual(['"missing"', '"missing"', '"missing"', '"*":"new"', '"*":"new"'])
  })

  it('does not show to a session that had begun before, nor to a second login of the writer', async () => {
    const steps = [...both, edit('alice', 'new'), read('bob')]
    const { live, replay } = await recorded(steps)
    expect((await replay(steps)).map(withoutTokens)).toEqual(live.map(withoutTokens))
    expect((await replay([...both, read('bob')])).map(shown).at(-1)).toBe('miss')
    const second = [alice, loginOf('bob', 'Alice'), edit('alice', 'new'), read('bob')]
    const { replay: ofSecond } = await recorded(second)
    const early = [alice, loginOf('bob', 'Alice'), read('bob')]
    expect((await ofSecond(early)).map(shown).at(-1)).toBe('miss')
  })

  it('does not show to a session that began after it, if it is of the very page', async () => {
    const { replay } = await recorded([alice, edit('alice', 'new'), bob, read('bob')])
    expect((await replay([bob, read('bob')])).map(shown).at(-1)).toBe('miss')
  })

  it('does not show after a write that was missed, as it may have ended otherwise', async () => {
    const [first, second] = [edit('alice', 'first'), edit('bob', 'second')]
    const { replay } = await recorded([...both, first, second, read('alice')])
    const exchanged = await replay([...both, second, first, read('alice')])
    expect(exchanged.map(shown).slice(2)).toEqual(['miss', expect.anything(), 'miss'])
  })

  it('does not show to a first login of its writer, whose second login was recorded after it', async () => {
    const again = loginOf('anyone', 'Bob')
    const steps = [...both, read('bob'), read('alice'), edit('bob', 'new'), read('bob')]
    const { replay } = await recorded([...steps, read('alice'), again, read('anyone')])
    const early = [alice, read('alice'), read('alice'), bob, read('bob')]
    expect((await replay(early)).map(shown).slice(1)).toEqual([
      '"missing"',
      '"missing"',
      expect.anything(),
      '"missing"'
    ])
  })

  it('is nothing to a client without cookies that begins, and asks for the site and itself', async () => {
    const begin: Step = (all) =>
      all.anyone.get({
        action: 'query',
        meta: 'siteinfo|userinfo',
        uiprop: 'groups|hasmsg'
      })
    const { live, replay } = await recorded([alice, edit('alice', 'new'), begin])
    expect((await replay([begin])).map(({ text }) => text)).toEqual([live.at(-1)?.text])
  })

  it('before a logout does not show without it', async () => {
    const logout: Step = (all) => all.alice.logout()
    const { replay } = await recorded([
      alice,
      edit('alice', 'new'),
      logout,
      read('alice')
    ])
    expect((await replay([alice, logout, read('alice')])).map(shown).at(-1)).toBe('miss')
    expect((await replay([read('alice')])).map(shown)).toEqual(['miss'])
  })

  it('tells the same requests of two sessions apart, so that they are no conflict', async () => {
    const steps = [
      ...both,
      read('alice'),
      edit('anyone', 'x'),
      read('alice'),
      read('bob')
    ]
    const anonymous: Step = (all) => all.anyone.edit('X', 'x', '+\\')
    const all = steps.with(3, anonymous)
    const { live, replay } = await recorded(all)
    expect((await replay(all)).map(withoutTokens)).toEqual(live.map(withoutTokens))
    const other = [...both, read('bob'), anonymous, read('alice')]
    expect((await replay(other)).map(shown)).not.toContain('"missing"}')
  })

  it('changes what an edit is answered', async () => {
    const steps = [...both, edit('alice', 'same'), edit('bob', 'same')]
    const { live, replay } = await recorded(steps)
    expect((await replay(steps)).map(withoutTokens)).toEqual(live.map(withoutTokens))
    expect((await replay([...both, edit('bob', 'same')])).map(shown).at(-1)).toBe('miss')
  })
})

describe('an account that two sessions of one user create', () => {
  it('is made by the first, and refused to the second, in the recorded order', async () => {
    const users = new Set<string>()
    const wiki = await fakeWiki((params) => {
      const name = params.get('username') ?? ''
      const status = users.has(name) ? 'FAIL' : 'PASS'
      users.add(name)
      return JSON.stringify({ createaccount: { status, username: name } })
    })
    const create: Step = (all) =>
      all.anyone.post({
        action: 'createaccount',
        username: 'Eve',
        password: 'x',
        createtoken: '+\\'
      })
    const by = (api: string, name: string): Clients => {
      const client = new Client(api, { cookie: `wiki_session=${name.repeat(32)}` })
      return { alice: client, bob: client, anyone: client }
    }
    const recording = await startProxy(wiki.api)
    const live = [
      await create(by(recording.api, '1')),
      await create(by(recording.api, '2'))
    ]
    await recording.close()
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    const replies = [await create(by(api, '3')), await create(by(api, '4'))]
    expect(replies.map(({ text }) => text)).toEqual(live.map(({ text }) => text))
  })
})

describe('two writes of others', () => {
  const pages: Record<string, string> = {}
  const page =
    (title: string): Step =>
    (all) =>
      all.alice.edit(title, title, '+\\')
  const expanded: Step = (all) =>
    all.anyone.get({ action: 'expandtemplates', text: '{{x}}' })

  /** It expands to B, if there is B, unless there is A. */
  async function choosingWiki(): Promise<string> {
    for (const title of Object.keys(pages)) delete pages[title]
    const wiki = await fakeWiki((params) => {
      const title = params.get('title')
      if (title !== undefined) {
        pages[title] = 'x'
        return JSON.stringify({ edit: { result: 'Success', title, new: '' } })
      }
      const wikitext = 'A' in pages || !('B' in pages) ? '' : 'B'
      return JSON.stringify({ expandtemplates: { wikitext }, at: 'C' in pages })
    })
    return wiki.api
  }

  it('are not proven one by one: after the second alone, another answer may come', async () => {
    const recording = await startProxy(await choosingWiki())
    const program = [
      expanded,
      page('A'),
      expanded,
      page('B'),
      expanded,
      page('C'),
      expanded
    ]
    const named = (api: string): Clients => ({
      alice: new Client(api, { 'x-cassette-session': 'alice' }),
      bob: new Client(api),
      anyone: new Client(api)
    })
    const play = async (
      api: string,
      steps: readonly Step[]
    ): Promise<readonly string[]> => {
      const clients = named(api)
      const texts: string[] = []
      for (const one of steps) texts.push((await one(clients)).text)
      return texts
    }
    const live = await play(recording.api, program)
    await recording.close()
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    expect(await play(api, program)).toEqual(live)
    const other = await startProxy(undefined, { cassette: recording.cassette })
    const [, alone] = await play(other.api, [page('B'), expanded])
    expect(alone).toContain('cassette-miss')
  })

  it('count if they were made before the session, where another answer was recorded before them', async () => {
    const inSession = (api: string, id: string): Clients => {
      const client = new Client(api, { cookie: `wiki_session=${id.repeat(32)}` })
      return { alice: client, bob: client, anyone: client }
    }
    const begins: Step = (all) =>
      all.anyone.get({ action: 'expandtemplates', text: 'other' })
    const play = async (api: string, left: string[]): Promise<readonly string[]> => {
      const [first, other, late] = ['1', '2', '3'].map((id) => inSession(api, id))
      const texts: string[] = []
      for (const [clients, step, name] of [
        [first, expanded, 'before'],
        [first, page('B'), 'B'],
        [late, begins, 'late'],
        [other, page('C'), 'C'],
        [late, expanded, 'after']
      ] as const)
        if (clients && !left.includes(name)) texts.push((await step(clients)).text)
      return texts
    }
    const recording = await startProxy(await choosingWiki())
    const live = await play(recording.api, [])
    await recording.close()
    expect(live[0]).not.toBe(live.at(-1))
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    expect(await play(api, [])).toEqual(live)
    for (const left of [['C'], ['before', 'B']]) {
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      const [last = ''] = (await play(replay.api, left)).slice(-1)
      expect([left, last]).toEqual([left, expect.stringContaining('cassette-miss')])
    }
  })
})
