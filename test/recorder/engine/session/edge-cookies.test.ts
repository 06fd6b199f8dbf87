/** Cookies that stand in front of a wiki add: for the client that asks live, and for nobody else. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCommandArgs } from '../../../../src/cli/args/parse-args.ts'
import { normalizeCommand } from '../../../../src/cli/commands/maintain/normalize-command.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { allTextIn, filesIn, interactionFiles } from '../../../helpers/folders.ts'
import { ask } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { testShell } from '../../../helpers/shells.ts'

const query = '?action=query&format=json&list=allpages&apfrom=A'
const edge = [
  'WMF-Last-Access=22-Nov-2026;Path=/;HttpOnly;secure;Expires=Thu, 24 Dec 2026 00:00:00 GMT',
  'GeoIP=RU:MOW:Moscow:55.75:37.62:v4; Path=/; secure; Domain=.wikipedia.org',
  'UseDC=master; path=/; secure; HttpOnly'
]

/** Sends the edge's cookies to callers who have none, as edges do. */
const behindAnEdge = () =>
  fakeWiki((_params, { headers }) => ({
    body: '{"query":{}}',
    headers: { 'set-cookie': headers.cookie === undefined ? edge : [] }
  }))

describe('an edge’s cookies', () => {
  it('reach the client that asks live just as they came, and no cassette', async () => {
    const proxy = await startProxy((await behindAnEdge()).api)
    const reply = await ask(proxy.api + query)
    expect(reply.headers['x-cassette-status']).toBe('recorded')
    expect(reply.headers['set-cookie']).toEqual(edge)
    await proxy.close()
    expect(allTextIn(proxy.cassette)).not.toMatch(/WMF|GeoIP|Moscow|UseDC|cookie/i)
  })

  it('change nothing when the answer is recorded again without them', async () => {
    const wiki = await behindAnEdge()
    const first = await startProxy(wiki.api)
    await ask(first.api + query)
    await first.close()
    const before = filesIn(first.cassette)
    const again = await startProxy(wiki.api, { cassette: first.cassette, mode: 'all' })
    await ask(again.api + query, {
      headers: { cookie: 'GeoIP=RU:MOW:Moscow:55.75:37.62:v4' }
    })
    await again.close()
    expect(again.rack.counts()).toMatchObject({ unchanged: 1, recorded: 0 })
    expect(filesIn(first.cassette)).toEqual(before)
  })

  it('make nobody of a caller who sends them: the recording is everybody’s', async () => {
    const wiki = await behindAnEdge()
    const first = await startProxy(wiki.api)
    await ask(first.api + query, {
      headers: { cookie: 'wikia_session_id=abc; csrfToken=1; b2t=9' }
    })
    await first.close()
    const replay = await startProxy(undefined, { cassette: first.cassette })
    for (const cookie of ['wikia_session_id=other', 'GeoIP=DE'])
      expect(
        (await ask(replay.api + query, { headers: { cookie } })).headers[
          'x-cassette-status'
        ]
      ).toBe('replayed')
  })

  it('that the operator keeps are recorded without their value, and sent on replay', async () => {
    const wiki = await behindAnEdge()
    const first = await startProxy(wiki.api, { keepCookies: ['GeoIP'] })
    await ask(first.api + query)
    await first.close()
    expect(allTextIn(first.cassette)).toContain('"kept": true')
    expect(allTextIn(first.cassette)).not.toContain('Moscow')
    const replay = await startProxy(undefined, { cassette: first.cassette })
    const [cookie, ...more] = (await ask(replay.api + query)).headers['set-cookie'] ?? []
    expect([cookie?.split('=', 1), more]).toEqual([['GeoIP'], []])
  })
})

describe('a cassette of before, with an edge’s cookies in it', () => {
  it('is read as ever, serves none of them, and normalize drops them', async () => {
    const wiki = await behindAnEdge()
    const first = await startProxy(wiki.api)
    await ask(first.api + query)
    await first.close()
    const clean = filesIn(first.cassette)
    const [name = ''] = interactionFiles(first.cassette)
    const file = path.join(first.cassette, name)
    const old = { name: 'GeoIP', value: 'redacted-cookie' }
    const parsed = JSON.parse(clean.get(name) ?? '') as { responses: [object] }
    const withOld = { ...parsed, responses: [{ cookies: [old], ...parsed.responses[0] }] }
    writeFileSync(file, `${JSON.stringify(withOld, null, 2)}\n`)

    const replay = await startProxy(undefined, { cassette: first.cassette })
    const reply = await ask(replay.api + query)
    expect([reply.headers['x-cassette-status'], reply.headers['set-cookie']]).toEqual([
      'replayed',
      undefined
    ])

    const shell = testShell()
    expect(
      await normalizeCommand.run({
        ...parseCommandArgs(normalizeCommand, [first.cassette]),
        ...shell
      })
    ).toBe(0)
    expect(shell.printed.join('')).toContain(`changed ${name}`)
    expect(filesIn(first.cassette)).toEqual(clean)
  })
})
