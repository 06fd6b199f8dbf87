/** One cassette, one wiki: every door of the command line and the library, against wikis that are the same, moved, or others. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startRecording } from '../../src/index.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { asking as askingFor, shell } from '../helpers/commands.ts'
import { type Farm, farm } from '../helpers/farm.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type Run, run, serving } from '../helpers/program.ts'

const known = 'action=query&list=allpages&format=json'
const fresh = 'action=query&list=random&format=json'

/** What became of a request for the wiki at `api` that went through a door. */
interface Outcome {
  /** Everything that was told and answered. */
  readonly text: string
  readonly code: number | null
}

interface Through {
  readonly cassette: string
  readonly api: string
  readonly query: string
  readonly moved: boolean
}

type Door = (through: Through) => Promise<Outcome>

const flag = (moved: boolean): readonly string[] => (moved ? ['--moved'] : [])
const outcome = ({ code, stdout, stderr }: Run): Outcome => ({
  code,
  text: stdout + stderr
})

/** Serves, asks once, and stops; a run that does not begin has said why. */
async function asking(args: readonly string[], query: string): Promise<Outcome> {
  const served = await serving(args).catch((error: Error) => error.message)
  if (typeof served === 'string')
    return { code: 2, text: JSON.parse(/\{.*\}/s.exec(served)?.[0] ?? '{}').stderr }
  const { text } = await ask(`${served.api}?${query}`)
  const ended = outcome(await served.stop())
  return { ...ended, text: text + ended.text }
}

const har = ({ api, query }: Through): string =>
  JSON.stringify({
    log: {
      entries: [
        {
          startedDateTime: '2026-01-01T00:00:00Z',
          request: { method: 'GET', url: `${api}?${query}&x=1`, headers: [] },
          response: {
            status: 200,
            headers: [{ name: 'content-type', value: 'application/json' }],
            content: { mimeType: 'application/json', text: '{"batchcomplete":""}' }
          }
        }
      ]
    }
  })

/** Doors through which a recorded request would be answered from the cassette. */
const doors: Readonly<Record<string, Door>> = {
  record: ({ cassette, api, query, moved }) =>
    asking(['record', api, '--cassette', cassette, ...flag(moved)], query),
  'record --mode none': ({ cassette, api, query, moved }) =>
    asking(
      ['record', api, '--mode', 'none', '--cassette', cassette, ...flag(moved)],
      query
    ),
  capture: async ({ cassette, api, query, moved }) =>
    outcome(
      await run(
        ['capture', api, '--requests', '-', '--cassette', cassette, ...flag(moved)],
        {
          stdin: query
        }
      )
    ),
  'exec --record': async ({ cassette, api, query, moved }) =>
    outcome(
      await run([
        'exec',
        '--record',
        api,
        '--cassette',
        cassette,
        ...flag(moved),
        '--',
        ...shell(askingFor(`?${query}`))
      ])
    ),
  'exec --record --discard-on-failure': async ({ cassette, api, query, moved }) =>
    outcome(
      await run([
        ...[
          'exec',
          '--record',
          api,
          '--cassette',
          cassette,
          '--discard-on-failure',
          ...flag(moved)
        ],
        ...['--', ...shell(askingFor(`?${query}`))]
      ])
    ),
  refresh: async ({ cassette, api, moved }) =>
    outcome(await run(['refresh', cassette, '--upstream', api, ...flag(moved)])),
  import: async (through) => {
    const file = path.join(temporaryFolder(), 'one.har')
    writeFileSync(file, har(through))
    return outcome(
      await run(['import', file, '--cassette', through.cassette, ...flag(through.moved)])
    )
  },
  startRecording: async ({ cassette, api, query, moved }) => {
    try {
      const server = await startRecording({
        apiUrl: api,
        cassette,
        ...(moved ? { moved } : {})
      })
      const { text } = await ask(`${server.apiUrl}?${query}`)
      await server.close()
      return { code: text.includes('cassette-unusable') ? 2 : 0, text }
    } catch (error) {
      return { code: 2, text: String(error) }
    }
  }
}

