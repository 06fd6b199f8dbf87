/** What stands before or behind the JSON of an answer. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'

const query = '?action=query&format=json&list=allpages&apfrom=A'
const json = '{"query":{"allpages":[{"pageid":1,"ns":0,"title":"A"}]}}'
const notice = 'Notice: Undefined index: x in /w/LocalSettings.php on line 5'

describe('the API’s JSON', () => {
  it.each([
    ['a byte order mark before it', `\ufeff${json}`],
    ['a byte order mark behind it', `${json}\ufeff`],
    ['marks and blank space on both sides', `\n\ufeff \ufeff${json}\r\n\ufeff\n`]
  ])('with %s is recorded, and replayed as it was sent', async (_, body) => {
    const proxy = await startProxy((await fakeWiki(() => body)).api)
    expect((await ask(proxy.api + query)).headers['x-cassette-status']).toBe('recorded')
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const reply = await ask(replay.api + query)
    expect([reply.headers['x-cassette-status'], reply.text]).toEqual(['replayed', body])
  })
})

describe('what PHP prints', () => {
  it.each([
    ['before the JSON', `${notice}\n${json}`],
    [
      'before the JSON, as HTML',
      `<br />\n<b>Notice</b>: Undefined index: x in <b>/w/LocalSettings.php</b> on line <b>5</b><br />\n${json}`
    ],
    ['behind the JSON', `${json}\n${notice}`]
  ])('%s is quoted where it is passed on', async (_, body) => {
    const proxy = await startProxy((await fakeWiki(() => body)).api)
    const reply = await ask(proxy.api + query)
    expect([reply.headers['x-cassette-status'], reply.text]).toEqual([
      'passthrough',
      body
    ])
    expect(proxy.reports.join('\n')).toMatch(
      /: "Notice ?: Undefined index: x in \/w\/LocalSettings\.php/
    )
  })

  it('is not quoted where the answer holds a secret', async () => {
    const proxy = await startProxy(
      (
        await fakeWiki((params) =>
          params.get('action') === 'login' ? '{}' : `Notice: hunter2-secret ${json}`
        )
      ).api
    )
    await ask(
      `${proxy.api}?action=login&format=json&lgname=Bob&lgpassword=hunter2-secret`
    )
    await ask(proxy.api + query)
    expect(proxy.reports.join('\n')).not.toContain('hunter2-secret')
  })

  it('is quoted where only a header that nobody quotes holds a secret', async () => {
    const wiki = await fakeWiki((params, _, response) => {
      response.setHeader('x-client-ip', '203.0.113.77')
      return params.has('titles') ? `${notice}${json}` : '{}'
    })
    const proxy = await startProxy(wiki.api)
    await ask(`${proxy.api}${query}&titles=A`, {
      headers: { 'x-forwarded-for': '203.0.113.77' }
    })
    expect(proxy.reports.join('\n')).toContain('Undefined index')
  })
})
