/** Logins of every kind, tokens of every kind, writes and what is read after them: wiki, record and replay say the same. */
import { afterAll, expect, it } from 'vitest'
import { labAccounts } from '../../scripts/wiki/lab.ts'
import { withoutDebuginfo } from '../helpers/debug-cut.ts'
import type { HttpReply } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { Client, withoutTokens } from '../helpers/stateful-wiki.ts'
import { clientsWiki } from './lab.ts'

const wiki = clientsWiki('1.39')
afterAll(() => wiki.stop())

const { bob, alice, bot } = labAccounts
const title = 'Черновик записи'
const asked = { action: 'edit', title, text: 'раз' }

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

/** Those that live seconds are neither kept nor sent on replay. */
const isOfSession = (name: string): boolean =>
  !/^(?:UseDC|UseCDNCache|cpPosIndex)$/.test(name)

/** An answer and the cookies that came with it, less what two runs never share. */
const told = (reply: HttpReply): string =>
  [
    withoutDebuginfo(withoutTokens(reply)).replace(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g,
      'TIME'
    ),
    ...(reply.headers['set-cookie'] ?? [])
      .map((one) => one.replace(/=.*/, ''))
      .filter(isOfSession),
    reply.headers['mediawiki-api-error'] ?? 'fine'
  ].join('\n')

type Script = (client: () => Client) => Promise<readonly HttpReply[]>

const plainLogin: Script = async (newClient) => {
  const client = newClient()
  const wrong = await client.login(bob.name, 'wrong password')
  const right = await client.login(bob.name, bob.password)
  const before = [await client.whoami(), await client.read(title)]
  const refused = [
    await client.post({ ...asked, token: '+\\' }),
    await client.post({ ...asked, token: await client.token('watch') }),
    await client.post({ ...asked, token: 'no token', formatversion: '2' }),
    await client.post(asked)
  ]
  const written = [
    await client.edit(title, 'раз'),
    await client.read(title),
    await client.edit(title, 'раз')
  ]
  const watched = [
    await client.post({
      action: 'watch',
      titles: title,
      token: await client.token('watch')
    }),
    await client.get({ action: 'query', list: 'watchlistraw' })
  ]
  const more = [
    await client.edit(title, 'два'),
    await client.read(title),
    await client.read('Волга')
  ]
  const moved = [
    await client.post({
      action: 'move',
      from: title,
      to: `${title} 2`,
      token: await client.token('csrf')
    }),
    await client.read(title),
    await client.read(`${title} 2`),
    await client.post({ action: 'purge', titles: `${title} 2` })
  ]
  const out = [
    await client.post({ action: 'logout', token: await client.token('csrf') }),
    await client.whoami(),
    await client.get({ action: 'query', meta: 'userinfo', assert: 'user' })
  ]
  return [
    wrong,
    right,
    ...before,
    ...refused,
    ...written,
    ...watched,
    ...more,
    ...moved,
    ...out
  ]
}

const otherLogins: Script = async (newClient) => {
  const robot = newClient()
  const person = newClient()
  const nobody = newClient()
  const byBotPassword = await robot.login(bot.bot?.name ?? '', bot.bot?.password)
  const byClientLogin = await person.post({
    action: 'clientlogin',
    username: alice.name,
    password: alice.password,
    loginreturnurl: 'http://127.0.0.1/',
    logintoken: await person.token('login')
  })
  const admin = newClient()
  await admin.login(labAccounts.admin.name, labAccounts.admin.password)
  const uploaded = [
    await admin.upload('Черновик.png', onePixel),
    await admin.get({
      action: 'query',
      prop: 'imageinfo',
      iiprop: 'size|sha1',
      titles: 'File:Черновик.png'
    }),
    await admin.post({
      action: 'delete',
      title: 'File:Черновик.png',
      token: await admin.token('csrf')
    }),
    await admin.get({
      action: 'query',
      prop: 'imageinfo',
      iiprop: 'size|sha1',
      titles: 'File:Черновик.png'
    })
  ]
  const everybody = [await robot.whoami(), await nobody.whoami(), await person.whoami()]
  const edits = [
    await robot.edit(`${title} бота`, 'a'),
    await nobody.post({
      action: 'edit',
      title: `${title} ничей`,
      text: 'b',
      token: '+\\'
    }),
    await person.edit(`${title} Алисы`, 'c')
  ]
  const reads = [
    await person.read(`${title} Алисы`),
    await robot.read(`${title} бота`),
    await nobody.read(`${title} ничей`)
  ]
  return [byBotPassword, byClientLogin, ...uploaded, ...everybody, ...edits, ...reads]
}