/** A cassette of the wiki at `api`. @param knowsWiki false as version 0.1 recorded it, without the wiki's id */
async function recorded(api: string, knowsWiki = true): Promise<string> {
  const cassette = path.join(temporaryFolder(), 'tape')
  const { code } = await run(
    ['capture', api, '--requests', '-', '--cassette', cassette],
    {
      stdin: known
    }
  )
  expect(code).toBe(0)
  const manifest = path.join(cassette, 'cassette.json')
  const text = readFileSync(manifest, 'utf8')
  if (!knowsWiki) writeFileSync(manifest, text.replace(/,\s*"wikiid": "\w+"/, ''))
  return cassette
}

const upstreamOf = (cassette: string): string =>
  CassetteStore.open(cassette).manifest.upstream

/** Refused: both addresses, what to do, exit code 2, and no file touched, no question put to the other wiki. */
async function expectRefusal(door: Door, through: Through, asked: Farm): Promise<void> {
  const before = filesIn(through.cassette)
  const count = asked.asked()
  const { code, text } = await door(through)
  expect(text).toContain(`is a recording of ${upstreamOf(through.cassette)}`)
  expect(text).toContain(through.api)
  expect(text).toMatch(/use another folder for that wiki|add --moved/)
  expect(text).not.toContain('answeredBy')
  expect(code).toBe(2)
  expect(filesIn(through.cassette)).toEqual(before)
  expect(asked.asked()).toBe(count)
}

const en = { wikiid: 'enwiki', lang: 'en' }
const de = { wikiid: 'dewiki', lang: 'de' }

describe.each(Object.entries(doors))('%s', (name, door) => {
  it('takes the same wiki, however its address is spelled', async () => {
    const host = await farm({ '/w/api.php': en })
    const cassette = await recorded(`${host.origin}/w/api.php`)
    const api = `${host.origin.replace('127.0.0.1', 'localhost')}/w/api.php`
    expect(await door({ cassette, api, query: known, moved: false })).toMatchObject({
      code: 0
    })
    expect(upstreamOf(cassette)).toContain(host.origin.replace('http://127.0.0.1', ''))
  })

  it.each([true, false])(
    'takes one that has moved when told so (its id is known: %s)',
    async (knows) => {
      const before = await farm({ '/w/api.php': en })
      const after = await farm({ '/w/api.php': en })
      const cassette = await recorded(`${before.origin}/w/api.php`, knows)
      const through = { cassette, api: `${after.origin}/w/api.php`, query: known }
      await expectRefusal(door, { ...through, moved: false }, after)
      expect(await door({ ...through, moved: true })).toMatchObject({ code: 0 })
      if (name === 'record --mode none') return
      expect(upstreamOf(cassette)).toBe(through.api)
      expect(await door({ ...through, moved: false })).toMatchObject({ code: 0 })
    }
  )

  it('refuses another wiki at another path of the same host', async () => {
    const host = await farm({ '/en/api.php': en, '/de/api.php': de })
    const cassette = await recorded(`${host.origin}/en/api.php`)
    const through = {
      cassette,
      api: `${host.origin}/de/api.php`,
      query: known,
      moved: false
    }
    await expectRefusal(door, through, host)
  })

  it('refuses another wiki of another host', async () => {
    const here = await farm({ '/w/api.php': en })
    const there = await farm({ '/w/api.php': de })
    const cassette = await recorded(`${here.origin}/w/api.php`)
    const through = {
      cassette,
      api: `${there.origin}/w/api.php`,
      query: known,
      moved: false
    }
    await expectRefusal(door, through, there)
  })
})

/** At the others nobody can be asked who the wiki is: what other programs kept is all there is, and in mode none nothing goes out. */
const verifying = Object.entries(doors).filter(
  ([name]) => name !== 'import' && name !== 'record --mode none'
)

describe.each(verifying)('%s, where the wiki can be asked who it is,', (name, door) => {
  it('refuses another one although it is said to have moved', async () => {
    const host = await farm({ '/en/api.php': en, '/de/api.php': de })
    const api = `${host.origin}/de/api.php`
    const cassette = await recorded(`${host.origin}/en/api.php`)
    const { code, text } = await door({ cassette, api, query: known, moved: true })
    expect([code, text]).toEqual([
      2,
      expect.stringContaining(`(wiki id enwiki), and ${api} (wiki id dewiki)`)
    ])
    expect(upstreamOf(cassette)).toBe(`${host.origin}/en/api.php`)
    const old = await recorded(`${host.origin}/en/api.php`, false)
    const other = await door({ cassette: old, api, query: known, moved: true })
    expect([other.code, other.text]).toEqual([
      2,
      expect.stringContaining('(language en)')
    ])
  })

  it('refuses another one that answers at the same address', async () => {
    const host = await farm({ '/w/api.php': en })
    const api = `${host.origin}/w/api.php`
    const cassette = await recorded(api)
    host.members['/w/api.php'] = de
    const before = filesIn(cassette)
    const count = host.asked()
    const { code, text } = await door({ cassette, api, query: fresh, moved: false })
    expect([code, text]).toEqual([
      2,
      expect.stringContaining('(wiki id dewiki) is another wiki')
    ])
    expect(filesIn(cassette)).toEqual(before)
    if (name !== 'refresh') expect(host.asked()).toBe(count)
  })
})

