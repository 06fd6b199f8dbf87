/** Who is logged in on real wikis: by cookies that come back after a logout, and beside a write. Nothing stays changed. */
import { describe, expect, it } from 'vitest'
import {
  type LabVersion,
  labAccounts,
  labUrl,
  labVersions
} from '../../scripts/wiki/lab.ts'
import type { HttpReply } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { Client } from '../helpers/stateful-wiki.ts'

const { name, password } = labAccounts.bob
const who = { action: 'query', meta: 'userinfo', uiprop: 'groups' }
const watched = { action: 'query', list: 'watchlistraw' }
const status = (reply: HttpReply): string => String(reply.headers['x-cassette-status'])

/** Logs in, out, and asks with all cookies of before, and with some of them. */
async function comeBack(api: string): Promise<readonly HttpReply[]> {
  const client = new Client(api)
  const replies = [await client.get(who)]
  await client.login(name, password)
  const kept = new Map(client.cookies)
  replies.push(await client.get(who))
  await client.logout()
  replies.push(await client.get(who))
  for (const names of [
    /./,
    /(?:_session|UserID|UserName)$/,
    /User(?:ID|Name)$/,
    /(?:UserID|Token)$/,
    /(?:UserName|Token)$/
  ]) {
    client.restore(new Map([...kept].filter(([one]) => names.test(one))))
    replies.push(await client.get(who), await client.get(watched))
  }
  client.restore(kept)
  replies.push(
    await client.get({ action: 'query', meta: 'tokens', type: 'csrf' }),
    await client.get(who)
  )
  return replies
}

/** Less `debuginfo`, which goes wherever wikitape is, and the tokens. */
function told({ text }: HttpReply): unknown {
  const { debuginfo: _, ...answer } = JSON.parse(
    text.replace(/[0-9a-f]{32,}\+/g, 'TOKEN')
  ) as Record<string, unknown>
  return answer
}

async function measure(version: LabVersion): Promise<void> {
  const direct = (await comeBack(labUrl(version))).map(told)
  const recording = await startProxy(labUrl(version))
  expect((await comeBack(recording.api)).map(told)).toEqual(direct)
  await recording.close()
  expect(recording.reports).toEqual([])
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  for (let time = 0; time < 2; time += 1)
    expect((await comeBack(replay.api)).map(told)).toEqual(direct)
  expect(replay.rack.counts()).toMatchObject({ missed: 0 })
  const nobody = new Client(replay.api)
  expect((await nobody.get(who)).text).toContain('"anon":""')
  expect((await nobody.get(watched)).text).toContain('notloggedin')
  expect(
    status(await nobody.get({ action: 'query', meta: 'tokens', type: 'csrf' }))
  ).toBe('miss')
}

describe.each(labVersions)('MediaWiki %s', (version) => {
  it('takes a caller back whose cookies come back after a logout, and so does wikitape', async () => {
    await measure(version)
  })

  it('answers reads beside a write of their session, which are all recorded', async () => {
    const recording = await startProxy(labUrl(version))
    const client = new Client(recording.api)
    await client.login(name, password)
    const list = (from: string): Promise<HttpReply> =>
      client.get({ action: 'query', list: 'allpages', apfrom: from })
    // A page that is there would be touched, and the shipped cassettes are recorded from this wiki, too.
    const absent = 'Нет такой страницы'
    const replies = await Promise.all([
      client.post({ action: 'purge', titles: absent }),
      ...['A', 'B', 'Волга', 'Я'].map(list),
      client.read(absent)
    ])
    expect(replies.map(status)).toEqual(replies.map(() => 'recorded'))
    expect(recording.reports).toEqual([])
  })
})
