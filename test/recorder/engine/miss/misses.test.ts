/** A miss: in the API's own form, with its reason, its nearest recordings, and a command that mends it. */
import { execFile } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { differenceText } from '../../../../src/recorder/engine/miss/miss-reply.ts'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { ask, type HttpReply, post } from '../../../helpers/http-client.ts'
import { run } from '../../../helpers/program.ts'
import {
  type ProxyOptions,
  type RunningProxy,
  startProxy
} from '../../../helpers/proxies.ts'

interface MissBody {
  readonly error: {
    readonly code: string
    readonly info: string
    readonly '*'?: string
    readonly docref?: string
  }
  readonly cassette: {
    readonly reason: string
    readonly key: string
    readonly request: string
    readonly nearest: readonly {
      readonly key: string
      readonly differences: readonly object[]
    }[]
    readonly record: string
  }
}
const missOf = (reply: HttpReply): MissBody => JSON.parse(reply.text) as MissBody

/** A replaying server on a cassette that holds these requests. */
async function replayOf(
  queries: readonly string[],
  options: ProxyOptions = {}
): Promise<RunningProxy & { wiki: string }> {
  const wiki = await fakeWiki()
  const recording = await startProxy(wiki.api, options)
  for (const query of queries) await ask(`${recording.api}?${query}`)
  await recording.close()
  return {
    ...(await startProxy(undefined, { ...options, cassette: recording.cassette })),
    wiki: wiki.api
  }
}

const listing = 'action=query&format=json&list=allpages'

