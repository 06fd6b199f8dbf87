/** What a client waits for before an answer comes: wikitape's own requests go side by side. */
import { expect, it } from 'vitest'
import { callerOf, description } from '../../../helpers/fake-wiki.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client } from '../../../helpers/stateful-wiki.ts'
import { httpStandIn, type Seen } from '../../../helpers/upstreams.ts'

type Fields = Readonly<Record<string, string>>

/** Many clients give up after ten seconds; on a wiki that takes four for each answer, two of them may pass. */
const mostRounds = 2

/** A slow wiki: it answers once no more requests come, all that wait at once, and counts how often it has done so. */
async function slowWiki(answer: string, isMiser = false) {
  let rounds = 0
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  const answerAll = (): void => {
    rounds += 1
    for (const reply of waiting) reply()
    waiting = []
  }
  const { origin } = await httpStandIn((seen, response) => {
    waiting.push(() => {
      response.setHeader('content-type', 'application/json')
      response.end(answerOf(seen, answer, isMiser))
    })
    clearTimeout(timer)
    timer = setTimeout(answerAll, 400)
  })
  return { api: `${origin}/w/api.php`, rounds: () => rounds }
}

function answerOf(seen: Seen, answer: string, isMiser: boolean): string {
  const params = new Map(new URLSearchParams(seen.target.split('?')[1] ?? ''))
  if (params.get('meta') === 'userinfo') return callerOf(seen)
  const described = description(params)?.replace(
    '"general":{',
    `"general":{"misermode":${isMiser},`
  )
  if (params.get('meta') === 'siteinfo|userinfo')
    return (
      described?.replace(
        '"query":{',
        '"query":{"userinfo":{"id":0,"name":"127.0.0.1"},'
      ) ?? ''
    )
  return described ?? answer
}

const read = { action: 'query', list: 'recentchanges' }
const pages = '{"query":{"recentchanges":[{"title":"A","user":"Bob"}]}}'
const addresses = '{"query":{"recentchanges":[{"title":"A","user":"192.0.2.7"}]}}'
const cookie = 'wikiUserName=Bob; wikiUserID=3; wiki_session=5f3a9c0e77d14b6f'

it.each([
  ['an anonymous request', pages, false, {}],
  ['an anonymous request whose answer names addresses', addresses, false, {}],
  ['a request to a wiki in miser mode', pages, true, {}],
  ['a request with the cookies of another day', pages, false, { cookie }]
] as const)(
  '%s waits for the wiki twice',
  async (_, answer, isMiser, headers: Fields) => {
    const wiki = await slowWiki(answer, isMiser)
    const proxy = await startProxy(wiki.api)
    const { status } = await new Client(proxy.api, headers).get(read)
    expect(status).toBe(200)
    expect(wiki.rounds()).toBeLessThanOrEqual(mostRounds)
  }
)