const run = async (script: Script, api: string): Promise<readonly string[]> =>
  (await script(() => new Client(api))).map(told)

it.each([
  ['login, edit, watch, move, logout', plainLogin],
  ['bot password, clientlogin, upload, anonymous', otherLogins]
])(
  '%s',
  async (_, script) => {
    await wiki.fresh()
    const direct = await run(script, wiki.apiUrl)
    await wiki.fresh()
    const recording = await startProxy(wiki.apiUrl)
    expect(await run(script, recording.api)).toEqual(direct)
    await recording.close()
    for (let time = 0; time < 2; time += 1) {
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      expect(await run(script, replay.api)).toEqual(direct)
      expect(replay.rack.counts()).toMatchObject({
        missed: 0,
        liveRequests: 0,
        unused: 0
      })
    }
  },
  180_000
)

it('a token of the wrong kind is refused on replay in the wiki’s own words, though nobody recorded that', async () => {
  await wiki.fresh()
  const sent = async (
    client: Client
  ): Promise<readonly Readonly<Record<string, string>>[]> => {
    const patrol = await client.token('patrol')
    const csrf = await client.token('csrf')
    return [
      { ...asked, token: '+\\' },
      { ...asked, token: patrol },
      { ...asked, token: 'worn out' },
      { ...asked, token: patrol, formatversion: '2' },
      { action: 'patrol', revid: '1', token: csrf }
    ]
  }
  const direct = new Client(wiki.apiUrl)
  await direct.login(bob.name, bob.password)
  const words: string[] = []
  for (const one of await sent(direct))
    words.push(withoutDebuginfo((await direct.post(one)).text))
  const recording = await startProxy(wiki.apiUrl)
  const client = new Client(recording.api)
  await client.login(bob.name, bob.password)
  await sent(client)
  await client.edit(title, 'раз')
  for (const formatversion of ['2', '1'])
    await client.post({ ...asked, token: await client.token('csrf'), formatversion })
  await client.post({ action: 'patrol', revid: '1', token: await client.token('patrol') })
  await client.get({ action: 'parse', page: 'Нет такой страницы' })
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const offline = new Client(replay.api)
  await offline.login(bob.name, 'anything')
  for (const [at, one] of (await sent(offline)).entries()) {
    const reply = await offline.post(one)
    expect([reply.headers['x-cassette-status'], reply.text]).toEqual([
      'synthesized',
      words[at]
    ])
  }
})

it('what the wiki hands out to one client is never served to another while recording', async () => {
  await wiki.fresh()
  const recording = await startProxy(wiki.apiUrl)
  const tokens: string[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const client = new Client(recording.api)
    const login = await client.login(bob.name, bob.password)
    expect(login.headers['x-cassette-status']).toBe('recorded')
    const token = await client.token('csrf')
    const checked = await client.get({ action: 'checktoken', type: 'csrf', token })
    expect(checked.text).toContain('"result":"valid"')
    tokens.push(token)
  }
  expect(new Set(tokens).size).toBe(3)
})

it.each(['1', '2'])(
  'purge and watch in another order are the wiki’s own answers: formatversion=%s',
  async (formatversion) => {
    await wiki.fresh()
    const orders = [
      'Волга|Нет такой|Лев|Абрикос|И такой нет',
      'И такой нет|Абрикос|Лев|Волга|Нет такой'
    ]
    const sent = async (client: Client, titles: string): Promise<readonly string[]> => {
      await client.login(bob.name, bob.password)
      const token = await client.token('watch')
      const replies = [
        await client.post({ action: 'purge', titles, formatversion }),
        await client.post({ action: 'watch', titles, token, formatversion })
      ]
      return replies.map(({ text }) => withoutDebuginfo(text))
    }
    const [recorded = '', asked = ''] = orders
    const direct = await sent(new Client(wiki.apiUrl), asked)
    const recording = await startProxy(wiki.apiUrl)
    await sent(new Client(recording.api), recorded)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const [purged, watched] = await sent(new Client(replay.api), asked)
    expect(purged).toBe(direct[0])
    // `watch` does not say which pages are missing, so that it may be refused.
    if (watched?.includes('cassette-miss')) expect(watched).toContain('order')
    else expect(watched).toBe(direct[1])
  },
  120_000
)
