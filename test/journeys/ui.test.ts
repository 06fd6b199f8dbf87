/** `wikitape ui`, as a process of its own. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawnServing } from '../helpers/processes.ts'
import { run } from '../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'

describe('ui', () => {
  it('prints where to look, serves a folder of cassettes, and ends well', async () => {
    const folder = temporaryFolder()
    for (const name of ['new', 'old']) {
      const store = CassetteStore.openOrCreate(
        path.join(folder, name),
        'http://wiki.example/w/api.php'
      )
      store.put(
        interactionOf({ action: 'parse', page: 'A' }, [
          response(jsonBody(`{"parse":{"${name}":1}}`))
        ])
      )
    }
    const { api: address, stop } = await spawnServing(['ui', folder])
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/__wikitape\/$/)
    const about: unknown = JSON.parse((await ask(`${address}api/about`)).text)
    expect(about).toEqual({
      doing: 'replaying',
      current: 'new',
      cassettes: ['new', 'old'],
      runs: [],
      hasRequests: false
    })
    expect(JSON.parse((await ask(`${address}api/requests`)).text)).toEqual([])
    const [checked, listed, drift] = await Promise.all([
      ask(`${address}api/check`),
      ask(`${address}api/listings?folder=parse`),
      ask(`${address}api/drift?a=old&b=new`)
    ])
    expect(JSON.parse(checked.text)).toMatchObject({ complaints: [], total: 0 })
    expect(JSON.parse(listed.text)).toEqual([])
    expect([drift.status, JSON.parse(drift.text)]).toEqual([
      200,
      expect.objectContaining({ causes: expect.any(Array) })
    ])
    // What was missed is no fault of who looks on.
    await ask(new URL('/w/api.php?action=query&list=nothing&format=json', address).href)
    expect((await stop()).code).toBe(0)
  })

  it.each([
    [['ui', '/no/such/folder'], 'there is no cassette at /no/such/folder'],
    [['ui', 'a', 'b'], 'unexpected argument "b"'],
    [['ui', 'src'], 'src']
  ])('%j is refused in words', async (args, words) => {
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})
