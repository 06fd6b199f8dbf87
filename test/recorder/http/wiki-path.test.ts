/** One server, one wiki: which paths it answers, where its host has several wikis. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isOtherWikisApi } from '../../../src/recorder/http/api-url.ts'
import { farm } from '../../helpers/farm.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

const query = '?action=query&list=allpages&format=json'

describe('a path', () => {
  it.each([
    // asked for, recorded, answered where the client names this server, answered where it names the wiki's own host
    ['/en/api.php', '/en/api.php', true, true],
    ['//en//api.php', '/en/api.php', true, true],
    ['/de/api.php', '/en/api.php', false, false],
    ['/w/api.php', '/en/api.php', false, false],
    ['/api.php', '/en/api.php', false, false],
    ['/en/w/api.php', '/w/api.php', false, false],
    ['/W/api.php', '/w/api.php', false, false],
    ['/wiki/api.php', '/w/api.php', false, false],
    ['/api.php', '/w/api.php', true, false],
    ['/w/api.php', '/api.php', true, false],
    ['/w/api.php', '/wiki/api.php', true, false],
    ['/w/api.php', '/mediawiki/api.php', true, false],
    ['/anything/api.php', undefined, true, true],
    ['/de/load.php', '/en/api.php', true, true],
    ['/de/index.php', '/en/api.php', true, true]
  ])('%s of a recording of %s', (asked, apiPath, here, there) => {
    const answered = (namedHost: boolean): boolean =>
      !isOtherWikisApi(asked, apiPath, namedHost)
    expect([answered(false), answered(true)]).toEqual([here, there])
  })
})

describe('a server in front of one wiki of a farm', () => {
  it.each([true, false])(
    'answers no request for another one (recording: %s)',
    async (isRecording) => {
      const host = await farm({
        '/en/api.php': { wikiid: 'enwiki' },
        '/de/api.php': { wikiid: 'dewiki' }
      })
      const first = await startProxy(`${host.origin}/en/api.php`)
      const own = await ask(`${first.origin}/en/api.php${query}`)
      await first.close()
      const count = host.asked()
      const { cassette } = first
      const server = await startProxy(
        isRecording ? `${host.origin}/en/api.php` : undefined,
        {
          cassette
        }
      )
      expect((await ask(`${server.origin}/en/api.php${query}`)).text).toBe(own.text)
      for (const other of ['/de/api.php', '/w/api.php', '/api.php'])
        for (const asked of [query, `${query}&apfrom=B`]) {
          const { headers, text } = await ask(`${server.origin}${other}${asked}`)
          expect([headers['x-cassette-status'], headers['mediawiki-api-error']]).toEqual([
            'miss',
            'cassette-miss'
          ])
          const { error, cassette: told } = JSON.parse(text)
          expect(error.info).toContain(
            `${other}, and ${cassette} is a recording of ${host.origin}/en/api.php`
          )
          expect(told).toMatchObject({ reason: 'other-wiki', nearest: [] })
          expect(told.record).toContain(`record ${host.origin}${other}`)
        }
      expect(host.asked()).toBe(count)
      expect(server.rack.counts()).toMatchObject({
        missed: 6,
        recorded: 0,
        liveRequests: 0
      })
    }
  )

  it('passes on what a busy wiki says before it has said who it is, and records none of it', async () => {
    const host = await farm({ '/w/api.php': { wikiid: 'enwiki' } })
    const first = await startProxy(`${host.origin}/w/api.php`)
    await ask(first.api + query)
    await first.close()
    host.members['/w/api.php'] = { wikiid: 'enwiki', busy: true }
    const server = await startProxy(`${host.origin}/w/api.php`, {
      cassette: first.cassette
    })
    const status = async (more: string): Promise<unknown> =>
      (await ask(`${server.api}${query}${more}`)).headers['x-cassette-status']
    expect([await status(''), await status('&apfrom=B')]).toEqual([
      'replayed',
      'passthrough'
    ])
    expect(server.reports.join()).toContain('identifying the wiki failed: ')
    host.members['/w/api.php'] = { wikiid: 'enwiki' }
    expect(await status('&apfrom=B')).toBe('recorded')
    await server.close()
  })
})

describe('a server by the path of one wiki', () => {
  it('finds ready nothing that was made ready for another path', async () => {
    const host = await farm({ '/w/api.php': {}, '/de/api.php': {} })
    const recording = await startProxy(`${host.origin}/w/api.php`)
    await ask(recording.api + query)
    await recording.close()
    const packs = temporaryFolder()
    const options = { cassette: recording.cassette, packs }
    for (let time = 0; time < 2; time += 1) {
      const server = await startProxy(undefined, options)
      const statuses: unknown[] = []
      for (const at of [
        '/w/api.php',
        '/w/api.php',
        '/de/api.php',
        '/api.php',
        '/de/api.php'
      ])
        statuses.push(
          (await ask(server.origin + at + query)).headers['x-cassette-status']
        )
      expect(statuses).toEqual(['replayed', 'replayed', 'miss', 'replayed', 'miss'])
      await server.close()
    }
  })

  it('as a forward proxy takes the host of the wiki at its word', async () => {
    const host = await farm({ '/w/api.php': {}, '/api.php': {}, '/de/api.php': {} })
    const server = await startProxy(`${host.origin}/w/api.php`)
    const through = async (at: string): Promise<unknown> =>
      (await ask(server.origin, { target: `${host.origin}${at}${query}` })).headers[
        'x-cassette-status'
      ]
    expect([
      await through('/w/api.php'),
      await through('/api.php'),
      await through('/de/api.php')
    ]).toEqual(['recorded', 'miss', 'miss'])
    expect(
      (await ask(`${server.origin}/api.php${query}`)).headers['x-cassette-status']
    ).toBe('replayed')
  })

  it('answers for a cassette that is named by its path, at the path of that wiki only', async () => {
    const host = await farm({ '/en/api.php': {}, '/de/api.php': {} })
    const root = temporaryFolder()
    for (const name of ['en', 'de']) {
      const recording = await startProxy(`${host.origin}/${name}/api.php`, {
        cassette: path.join(root, name)
      })
      await ask(`${recording.origin}/${name}/api.php${query}`)
      await recording.close()
    }
    const server = await startProxy(undefined, { cassette: path.join(root, 'en') })
    const statuses: unknown[] = []
    for (const at of [
      '/en/api.php',
      '/~de/de/api.php',
      '/~de/en/api.php',
      '/~en/de/api.php'
    ])
      statuses.push((await ask(server.origin + at + query)).headers['x-cassette-status'])
    expect(statuses).toEqual(['replayed', 'replayed', 'miss', 'miss'])
  })
})