describe('a cassette that a request names', () => {
  /** A recording server for the first wiki, beside whose cassette lies one of the second. */
  async function twoCassettes(
    first: string,
    second: string
  ): Promise<{ api: string; stop: () => Promise<Run> }> {
    const own = await recorded(first)
    renameSync(await recorded(second), path.join(path.dirname(own), 'beside'))
    return serving(['record', first, '--cassette', own])
  }

  const byHeader = (api: string) =>
    ask(`${api}?${known}`, { headers: { 'x-cassette': 'beside' } })
  const byPath = (api: string) =>
    ask(`${new URL(api).origin}/~beside${new URL(api).pathname}?${known}`)

  it.each([
    ['by header', byHeader],
    ['by path', byPath]
  ])(
    '%s is served where it is of the same wiki, and refused where it is of another',
    async (_, named) => {
      const host = await farm({ '/en/api.php': en, '/de/api.php': de })
      const first = `${host.origin}/en/api.php`
      const second = `${host.origin}/de/api.php`
      const same = await twoCassettes(first, first)
      expect((await named(same.api)).headers['x-cassette-status']).toBe('replayed')
      expect((await same.stop()).code).toBe(0)
      const other = await twoCassettes(first, second)
      const { status, text } = await named(other.api)
      expect([status, text]).toEqual([
        500,
        expect.stringContaining(`is a recording of ${second}, not of ${first}`)
      ])
      const { code, stderr } = await other.stop()
      expect([code, stderr]).toEqual([2, expect.stringContaining(second)])
    }
  )
})

describe('without --cassette', () => {
  it('each wiki of a host has a folder of its own, and its own answers', async () => {
    const cwd = temporaryFolder()
    const host = await farm({
      '/en/api.php': en,
      '/de/api.php': de,
      '/w/api.php': {},
      '/api.php': { lang: 'fr' }
    })
    const name = new URL(host.origin).host.replace(':', '_')
    for (const [at, folder] of [
      ['/w/api.php', name],
      ['/en/api.php', `${name}_en`],
      ['/de/api.php', `${name}_de`]
    ]) {
      const served = await serving(['record', `${host.origin}${at}`], { cwd })
      const { headers, text } = await ask(`${served.api}?${known}`)
      expect([headers['x-cassette-status'], text]).toEqual([
        'recorded',
        expect.stringContaining(`"path":"${at}"`)
      ])
      await served.stop()
      expect(upstreamOf(path.join(cwd, 'cassettes', folder ?? ''))).toBe(
        `${host.origin}${at}`
      )
    }
    const stdin = { cwd, stdin: known }
    const root = await run(
      ['capture', `${host.origin}/api.php`, '--requests', '-'],
      stdin
    )
    expect([root.code, root.stderr]).toEqual([
      2,
      expect.stringContaining('is a recording of')
    ])
    const again = await run(
      ['capture', `${host.origin}/en/api.php`, '--requests', '-'],
      stdin
    )
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('replayed 1')])
  })

  it('the folder that version 0.1 named after the host alone is taken for its own wiki, and for no other', async () => {
    const cwd = temporaryFolder()
    const host = await farm({ '/en/api.php': en, '/de/api.php': de })
    const folder = path.join(
      cwd,
      'cassettes',
      new URL(host.origin).host.replace(':', '_')
    )
    mkdirSync(path.dirname(folder))
    cpSync(await recorded(`${host.origin}/en/api.php`, false), folder, {
      recursive: true
    })
    const captured = (at: string): Promise<Run> =>
      run(['capture', `${host.origin}${at}`, '--requests', '-'], { cwd, stdin: known })
    expect((await captured('/en/api.php')).stderr).toContain('replayed 1')
    expect((await captured('/de/api.php')).stderr).toContain('recorded 1')
    expect([existsSync(`${folder}_en`), existsSync(`${folder}_de`)]).toEqual([
      false,
      true
    ])
  })
})

