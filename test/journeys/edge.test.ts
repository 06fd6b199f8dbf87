/** First contact with a wiki behind a real edge: polite, complete, and nothing of the edge on disk. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseUrlencoded } from '../../src/recorder/wiki/parameters/request-params.ts'
import { testClock } from '../helpers/clocks.ts'
import { type Behind, edge } from '../helpers/edge.ts'
import { captureThroughEdge, tracesIn } from '../helpers/edge-run.ts'
import { description, fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, temporaryFolder } from '../helpers/folders.ts'
import { goldenSeeds } from '../helpers/golden-calls.ts'
import { run } from '../helpers/program.ts'
import { scaled } from '../helpers/scale.ts'
import { httpStandIn, type Seen } from '../helpers/upstreams.ts'

const tape = (): string => path.join(temporaryFolder(), 'tape')
const json = { 'content-type': 'application/json; charset=utf-8' }

/** Says back what it was asked; also what its modules are like. */
function wiki({ target }: Seen): Behind {
  const params = new Map(parseUrlencoded(target.slice(target.indexOf('?') + 1)))
  params.delete('maxlag')
  const echo = [...params].map(([name, value]) => `${name}=${value}`)
  return {
    status: 200,
    headers: json,
    body: description(params) ?? JSON.stringify({ query: { echo } })
  }
}

/** The cookies of a logout are dated from here. */
const answeredAt = 'Sat, 21 Nov 2026 00:00:00 GMT'

/** A real 1.25.4's answers; what it is asked besides (its modules) a 1.43 describes. */
function golden({ target }: Seen): Behind {
  const params = parseUrlencoded(target.slice(target.indexOf('?') + 1))
  const seed = seeds.get(spelled(params))
  if (seed === undefined)
    return {
      status: 200,
      headers: json,
      body: description(new Map(params)) ?? '{"query":{}}'
    }
  return {
    ...seed,
    headers: { ...seed.headers, date: answeredAt, 'set-cookie': seed.cookies }
  }
}

const spelled = (params: Iterable<readonly [string, string]>): string =>
  JSON.stringify([...params].filter(([name]) => name !== 'maxlag').sort())
/** Each in five spellings, one after the other; every second one, or all. */
const calls = goldenSeeds
  .filter((_, at) => Math.floor(at / 5) % 2 === 1 || scaled(0, 1) === 1)
  .map(({ q }) => q)
const seeds = new Map(goldenSeeds.map((seed) => [spelled(parseUrlencoded(seed.q)), seed]))

describe.each(['wikimedia', 'fandom'] as const)(
  'behind an edge like that of %s',
  (farm) => {
    it('capture has every call recorded once, whatever strikes, and recorded again in another order nothing changes', async () => {
      // Fewer calls meet as much of it.
      const trouble = scaled(0.12, 0.06)
      const orders = [1, 2].slice(0, scaled(1, 2))
      const through = await captureThroughEdge({
        farm,
        behind: golden,
        calls,
        orders,
        trouble
      })
      const { first, again, edge: before, cassette, answered } = through
      expect([first.code, first.stderr]).toEqual([
        0,
        expect.stringContaining(`${calls.length} of ${calls.length}`)
      ])
      expect(again.map(({ code }) => code)).toEqual(orders.map(() => 0))
      expect(new Set(answered).size).toBe(answered.length)
      // Of the five spellings two differ in nothing but how the bytes are written.
      expect(through.interactions).toBe((calls.length / 5) * 4)
      expect(through.changed).toEqual([])
      expect(tracesIn(cassette)).toEqual([])
      expect(
        [...before.struck.values()].reduce((sum, count) => sum + count, 0)
      ).toBeGreaterThan(8)
      expect([...before.struck.keys()]).toEqual(
        expect.arrayContaining(['maintenance', 'challenge', 'limit'])
      )
      expect(before.most()).toBe(1)
      expect(before.shortestRest()).toBeGreaterThanOrEqual(2000)
      expect(before.seen.every(({ target }) => target.includes('maxlag=5'))).toBe(true)
      expect(new Set(before.seen.map(({ headers }) => headers['user-agent'])).size).toBe(
        1
      )
      expect(before.seen[0]?.headers['user-agent']).toMatch(
        /^wikitape\/\S+ \(me@example\.org\) node\/\d/
      )
    })
  }
)

