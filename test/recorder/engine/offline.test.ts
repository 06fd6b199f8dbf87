/** Replay opens no outbound socket. */
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EngineRegistry } from '../../../src/recorder/engine/registry/engine-registry.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'

describe('a replaying server', () => {
  it('opens no connection, whatever it is asked', async () => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    await ask(recording.api + call)
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    const own = Number(new URL(replay.origin).port)
    const connect = vi.spyOn(net.Socket.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    const asked = [
      await ask(replay.api + call),
      await ask(replay.api + call, { headers: { 'x-cassette-mode': 'all' } }),
      await ask(`${replay.api}?action=parse&format=json&text=unknown`),
      await post(replay.api, 'action=login&format=json&lgname=Bob&lgpassword=secret'),
      await ask(`${replay.origin}/w/images/a.png`),
      await ask(`${replay.origin}/~nosuch/w/api.php`),
      await ask(`${replay.api}?${call}&origin=https://other.example`, {
        method: 'OPTIONS'
      }),
      await ask(`${replay.origin}/__wikitape/`)
    ]
    const outbound = connect.mock.calls.filter(
      (args) => !JSON.stringify(args).includes(String(own))
    )
    expect(connect.mock.calls.length).toBe(asked.length)
    expect(outbound).toEqual([])
    expect(replay.rack.counts().liveRequests).toBe(0)
  })

  it('has no upstream to ask: engines in mode none are made without one', () => {
    const options = {
      cassette: path.join(temporaryFolder(), 'tape'),
      allowControl: true,
      missStatus: 200,
      recordErrors: false,
      onMiss: 'synthesize' as const,
      now: Date.now,
      onEvent: () => undefined
    }
    let made = 0
    const api = {
      href: 'http://wiki.example/w/api.php',
      origin: 'http://wiki.example',
      path: '/w/api.php',
      host: 'wiki.example',
      authorization: undefined
    }
    const upstream = (): never => {
      made += 1
      throw new Error('an upstream was made')
    }
    const rack = new EngineRegistry({ ...options, mode: 'none', live: { api, upstream } })
    expect(rack.get(undefined, undefined).ownRequests).toBeUndefined()
    expect(made).toBe(0)
  })
})
