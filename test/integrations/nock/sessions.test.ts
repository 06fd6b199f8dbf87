/** Logins and writes inside one process: recorded from a wiki that remembers, replayed without it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { allTextIn, filesIn, temporaryFolder } from '../../helpers/folders.ts'
import type { HttpReply } from '../../helpers/http-client.ts'
import {
  Client,
  password,
  statefulWiki,
  withoutTokens
} from '../../helpers/stateful-wiki.ts'
import { inserted } from './inserted.ts'

const bytes = Buffer.from(Array.from({ length: 2048 }, (_, at) => (at * 131) % 256))

const script = async (client: Client): Promise<readonly HttpReply[]> => [
  await client.whoami(),
  await client.login('Bob'),
  await client.whoami(),
  await client.read('Волга'),
  await client.edit('Волга', 'one'),
  await client.read('Волга'),
  await client.edit('Волга', 'two'),
  await client.read('Волга')
]

it('a session that logs in, writes and reads back is replayed as recorded, by many clients at once', async () => {
  const wiki = await statefulWiki()
  const root = temporaryFolder()
  const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
  const live = (await script(new Client(wiki.api))).map(withoutTokens)
  await recording.close()
  await wiki.close()
  const replaying = inserted('mine', { root })
  const all = await Promise.all(
    Array.from({ length: 8 }, () => script(new Client(wiki.api)))
  )
  for (const replies of all) expect(replies.map(withoutTokens)).toEqual(live)
  const { counts, unused } = await replaying.close()
  expect([counts.missed, counts.liveRequests, unused]).toEqual([0, 0, []])
})

it('no password and no token reaches the disk', async () => {
  const wiki = await statefulWiki()
  const root = temporaryFolder()
  const recording = inserted('mine', { root, apiUrl: wiki.api, mode: 'once' })
  const client = new Client(wiki.api)
  await script(client)
  const token = await client.token('csrf')
  await client.upload('Волга.png', bytes)
  const session = client.cookies.get('wiki_session') ?? 'none'
  await recording.close()
  expect(filesIn(recording.folder).size).toBeGreaterThan(5)
  const written = allTextIn(recording.folder)
  for (const secret of [password, token.slice(0, 40), session]) {
    expect(secret.length).toBeGreaterThan(10)
    expect(written).not.toContain(secret)
  }
  expect(readFileSync(path.join(recording.folder, 'cassette.json'), 'utf8')).toContain(
    wiki.api
  )
})