const strict = () =>
  edge({ farm: 'wikimedia', behind: wiki, trouble: 0, seed: 1, now: Date.now })

const line = { stdin: 'action=query&list=allpages' }

describe('a wiki that wants to know who asks', () => {
  it('is told by flag, by environment, and by a file of the user’s own; without, the flag is named', async () => {
    const before = await strict()
    const home = temporaryFolder()
    const nameless = await run(
      ['capture', before.api, '--requests', '-', '--cassette', tape()],
      {
        ...line,
        env: { XDG_CONFIG_HOME: home }
      }
    )
    expect(nameless.code).toBe(3)
    expect(nameless.stderr).toContain('add --contact with an address of yours')
    expect(nameless.stderr).toContain('failed: action=query&list=allpages')
    const cassette = tape()
    const env = { WIKITAPE_CONTACT: 'https://meta.example/wiki/User:Me' }
    expect(
      (
        await run(['capture', before.api, '--requests', '-', '--cassette', cassette], {
          ...line,
          env
        })
      ).code
    ).toBe(0)
    expect(before.seen.at(-1)?.headers['user-agent']).toContain(
      '(https://meta.example/wiki/User:Me)'
    )
    expect(allTextIn(cassette)).not.toContain('User:Me')
    const named = await run(
      [
        'capture',
        before.api,
        '--requests',
        '-',
        '--cassette',
        tape(),
        '--user-agent',
        'mine/1 (x@y.example)'
      ],
      line
    )
    expect([named.code, before.seen.at(-1)?.headers['user-agent']]).toEqual([
      0,
      'mine/1 (x@y.example)'
    ])
  })
})

describe('a wiki that is told who asks by a file of the user', () => {
  it('is told by a file of the user’s own, where each system keeps such; flag and environment count first', async () => {
    const before = await strict()
    const home = temporaryFolder()
    const settings = (folder: string, text: string): void => {
      mkdirSync(path.join(home, folder, 'wikitape'), { recursive: true })
      writeFileSync(path.join(home, folder, 'wikitape', 'config.json'), text)
    }
    settings('.config', '{"contact": "https://home.example/User:Me"}')
    settings('own', '{"contact": "User:Own on https://own.example"}')
    settings('broken', '{"contact": ')
    const as = async (env: Readonly<Record<string, string>>, ...flags: string[]) => {
      const cassette = tape()
      const all = [
        'capture',
        before.api,
        '--requests',
        '-',
        '--cassette',
        cassette,
        ...flags
      ]
      const { code, stderr } = await run(all, {
        ...line,
        env: { XDG_CONFIG_HOME: '', APPDATA: '', HOME: home, ...env }
      })
      return { code, stderr, agent: before.seen.at(-1)?.headers['user-agent'], cassette }
    }
    const own = { XDG_CONFIG_HOME: path.join(home, 'own') }
    const fromHome = await as({})
    expect([fromHome.code, fromHome.agent]).toEqual([
      0,
      expect.stringContaining('(https://home.example/')
    ])
    expect(allTextIn(fromHome.cassette)).not.toContain('home.example')
    expect((await as(own)).agent).toContain('(User:Own on https://own.example)')
    expect((await as({ APPDATA: path.join(home, 'own') })).agent).toContain('own.example')
    const named = { ...own, WIKITAPE_CONTACT: 'env@wiki.example' }
    expect((await as(named)).agent).toContain('(env@wiki.example)')
    expect((await as(named, '--contact', 'flag@wiki.example')).agent).toContain(
      '(flag@wiki.example)'
    )
    const broken = await as({ XDG_CONFIG_HOME: path.join(home, 'broken') })
    expect([broken.code, broken.stderr]).toEqual([
      2,
      expect.stringContaining(
        'config.json is not what was expected: {"contact": "you@example.org"}'
      )
    ])
  })

  it('gets the headers that the operator adds, and no cassette holds them', async () => {
    const added = 'X-Access: kd83hf72hdk38fh2k'
    const said = await fakeWiki((_, { headers }) =>
      JSON.stringify({ echo: headers['x-access'] })
    )
    const cassette = tape()
    const { code, stderr } = await run(
      ['capture', said.api, '--requests', '-', '--cassette', cassette, '--header', added],
      line
    )
    expect(
      said.seen.every(({ headers }) => headers['x-access'] === 'kd83hf72hdk38fh2k')
    ).toBe(true)
    expect(allTextIn(cassette)).not.toContain('kd83hf72hdk38fh2k')
    expect([code, stderr]).not.toEqual([1, ''])
    const wrong = await run(
      ['capture', said.api, '--requests', '-', '--header', 'nonsense'],
      line
    )
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("expected 'Name: value'")
    ])
  })
})

