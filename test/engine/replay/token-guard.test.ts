/** The token of a caller without an account, which is the same for everything. */
import { expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

it.each(['watch', 'rollback', 'patrol', 'userrights'])(
  'an anonymous %s is answered as it was recorded, not with a bad token',
  async (action) => {
    const told = '{"error":{"code":"notloggedin","info":"Please log in."}}'
    const wiki = await fakeWiki((params) =>
      params.get('action') === action
        ? { body: told, headers: { 'mediawiki-api-error': 'notloggedin' } }
        : '{}',
    )
    const recording = await startProxy(wiki.api)
    const sent = `action=${action}&format=json&titles=A&token=%2B%5C`
    expect((await post(recording.api, sent)).headers['x-cassette-status']).toBe('recorded')
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const reply = await post(replay.api, sent)
    expect([reply.headers['x-cassette-status'], reply.text]).toEqual(['replayed', told])
  },
)
