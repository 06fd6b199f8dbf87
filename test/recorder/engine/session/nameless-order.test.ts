/** Sessions without a name that got different answers to one request get them again in the recorded order, and in no other. */
import { describe, expect, it } from 'vitest'
import type { HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client, statefulWiki, withoutTokens } from '../../../helpers/stateful-wiki.ts'

const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])
type Program = (api: string) => Promise<readonly HttpReply[]>

/** One user by two ways, each with its logout. */
const byTwoWays: Program = async (api) => {
  const one = new Client(api)
  const other = new Client(api)
  const replies = [await one.clientLogin('Bob'), await one.whoami(), await one.logout()]
  replies.push(
    await other.login('Bob'),
    await other.whoami(),
    await other.logout(),
    await other.whoami()
  )
  return replies
}

const wrongAndRight: Program = async (api) => {
  const replies = [await new Client(api).login('Bob', 'wrong')]
  const right = new Client(api)
  replies.push(
    await right.login('Bob'),
    await right.whoami(),
    await right.edit('A', 'text')
  )
  replies.push(await new Client(api).login('Bob', 'also wrong'))
  return replies
}

/** One session tries a wrong password first; another has the right one. */
const wrongFirst: Program = async (api) => {
  const one = new Client(api)
  const replies = [await one.login('Bob', 'wrong'), await one.login('Bob')]
  const other = new Client(api)
  replies.push(await one.whoami(), await other.login('Bob'), await other.whoami())
  return replies
}

/** Two sessions of one user make the same edit: the second changes nothing. */
const sameEdit: Program = async (api) => {
  const one = new Client(api)
  const other = new Client(api)
  await one.login('Bob')
  await other.login('Bob')
  const replies = [await one.edit('A', 'same'), await one.read('A')]
  replies.push(await other.edit('A', 'same'), await other.read('A'))
  return replies
}

async function recorded(
  program: Program
): Promise<{ cassette: string; live: readonly string[] }> {
  const wiki = await statefulWiki()
  const recording = await startProxy(wiki.api)
  const live = (await program(recording.api)).map(withoutTokens)
  await recording.close()
  return { cassette: recording.cassette, live }
}

describe('offline, sessions without a name', () => {
  it.each([
    ['log in by two ways', byTwoWays],
    ['log in with a wrong and with a right password', wrongAndRight],
    ['log in with a wrong password first', wrongFirst],
    ['make the same edit', sameEdit]
  ])(
    'that %s get the recorded answers in the recorded order, time after time',
    async (_, program) => {
      const { cassette, live } = await recorded(program)
      for (let time = 0; time < 2; time += 1) {
        const { api } = await startProxy(undefined, { cassette })
        const replies = await program(api)
        expect(replies.map(withoutTokens)).toEqual(live)
        expect(replies.map(status)).toEqual(live.map(() => 'replayed'))
      }
    }
  )

  it('with a wrong and a right password, in another order, get no success of the other', async () => {
    const { cassette } = await recorded(wrongAndRight)
    const { api } = await startProxy(undefined, { cassette })
    const one = new Client(api)
    const other = new Client(api)
    const tokens = [await one.token('login'), await other.token('login')]
    const login = (client: Client, lgtoken = ''): Promise<HttpReply> =>
      client.post({ action: 'login', lgname: 'Bob', lgpassword: 'x', lgtoken })
    const replies = [await login(other, tokens[1]), await login(one, tokens[0])]
    expect(replies.map(status)).toContain('miss')
    for (const reply of replies) expect(reply.text).not.toContain('Success')
  })

  it('that leave out the wrong password get its answer first, as within one session', async () => {
    const { cassette, live } = await recorded(async (api) => [
      await new Client(api).login('Bob', 'wrong'),
      await new Client(api).login('Bob')
    ])
    const { api } = await startProxy(undefined, { cassette })
    expect((await new Client(api).login('Bob')).text).toBe(live[0])
  })

  it('run twice against one server', async () => {
    const { cassette, live } = await recorded(byTwoWays)
    const { api } = await startProxy(undefined, { cassette })
    for (let time = 0; time < 2; time += 1)
      expect((await byTwoWays(api)).map(withoutTokens)).toEqual(live)
  })
})