/** Fails until it has been asked so often. */
const failing = (
  times: number,
  headers: Readonly<Record<string, string>>,
  status = 429
) => {
  let asked = 0
  return fakeWiki(() => {
    asked += 1
    return asked > times
      ? '{"query":{}}'
      : { status, headers: { 'content-type': 'text/html', ...headers }, body: 'no' }
  })
}

const captureTwo = async (
  api: string,
  cassette: string,
  clock: ReturnType<typeof testClock>,
  ...flags: string[]
) =>
  run(['capture', api, '--requests', '-', '--cassette', cassette, ...flags], {
    stdin: 'action=query&list=allpages\naction=query&list=allimages',
    clock
  })

describe('a wiki that wants to be left alone', () => {
  it.each([
    ['without Retry-After: twice as long each time, with chance', {}, [1000, 2000]],
    ['with seconds', { 'retry-after': '7' }, [7250, 7250]],
    ['with nonsense', { 'retry-after': 'soon' }, [1000, 2000]]
  ])('%s', async (_, headers, sleeps) => {
    const clock = testClock()
    const { api } = await failing(2, headers)
    expect((await captureTwo(api, tape(), clock)).code).toBe(0)
    expect(clock.sleeps.map((one) => Math.round(one / 50) * 50)).toEqual(sleeps)
  })

  it('until a date', async () => {
    const clock = testClock()
    const { api } = await failing(1, {
      'retry-after': new Date(Date.now() + 30_000).toUTCString()
    })
    expect((await captureTwo(api, tape(), clock)).code).toBe(0)
    expect(clock.sleeps[0]).toBeGreaterThan(25_000)
  })
})

