/** Many clients at once: one question to the wiki for each request, one file, no client forgotten. */
import { Agent } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../helpers/folders.ts'
import { ask, askAndLeave } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { scaled } from '../../helpers/scale.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'
const together = <T>(count: number, one: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)))

describe('the same request from many clients at once', () => {
  it('is asked of the wiki once and recorded once: 64 clients, many requests', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const count = scaled(6, 100)
    const queries = Array.from(
      { length: count },
      (_, at) => `?action=query&format=json&list=allpages&apfrom=P${at}`
    )
    const bodies = await together(64, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 4 })
      const replies = await Promise.all(
        queries.map((query) => ask(proxy.api + query, { agent }))
      )
      agent.destroy()
      return replies.map(({ text }) => text)
    })
    expect(new Set(bodies.map((all) => all.join('\n'))).size).toBe(1)
    expect([...wiki.asked()].sort()).toEqual(
      queries.map((query) => query.slice(1)).sort()
    )
    expect(interactionFiles(proxy.cassette).length).toBe(count)
    expect(proxy.rack.counts()).toMatchObject({ recorded: count, replayed: 63 * count })
  })

  it('is one request however its parameters are ordered and sent', async () => {
    const wiki = await fakeWiki(() => '{"query":{"allpages":[]}}')
    const proxy = await startProxy(wiki.api)
    const spellings = [
      'action=query&format=json&list=allpages&apfrom=A',
      'apfrom=A&list=allpages&format=json&action=query',
      'format=json&action=query&list=allpages&apfrom=A&maxlag=5'
    ]
    await together(30, (at) =>
      at % 2 === 0
        ? ask(`${proxy.api}?${spellings[at % 3]}`)
        : ask(proxy.api, {
            method: 'POST',
            body: spellings[at % 3] ?? '',
            headers: { 'content-type': 'application/x-www-form-urlencoded' }
          })
    )
    expect(wiki.asked().length).toBe(1)
  })

  it('asks what the modules are like once, too', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    await together(20, (at) =>
      ask(`${proxy.api}?action=query&format=json&list=allpages&apfrom=P${at}`)
    )
    expect(wiki.seen.length - wiki.asked().length).toBe(2)
  })
})

describe('the same request while it must be asked again', () => {
  it('goes to the wiki one after the other while answers must not be recorded, and is recorded when one may', async () => {
    const answers: FakeAnswer[] = Array.from({ length: 5 }, () => ({
      status: 503,
      body: 'busy'
    }))
    let atOnce = 0
    let most = 0
    const wiki = await fakeWiki((_params, _seen, response) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      setImmediate(() => {
        atOnce -= 1
        const answer = answers.shift() ?? '{"query":{}}'
        response.writeHead(typeof answer === 'string' ? 200 : 503, {
          'content-type': 'application/json'
        })
        response.end(typeof answer === 'string' ? answer : answer.body)
      })
      return 'taken'
    })
    const proxy = await startProxy(wiki.api)
    const replies = await together(20, () => ask(proxy.api + call))
    expect(replies.filter(({ status }) => status === 503).length).toBe(5)
    expect(replies.filter(({ text }) => text === '{"query":{}}').length).toBe(15)
    expect([wiki.asked().length, most]).toEqual([6, 1])
  })

  it('is asked again for the others where the first client leaves', async () => {
    let turn = 0
    let arrived = (): void => undefined
    const first = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const wiki = await fakeWiki(() => {
      turn += 1
      if (turn > 1) return '{"query":{}}'
      arrived()
      return 'taken'
    })
    const proxy = await startProxy(wiki.api)
    const impatient = askAndLeave(proxy.api + call)
    await first
    const others = together(5, () => ask(proxy.api + call))
    expect(await impatient.leave()).toBe('gone')
    expect((await others).map(({ text }) => text)).toEqual(
      Array.from({ length: 5 }, () => '{"query":{}}')
    )
    expect(wiki.asked().length).toBe(2)
    expect(proxy.rack.exitCode()).toBe(0)
  })
})

describe('the same request in other modes', () => {
  it('in passthrough goes to the wiki every time, whatever is recorded', async () => {
    let count = 0
    const wiki = await fakeWiki(() => {
      count += 1
      return JSON.stringify({ count })
    })
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call)
    await recording.close()
    const proxy = await startProxy(wiki.api, {
      cassette: recording.cassette,
      mode: 'passthrough'
    })
    const replies = await together(10, () => ask(proxy.api + call))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(10)
    expect(new Set(replies.map(({ headers }) => headers['x-cassette-status']))).toEqual(
      new Set(['passthrough'])
    )
  })

  it('in mode all shares the one answer of those that ask together, never an old recording', async () => {
    let status = 200
    const wiki = await fakeWiki(() => ({ status, body: `{"status":${status}}` }))
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call)
    await recording.close()
    status = 503
    const proxy = await startProxy(wiki.api, {
      cassette: recording.cassette,
      mode: 'all'
    })
    const replies = await together(4, () => ask(proxy.api + call))
    expect(replies.map(({ text }) => text)).toEqual(
      Array.from({ length: 4 }, () => '{"status":503}')
    )
  })
})
