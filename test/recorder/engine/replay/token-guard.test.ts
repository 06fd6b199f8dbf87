/** The token of a caller without an account, which is the same for everything. */
import { expect, it } from 'vitest'
import { description } from '../../../helpers/fake-wiki.ts'
import { post } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { httpStandIn } from '../../../helpers/upstreams.ts'

/** What MediaWiki says of a module that wants a token of its own kind. */
const described = (action: string): string =>
  JSON.stringify({
    name: action,
    path: action,
    group: 'action',
    prefix: '',
    writerights: true,
    mustbeposted: true,
    parameters: [
      { index: 1, name: 'titles', type: 'string', multi: true },
      { index: 2, name: 'token', type: 'string', required: true, tokentype: action }
    ]
  })

/** A wiki that describes the action, and refuses it to who is not logged in. */
async function refusingWiki(action: string, told: string): Promise<string> {
  const { origin } = await httpStandIn(({ target, body }, response) => {
    response.setHeader('content-type', 'application/json')
    if (body.toString().includes(`action=${action}`)) {
      response.setHeader('mediawiki-api-error', 'notloggedin')
      return void response.end(told)
    }
    const params = new URL(target, 'http://wiki.test').searchParams
    const text = description(new Map(params)) ?? '{}'
    response.end(text.replace('"modules":[', `"modules":[${described(action)},`))
  })
  return `${origin}/w/api.php`
}

it.each(['watch', 'rollback', 'patrol', 'userrights'])(
  'an anonymous %s is answered as it was recorded, not with a bad token',
  async (action) => {
    const told = '{"error":{"code":"notloggedin","info":"Please log in."}}'
    const recording = await startProxy(await refusingWiki(action, told))
    const sent = `action=${action}&format=json&titles=A&token=%2B%5C`
    expect((await post(recording.api, sent)).headers['x-cassette-status']).toBe(
      'recorded'
    )
    await recording.close()

    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const reply = await post(replay.api, sent)
    expect([reply.headers['x-cassette-status'], reply.text]).toEqual(['replayed', told])
  }
)