describe('a wiki that is busy for long', () => {
  it('for an hour: says until when, exits with 3, and the same command later asks only for what is missing', async () => {
    const clock = testClock()
    const before = await failing(1, { 'retry-after': '3600' })
    const cassette = tape()
    const first = await captureTwo(before.api, cassette, clock)
    expect(first.code).toBe(3)
    expect(first.stderr).toMatch(
      /a pause of 6\d min \(Retry-After\); run the same command again after 20\d\d-/
    )
    expect(first.stderr).toContain(
      '1 request failed, 1 skipped; the same command run again sends only what is missing'
    )
    expect([clock.sleeps, before.asked().length]).toEqual([[], 1])
    expect((await captureTwo(before.api, cassette, clock)).code).toBe(0)
    expect((await captureTwo(before.api, cassette, clock)).stderr).toContain(
      'live requests: 0'
    )
    expect(before.asked().length).toBe(3)
  })

  it('for ever (maxlag): gives up after so many tries, tells what is missing, and asks for that alone again', async () => {
    let lagging = true
    const lag = JSON.stringify({
      error: { code: 'maxlag', info: 'Waiting for a database server' }
    })
    const before = await fakeWiki((params) =>
      lagging && params.get('list') === 'allpages' ? lag : '{"query":{}}'
    )
    const cassette = tape()
    const anew = await captureTwo(
      before.api,
      tape(),
      testClock(),
      '--retries',
      '0',
      '--mode',
      'all'
    )
    expect(anew.stderr).toContain('the same command run again sends everything')
    const once = await captureTwo(
      before.api,
      tape(),
      testClock(),
      '--retries',
      '0',
      '--mode',
      'once'
    )
    expect(once.stderr).toContain(
      'with --mode new_episodes the same command sends only what is missing'
    )
    const earlier = before.asked().length
    const first = await captureTwo(before.api, cassette, testClock(), '--retries', '2')
    expect(first.code).toBe(3)
    expect(first.stderr).toContain('failed: action=query&list=allpages')
    expect(first.stderr).toContain('the error "maxlag"')
    const asked = () => before.asked().slice(earlier)
    expect(asked().filter((query) => query.includes('allpages'))).toHaveLength(3)
    lagging = false
    expect((await captureTwo(before.api, cassette, testClock())).code).toBe(0)
    expect(asked().filter((query) => query.includes('allimages'))).toHaveLength(1)
  })
})

const html = { status: 200, headers: { 'content-type': 'text/html' } }

const lines = Array.from({ length: 40 }, (_, at) => `action=query&titles=P${at}`)

const capture = (
  api: string,
  cassette: string,
  clock = testClock(),
  stdin = lines.join('\n')
) => run(['capture', api, '--requests', '-', '--cassette', cassette], { stdin, clock })

describe('pages with status 200 where the API should answer', () => {
  it('that pass (maintenance, a challenge): asked again like after a 503, and nothing of them is kept', async () => {
    let asked = 0
    const before = await fakeWiki((params) => {
      if (params.get('titles') !== 'P7') return '{"query":{}}'
      asked += 1
      return asked > 4 ? '{"query":{}}' : { ...html, body: '<title>Be back soon</title>' }
    })
    const clock = testClock()
    const cassette = tape()
    const { code, stderr } = await capture(before.api, cassette, clock)
    expect([code, stderr]).toEqual([0, expect.stringContaining('40 of 40')])
    expect(clock.sleeps.map((one) => Math.round(one / 50) * 50)).toEqual([
      1000, 2000, 4000, 8000
    ])
    expect(allTextIn(cassette)).not.toContain('Be back soon')
  })

  it('for one question for ever: it is listed as failed, all others are recorded, and the same command sends only it', async () => {
    let walled = true
    const before = await fakeWiki((params) =>
      walled && params.get('titles') === 'P7'
        ? { ...html, body: '<title>Just a moment...</title>' }
        : '{"query":{}}'
    )
    const cassette = tape()
    const first = await capture(before.api, cassette)
    expect([first.code, first.stderr]).toEqual([
      3,
      expect.stringContaining('recorded 39,')
    ])
    expect(first.stderr).toMatch(
      /failed: action=query&titles=P7&format=json: a page of text\/html .*"Just a moment\.\.\."/
    )
    walled = false
    const earlier = before.asked().length
    expect((await capture(before.api, cassette)).code).toBe(0)
    expect(
      before
        .asked()
        .slice(earlier)
        .map((query) => /titles=P\d+/.exec(query)?.[0])
    ).toEqual(['titles=P7'])
  })
})

