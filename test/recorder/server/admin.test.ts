/** `/__wikitape/`, by Express: what this server has done so far. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask } from '../../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../../helpers/proxies.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'

async function usedReplay(): Promise<RunningProxy> {
  const wiki = await fakeWiki()
  const recording = await startProxy(wiki.api)
  await ask(recording.api + call)
  await ask(`${recording.api + call}2`)
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  await ask(replay.api + call)
  await ask(`${replay.api}?action=parse&format=json&text=<script>`)
  return replay
}

describe('the admin pages', () => {
  it('tell the counts', async () => {
    const { origin } = await usedReplay()
    const reply = await ask(`${origin}/__wikitape/summary`)
    expect(reply.headers['content-type']).toContain('application/json')
    expect(JSON.parse(reply.text)).toEqual({
      replayed: 1,
      synthesized: 0,
      recorded: 0,
      unchanged: 0,
      passedThrough: 0,
      overloaded: 0,
      missed: 1,
      unused: 1,
      liveRequests: 0,
      troubled: 0,
      ignored: 0
    })
  })

  it('tell the misses with their reasons', async () => {
    const { origin } = await usedReplay()
    const misses: unknown = JSON.parse((await ask(`${origin}/__wikitape/misses`)).text)
    expect(misses).toEqual([
      expect.objectContaining({ reason: 'no-module', nearest: [] })
    ])
  })

  it('tell the interactions and which were used', async () => {
    const { origin } = await usedReplay()
    const all: unknown = JSON.parse((await ask(`${origin}/__wikitape/interactions`)).text)
    expect(all).toEqual([
      expect.objectContaining({ path: expect.stringContaining('apfrom=A.'), used: true }),
      expect.objectContaining({
        path: expect.stringContaining('apfrom=A2.'),
        used: false
      })
    ])
  })
})

describe('the frame of the admin pages', () => {
  it.each(['/__wikitape/', '/__wikitape/index.html'])(
    'have a frame at %s that runs nothing but what is shipped',
    async (target) => {
      const { origin } = await usedReplay()
      const page = await ask(origin + target)
      expect(page.headers['content-type']).toContain('text/html')
      expect(page.headers['content-security-policy']).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'"
      )
      expect(page.headers['content-security-policy']).not.toContain('unsafe')
      expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=|\sstyle=/)
    }
  )

  it('lead to that frame where the last stroke is missing', async () => {
    const { origin } = await usedReplay()
    const { status, headers } = await ask(`${origin}/__wikitape`)
    expect([status, headers['location']]).toEqual([308, '/__wikitape/'])
  })

  it('name themselves where there is nothing', async () => {
    const { origin } = await usedReplay()
    const reply = await ask(`${origin}/__wikitape/nothing`)
    expect(reply.status).toBe(404)
    expect(reply.text).toContain('/__wikitape/summary')
  })

  it('do not say that Express made them, and are never taken for the wiki', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api)
    const reply = await ask(`${proxy.origin}/__wikitape/summary`)
    expect(reply.headers['x-powered-by']).toBeUndefined()
    expect(wiki.seen).toEqual([])
  })

  it('count each interaction as unused once, in however many modes the cassette was at work', async () => {
    const wiki = await fakeWiki()
    const proxy = await startProxy(wiki.api, { allowControl: true })
    for (const mode of ['new_episodes', 'none', 'all', 'passthrough'])
      await ask(proxy.api + call, { headers: { 'x-cassette-mode': mode } })
    await ask(`${proxy.api + call}2`)
    const counts: unknown = JSON.parse(
      (await ask(`${proxy.origin}/__wikitape/summary`)).text
    )
    expect(counts).toMatchObject({
      unused: 0,
      recorded: 2,
      replayed: 1,
      unchanged: 1,
      passedThrough: 1
    })
  })
})