describe('a miss', () => {
  it('is an error of the API that clients print: status 200, code, info on one line, header', async () => {
    const proxy = await replayOf([`${listing}&apfrom=A`])
    const reply = await ask(`${proxy.api}?${listing}&apfrom=B`)
    expect([
      reply.status,
      reply.headers['mediawiki-api-error'],
      reply.headers['x-cassette-status']
    ]).toEqual([200, 'cassette-miss', 'miss'])
    const { error, cassette } = missOf(reply)
    expect(error.code).toBe('cassette-miss')
    expect(error.info).not.toMatch(/\n/)
    expect(error.info).toMatch(
      /^list allpages, apfrom=B: No recording of query\.allpages /
    )
    expect(cassette.request).toBe('list allpages, apfrom=B')
    expect(error.info).toContain('apfrom recorded "A", got "B"')
    expect(error.info).toContain(`To record it: ${cassette.record}`)
    expect(error['*']).toContain('wikitape explain')
    expect(proxy.reports).toEqual([
      expect.stringContaining(`miss ${cassette.key} (param-differs)`)
    ])
  })

  it('has the status of --miss-status', async () => {
    const proxy = await replayOf([`${listing}&apfrom=A`], { missStatus: 404 })
    expect((await ask(`${proxy.api}?${listing}&apfrom=B`)).status).toBe(404)
  })

  it('honours formatversion, callback and the debugging page', async () => {
    const proxy = await replayOf([`${listing}&apfrom=A`])
    const second = missOf(await ask(`${proxy.api}?${listing}&apfrom=B&formatversion=2`))
    expect([second.error['*'], typeof second.error.docref]).toEqual([undefined, 'string'])
    const jsonp = await ask(`${proxy.api}?${listing}&apfrom=B&callback=f`)
    expect(jsonp.text).toMatch(/^\/\*\*\/f\(\{"error":\{"code":"cassette-miss"/)
    expect(jsonp.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const page = await ask(`${proxy.api}?action=query&list=allpages&apfrom=B`)
    expect(page.headers['content-type']).toBe('text/html; charset=UTF-8')
    expect(page.text).toContain('cassette-miss')
    const xml = await ask(`${proxy.api}?action=query&list=allpages&apfrom=B&format=xml`)
    expect(missOf(xml).error.code).toBe('cassette-miss')
  })

  it('names the three nearest recordings, nearest first', async () => {
    const proxy = await replayOf([
      `${listing}&apfrom=Abc&aplimit=5`,
      `${listing}&apfrom=Abd`,
      `${listing}&apfrom=Z&aplimit=5&apnamespace=4`,
      `${listing}&apfrom=Y&aplimit=7&apnamespace=3&apfilterredir=redirects`
    ])
    const { nearest } = missOf(await ask(`${proxy.api}?${listing}&apfrom=Abe`)).cassette
    expect(nearest.map(({ differences }) => differences.length)).toEqual([1, 2, 3])
    expect(nearest[0]?.differences).toEqual([
      { param: 'apfrom', recorded: 'Abd', got: 'Abe' }
    ])
    expect(nearest[1]?.differences).toContainEqual({ param: 'aplimit', recorded: '5' })
  })
})

describe('a miss and its reason', () => {
  it.each([
    ['empty-cassette', [], `${listing}`, ' is empty.'],
    [
      'no-module',
      [listing],
      'action=parse&text=x&format=json',
      'Nothing was recorded for parse; this cassette has query.allpages'
    ],
    [
      'param-differs',
      [listing],
      `${listing}&apnamespace=4`,
      'apnamespace="4" was not sent when recording'
    ],
    [
      'param-differs',
      [`${listing}&apnamespace=4`],
      listing,
      'apnamespace="4" was recorded, not sent now'
    ]
  ] as const)('has the reason %s', async (reason, recorded, asked, info) => {
    const proxy = await replayOf(
      recorded.length > 0 ? recorded : ['action=help&format=json']
    ).then(async (one) => {
      if (recorded.length === 0)
        for (const [key] of [...one.rack.get(undefined, undefined).store.paths()])
          one.rack.get(undefined, undefined).store.delete(key)
      return one
    })
    const { error, cassette } = missOf(await ask(`${proxy.api}?${asked}`))
    expect(cassette.reason).toBe(reason)
    expect(error.info).toContain(info)
  })

  it('says so where only the user differs, and prints no command that could not record it', async () => {
    const proxy = await replayOf(['action=query&format=json&meta=userinfo'])
    const reply = await ask(`${proxy.api}?action=query&format=json&meta=userinfo`, {
      headers: {
        cookie: 'wikiUserName=Bob; wikiUserID=3; wiki_session=0123456789abcdef'
      }
    })
    const { cassette } = missOf(reply)
    expect(cassette.reason).toBe('identity-differs')
    expect(cassette.record).toMatch(/^wikitape record http/)
    expect(reply.text).not.toContain('0123456789abcdef')
  })

  it.each([
    ['as user', 'user:Bob', undefined, 'recorded as Bob, requested as anonymous'],
    [
      'after writes',
      'the edit of A',
      undefined,
      'recorded after the edit of A, which this session has not made'
    ],
    [
      'after writes',
      undefined,
      'the edit of B',
      'recorded before the edit of B, which this session has made'
    ],
    [
      'plain target',
      '/w/a.png',
      '/w/b.png',
      'recorded address "/w/a.png", requested "/w/b.png"'
    ],
    ['plain body', 'abc', 'def', 'the body had different bytes in the recording']
  ])(
    'tells %s, which is no parameter of the API, in words',
    (param, recorded, got, words) => {
      expect(differenceText({ param, recorded, got })).toBe(words)
    }
  )
})

describe('a miss as the operator sees it', () => {
  it('is shown on the page of misses with its request and the advice', async () => {
    const proxy = await replayOf([`${listing}&apfrom=A`])
    await ask(`${proxy.api}?${listing}&apfrom=B`)
    const views: unknown = JSON.parse(
      (await ask(`${proxy.origin}/__wikitape/api/misses`)).text
    )
    expect(views).toMatchObject([
      {
        request: 'list allpages, apfrom=B',
        advice: 'To record it',
        reason: 'param-differs'
      }
    ])
  })

  it('tells a recording in another order that cannot be turned from none at all', async () => {
    const proxy = await replayOf(['action=query&format=json&prop=info&titles=A|B'])
    const { error } = missOf(
      await ask(`${proxy.api}?action=query&format=json&prop=info&titles=B|A`)
    )
    expect(error.info).toContain('It was recorded in another order')
    expect(error.info).toMatch(/Nearest recording \w{12}: \w+ recorded ".+", got ".+"\./)
  })

  it('keeps secrets to itself', async () => {
    const proxy = await replayOf([listing])
    const reply = await post(
      proxy.api,
      'action=login&format=json&lgname=Bob&lgpassword=hunter2-secret&lgtoken=abcdef0123%2B%5C'
    )
    expect(reply.text + proxy.reports.join()).not.toMatch(/hunter2-secret|abcdef0123/)
    expect(missOf(reply).cassette.record).toMatch(/^wikitape record http/)
  })

  it('is counted each time, told once', async () => {
    const proxy = await replayOf([listing])
    for (let turn = 0; turn < 3; turn += 1) await ask(`${proxy.api}?${listing}&apfrom=B`)
    expect(proxy.rack.counts().missed).toBe(3)
    expect(proxy.reports.length).toBe(1)
    expect(proxy.rack.exitCode()).toBe(1)
  })

  it('stays short, however long the request was', async () => {
    const proxy = await replayOf([listing])
    const reply = await post(proxy.api, `${listing}&apfrom=${'x'.repeat(500_000)}`)
    expect(missOf(reply).error.code).toBe('cassette-miss')
    expect(reply.text.length).toBeLessThan(5000)
  })
})

/** What a shell hands to `wikitape`: its arguments, and its stdin. */
async function handedOver(
  command: string
): Promise<readonly [args: readonly string[], stdin: string]> {
  const bin = temporaryFolder()
  const script = path.join(bin, 'wikitape')
  writeFileSync(script, `#!/bin/sh\nprintf '%s\\0' "$@"\ncat\n`)
  chmodSync(script, 0o755)
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { env })
  const all = stdout.split('\0')
  return [all.slice(0, -1), all.at(-1) ?? '']
}

describe('the command that a miss prints', () => {
  it.each([
    ['a write', 'action=purge&titles=A&format=json'],
    ['a login', 'action=login&lgname=Bob&format=json'],
    ['a logout', 'action=logout&format=json']
  ])('makes no capture of %s, which asks only what changes nothing', async (_, body) => {
    const proxy = await replayOf([listing])
    const { error, cassette } = missOf(await post(proxy.api, body))
    expect(cassette.record).toMatch(/^wikitape record http/)
    expect(error.info).toContain(
      `To record it, run the client again through: ${cassette.record}`
    )
  })

  it('is none where no recording helps', async () => {
    const proxy = await replayOf([listing])
    const headers = { 'content-type': 'application/json' }
    const { error, cassette } = missOf(
      await ask(`${proxy.api}?format=json`, { method: 'POST', body: '{}', headers })
    )
    expect([cassette.reason, cassette.record]).toEqual(['unread-body', ''])
    expect(error.info).toMatch(
      /^POST of an unread body: .*Send a form, or multipart with a right boundary\.$/
    )
  })
})

describe('the command of a miss in a shell', () => {
  it('asks all again where recordings contradict each other', async () => {
    const row = (title: string): object => ({ pageid: title.charCodeAt(0), ns: 0, title })
    const batch = (titles: readonly string[], next?: string): string =>
      JSON.stringify({
        ...(next === undefined
          ? { batchcomplete: '' }
          : { continue: { apcontinue: next, continue: '-||' } }),
        query: { allpages: titles.map(row) }
      })
    const wiki = await fakeWiki((params) =>
      params.get('aplimit') === '2' ? batch(['A', 'B'], 'C') : batch(['A', 'C', 'D'], 'E')
    )
    const recording = await startProxy(wiki.api)
    for (const limit of [2, 3]) await ask(`${recording.api}?${listing}&aplimit=${limit}`)
    await recording.close()
    const proxy = await startProxy(undefined, { cassette: recording.cassette })
    const { error, cassette } = missOf(await ask(`${proxy.api}?${listing}&aplimit=1`))
    expect([cassette.reason, cassette.record]).toEqual([
      'conflict',
      `wikitape refresh ${proxy.cassette}`
    ])
    expect(error.info.match(/wikitape refresh/g)).toHaveLength(1)
  })

  it.each([
    `${listing}&apfrom=B`,
    `${listing}&apfrom=${encodeURIComponent('L\'Été & "co" $HOME `id` \\n %41 #x +y')}`,
    'action=query&prop=info&titles=%D0%92%D0%BE%D0%BB%D0%B3%D0%B0|A_b&formatversion=2&format=json',
    'action=query&list=allpages',
    `${listing}&apfrom=${'%D0%AF'.repeat(600)}`,
    'action=query&format=xml&list=allpages',
    `${listing}&callback=f&requestid=9&apfrom=C`,
    `${listing}&-n=1&apfrom=!!`
  ])('records the request when a shell runs it: %s', async (query) => {
    const folder = path.join(temporaryFolder(), "it's a $tape")
    const proxy = await replayOf([`${listing}&apfrom=A`], { cassette: folder })
    const missed = await ask(`${proxy.api}?${query}`)
    const text = missed.text.startsWith('{')
      ? missed.text
      : missed.text.slice(missed.text.indexOf('{'))
    expect(missed.headers['x-cassette-status']).toBe('miss')
    const command =
      proxy.rack.get(undefined, undefined).summary.misses.values().next().value
        ?.command ?? ''
    expect(text).toContain('cassette-miss')
    const [args, stdin] = await handedOver(command)
    expect(await run(args, { stdin })).toMatchObject({ code: 0 })
    const again = await startProxy(undefined, { cassette: folder })
    expect((await ask(`${again.api}?${query}`)).headers['x-cassette-status']).toBe(
      'replayed'
    )
  })
})