describe('pages with status 200 for many questions', () => {
  it.each([
    ['a captive portal', 'Welcome to Hotel Wi-Fi'],
    ['a login wall', 'Sign in']
  ])(
    'for every question (%s): told after the first, and no more is asked',
    async (_, title) => {
      const portal = await httpStandIn((_seen, response) => {
        response.writeHead(200, html.headers).end(`<title>${title}</title>`)
      })
      const clock = testClock()
      const api = `${portal.origin}/w/api.php`
      const { code, stderr } = await capture(api, tape(), clock)
      expect(code).toBe(3)
      expect(stderr).toContain(
        `"${title}" to every request: maintenance, a network that wants you to log in`
      )
      expect(stderr).toContain('Open the address in a browser')
      expect(stderr).toContain('39 skipped')
      expect(portal.seen).toHaveLength(3)
      expect(clock.sleeps.reduce((sum, one) => sum + one, 0)).toBeLessThan(10_000)
    }
  )

  it('from the tenth question on: given up after a few, not after all; what was had stays', async () => {
    const before = await fakeWiki((params) =>
      Number(params.get('titles')?.slice(1) ?? 0) > 8
        ? { ...html, body: '<title>Closed</title>' }
        : '{"query":{}}'
    )
    const clock = testClock()
    const cassette = tape()
    const { code, stderr } = await capture(before.api, cassette, clock)
    expect([code, stderr]).toEqual([3, expect.stringContaining('recorded 9,')])
    expect(stderr).toContain('3 requests failed, 28 skipped')
    expect(clock.sleeps.reduce((sum, one) => sum + one, 0)).toBeLessThan(60_000)
  })

  it('refresh and diff end so too, and change nothing', async () => {
    let walled = false
    const before = await fakeWiki(() =>
      walled ? { ...html, body: '<title>Sign in</title>' } : '{"query":{}}'
    )
    const cassette = tape()
    expect((await capture(before.api, cassette)).code).toBe(0)
    const text = allTextIn(cassette)
    walled = true
    const asked = before.seen.length
    const refreshed = await run(['refresh', cassette], { clock: testClock() })
    expect(refreshed.stderr).toContain('"Sign in" to every request')
    const compared = await run(['diff', cassette, before.api], { clock: testClock() })
    expect(compared.stderr).toContain('"Sign in" to every request')
    expect([refreshed.code, compared.code, allTextIn(cassette) === text]).toEqual([
      3,
      2,
      true
    ])
    // The wiki still says what its modules are like, so three questions are put, not one; not all forty.
    expect(before.seen.length - asked).toBeLessThan(30)
  })
})

const captureFrom = (
  origin: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {}
) =>
  run(
    ['capture', `${origin}/w/api.php`, '--requests', '-', '--cassette', tape(), ...flags],
    {
      stdin: 'action=query',
      env
    }
  )

const redirecting = (status: number, location: (target: string) => string) =>
  httpStandIn(({ target }, response) => {
    response
      .writeHead(status, { location: location(target), 'content-type': 'text/html' })
      .end()
  })

describe('a wiki that has moved', () => {
  it('is followed by questions of wikitape’s own, told once, and a POST stays a POST', async () => {
    const there = await fakeWiki()
    const here = await httpStandIn(({ target }, response) => {
      response.writeHead(301, { location: there.origin + target }).end()
    })
    const cassette = tape()
    const long = `action=parse&text=${'Волга '.repeat(3000)}`
    const { code, stderr } = await run(
      ['capture', `${here.origin}/w/api.php`, '--requests', '-', '--cassette', cassette],
      { stdin: `${long}\naction=query&list=allpages` }
    )
    expect([code, stderr.match(/the address to use is/g)?.length]).toEqual([0, 1])
    expect(stderr).toContain(`the address to use is ${there.api}`)
    expect(there.asked()[0]).toMatch(/^POST action=parse/)
  })

  it('in a circle, is an error that says so', async () => {
    const round = await redirecting(302, (target) => target)
    const { code, stderr } = await captureFrom(round.origin)
    expect([code, stderr]).toEqual([3, expect.stringContaining('redirects in a loop')])
    expect(round.seen.length).toBeLessThan(20)
  })

  it('to another site that is no wiki (a portal), is told with where it leads', async () => {
    const portal = await redirecting(302, () => 'http://portal.test/login')
    const { code, stderr } = await captureFrom(portal.origin)
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('a redirect (status 302) to http://portal.test/login')
    ])
  })

  it('to another site’s api.php, is followed by what anybody may see, and told', async () => {
    const there = await fakeWiki()
    const other = there.origin.replace('127.0.0.1', 'localhost')
    const here = await redirecting(308, (target) => other + target)
    const { code, stderr } = await captureFrom(here.origin)
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`the address to use is ${other}/w/api.php`)
    ])
  })
})

