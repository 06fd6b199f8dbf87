/** What a client waits for before its first answer comes: wikitape's own requests go side by side. */
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { description } from '../../helpers/fake-wiki.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { httpStandIn } from '../../helpers/upstreams.ts'

const request = '?action=query&list=allpages&format=json'

interface Waiting {
  readonly response: ServerResponse
  readonly text: string
}

/** A slow wiki: it answers what wikitape itself asks only once two such requests are there, and one alone after two seconds. */
async function slowWiki() {
  const rounds: number[] = []
  let waiting: Waiting[] = []
  const answerAll = (): void => {
    if (waiting.length > 0) rounds.push(waiting.length)
    for (const { response, text } of waiting) response.end(text)
    waiting = []
  }
  const wiki = await httpStandIn(({ target }, response) => {
    response.setHeader('content-type', 'application/json')
    const params = new URLSearchParams(target.slice(target.indexOf('?') + 1))
    const text = description(params as unknown as ReadonlyMap<string, string>)
    if (text === undefined) return void response.end('{"query":{"allpages":[]}}')
    waiting.push({ response, text: typeof text === 'string' ? text : '{}' })
    if (waiting.length === 2) answerAll()
    else setTimeout(answerAll, 2000)
  })
  return { api: `${wiki.origin}/w/api.php`, rounds }
}

it('the first request waits once for siteinfo and the descriptions of modules', async () => {
  const { api, rounds } = await slowWiki()
  const proxy = await startProxy(api)
  expect((await ask(proxy.api + request)).headers['x-cassette-status']).toBe('recorded')
  expect(rounds).toEqual([2])
})