it('another wiki with --into another folder is refreshed, and compared, as ever', async () => {
  const here = await farm({ '/w/api.php': en })
  const there = await farm({ '/w/api.php': de })
  const cassette = await recorded(`${here.origin}/w/api.php`)
  const into = `${cassette}-2`
  const api = `${there.origin}/w/api.php`
  expect(
    await run(['refresh', cassette, '--upstream', api, '--into', into])
  ).toMatchObject({
    code: 0
  })
  expect([upstreamOf(cassette), upstreamOf(into)]).toEqual([
    `${here.origin}/w/api.php`,
    api
  ])
  expect((await run(['diff', cassette, api, '--fail-on', 'none'])).code).toBe(0)
  const back = await run([
    'refresh',
    into,
    '--upstream',
    `${here.origin}/w/api.php`,
    '--into',
    cassette
  ])
  expect(back.code).toBe(0)
  const third = await run([
    'refresh',
    cassette,
    '--upstream',
    api,
    '--into',
    into,
    '--moved'
  ])
  expect(third.code).toBe(0)
  const mixed = await run(['refresh', into, '--into', cassette])
  expect([mixed.code, mixed.stderr]).toEqual([
    2,
    expect.stringContaining('is a recording of')
  ])
})

it('a query is explained as one to the wiki of the cassette, a whole address as it stands', async () => {
  const host = await farm({ '/en/api.php': en })
  const cassette = await recorded(`${host.origin}/en/api.php`)
  const explained = async (asked: string): Promise<string> =>
    (await run(['explain', asked, '--cassette', cassette])).stdout
  expect(await explained(known)).toContain('is recorded')
  expect(await explained(`${host.origin}/en/api.php?${known}`)).toContain('is recorded')
  expect(await explained(`${host.origin}/de/api.php?${known}`)).toContain('other-wiki: ')
})

it('two wikis of one host in one recording of another program become two cassettes', async () => {
  const folder = temporaryFolder()
  const texts = ['/en/api.php', '/de/api.php'].map((at) =>
    har({ cassette: '', api: `http://wiki.example${at}`, query: known, moved: false })
  )
  const entries = texts.flatMap((text) => JSON.parse(text).log.entries)
  entries[1].response.content.text = '{"of":"de"}'
  const page = (at: string): unknown => ({
    ...entries[0],
    request: { ...entries[0].request, url: `http://wiki.example${at}` }
  })
  const log = {
    entries: [...entries, page('/de/load.php?modules=x'), page('/static/x.js')]
  }
  const file = path.join(folder, 'two.har')
  writeFileSync(file, JSON.stringify({ log }))
  const { code, stderr } = await run([
    'import',
    file,
    '--cassette',
    path.join(folder, 'out')
  ])
  expect([code, stderr]).toEqual([0, expect.stringContaining('skipped 0')])
  const [inEn, inDe] = ['en', 'de'].map((name) =>
    [...filesIn(path.join(folder, 'out', `wiki.example_${name}`))].join('\n')
  )
  expect([inEn?.includes('"of": "de"'), inDe?.includes('"of": "de"')]).toEqual([
    false,
    true
  ])
  expect([inEn?.includes('/de/load.php'), inDe?.includes('/de/load.php')]).toEqual([
    false,
    true
  ])
  expect([inEn?.includes('/static/x.js'), inDe?.includes('/static/x.js')]).toEqual([
    true,
    false
  ])
})

it('of two runs that begin one cassette at once for two wikis, one records', async () => {
  const here = await farm({ '/w/api.php': {} })
  const there = await farm({ '/w/api.php': {} })
  const cassette = path.join(temporaryFolder(), 'tape')
  const servers = await Promise.all(
    [here, there].map(({ origin }) =>
      serving(['record', `${origin}/w/api.php`, '--cassette', cassette])
    )
  )
  for (const { api } of servers) await ask(`${api}?${known}`)
  const codes: (number | null)[] = []
  for (const { stop } of servers) codes.push((await stop()).code)
  expect(codes).toEqual([0, 2])
  expect(upstreamOf(cassette)).toBe(`${here.origin}/w/api.php`)
})