describe('a wiki that has moved, and what logs in', () => {
  const secret = 'kd83hf72hdk38fh2k'
  it.each([
    ['a token', [], { WIKITAPE_BEARER: secret }],
    ['a password', ['--login', 'Bob'], { WIKITAPE_PASSWORD: secret }],
    ['a header', ['--header', `X-Access: ${secret}`], {}]
  ] as const)(
    'to another site’s api.php, is not sent what was given to log in: %s',
    async (_, flags, env) => {
      const there = await fakeWiki((params) =>
        params.get('meta') === 'tokens'
          ? '{"query":{"tokens":{"logintoken":"0123456789abcdef+"}}}'
          : '{"query":{}}'
      )
      const here = await redirecting(
        307,
        (target) => there.origin.replace('127.0.0.1', 'localhost') + target
      )
      const { code, stderr } = await captureFrom(here.origin, flags, env)
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining('credentials are not sent there')
      ])
      expect(there.seen).toEqual([])
    }
  )
})

describe('an address of a wiki', () => {
  const page = (head: string) => ({
    body: `<!DOCTYPE html><html><head>${head}</head><body>Волга</body></html>`,
    headers: { 'content-type': 'text/html; charset=utf-8' }
  })
  const capture = (address: string) =>
    run(['capture', address, '--requests', '-', '--cassette', tape()], {
      stdin: 'action=query&list=allpages'
    })

  it.each([
    [
      'of an article: its RSD link',
      '/wiki/Волга',
      page(
        '<link rel="EditURI" type="application/rsd+xml" href="/w/api.php?action=rsd"/>'
      )
    ],
    ['of a page without a link: the usual places', '/wiki/Волга', page('')],
    [
      'of a PDF',
      '/book.pdf',
      { body: '%PDF-1.4', headers: { 'content-type': 'application/pdf' } }
    ],
    ['of what is not there', '/nothing', { status: 404, ...page('<title>404</title>') }]
  ])('%s', async (_, at, answer) => {
    const there = await fakeWiki((params, { target }) =>
      target.startsWith('/w/api.php')
        ? params.get('meta')?.startsWith('siteinfo')
          ? '{"query":{"general":{}}}'
          : '{"query":{}}'
        : answer
    )
    const { code, stderr } = await capture(`${there.origin}${encodeURI(at)}`)
    expect([code, stderr]).toEqual([0, expect.stringContaining(` is ${there.api}\n`)])
  })

  it('without a scheme is tried', async () => {
    const there = await fakeWiki((params) =>
      params.get('meta')?.startsWith('siteinfo')
        ? '{"query":{"general":{}}}'
        : '{"query":{}}'
    )
    const { code, stderr } = await capture(there.origin.replace('http://', ''))
    expect([code, stderr]).toEqual([0, expect.stringContaining(` is ${there.api}\n`)])
  })

  it('of no wiki at all says what was found there', async () => {
    const there = await httpStandIn((_, response) => {
      response
        .writeHead(404, { 'content-type': 'text/html' })
        .end('<title>Nothing here</title>')
    })
    const { code, stderr } = await capture(`${there.origin}/wiki/X`)
    expect(code).toBe(2)
    expect(stderr).toContain('text/html with status 404: "Nothing here"')
    expect(stderr).toContain('Special:Version')
  })
})
