/** `wikitape capture`: recording without a client. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving, start } from '../helpers/program.ts'
import { deadOrigin, httpStandIn } from '../helpers/upstreams.ts'

const tape = (): string => path.join(temporaryFolder(), 'tape')

/** A listing of three batches in both dialects, and one that continues in a circle. */
const pagingWiki = (): Promise<FakeWiki> =>
  fakeWiki((params) => {
    const at = params.get('apcontinue') ?? params.get('apfrom') ?? 'A'
    const next = new Map([
      ['A', 'B'],
      ['B', 'C'],
      ['X', 'X']
    ]).get(at)
    const legacy = params.has('rawcontinue')
    const more =
      next === undefined
        ? {}
        : legacy
          ? { 'query-continue': { allpages: { apcontinue: next } } }
          : { continue: { apcontinue: next, continue: '-||' } }
    return JSON.stringify({ ...more, query: { allpages: [{ title: at }] } })
  })

const listing = 'action=query&list=allpages'

describe('capture', () => {
  it('asks each line of a file once: whole URLs, bare queries, real characters; comments and empty lines skipped', async () => {
    const wiki = await fakeWiki()
    const folder = temporaryFolder()
    const lines = [
      '# the pages',
      `${listing}&apfrom=Волга`,
      '',
      `?${listing}&apfrom=B`,
      `https://ru.wikipedia.org/w/api.php?${listing}&apfrom=C&format=json`,
      `/w/api.php?${listing}&apfrom=D&formatversion=2`
    ]
    writeFileSync(path.join(folder, 'calls.txt'), lines.join('\r\n'))
    const { code, stderr, stdout } = await run(
      ['capture', wiki.api, '--requests', 'calls.txt', '--cassette', 'tape'],
      { cwd: folder }
    )
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toBe('wikitape: 4 of 4 requests done; recorded 4, live requests: 6\n')
    expect(wiki.asked().map((query) => new URLSearchParams(query).get('apfrom'))).toEqual(
      ['Волга', 'B', 'C', 'D']
    )
    expect(
      new Set(wiki.asked().map((query) => new URLSearchParams(query).get('format')))
    ).toEqual(new Set(['json']))
  })

  it('reads stdin with -, and prints its result as JSON with --json', async () => {
    const wiki = await fakeWiki()
    const { stdout, stderr } = await run(
      ['capture', wiki.api, '--requests', '-', '--cassette', tape(), '--json'],
      {
        stdin: `${listing}\n${listing}\n`
      }
    )
    expect(JSON.parse(stdout)).toMatchObject({
      requests: 2,
      done: 2,
      recorded: 1,
      replayed: 1,
      liveRequests: 3
    })
    expect(stderr).toBe('')
  })
})

describe('capture of gaps', () => {
  it.each([
    ['--follow walks every continuation to its end', listing, ['--follow'], 3],
    ['+ in front walks that line', `+${listing}`, [], 3],
    ['without either, one batch is asked', listing, [], 1],
    ['the legacy dialect is walked as well', `${listing}&rawcontinue=`, ['--follow'], 3],
    ['the second format version too', `${listing}&formatversion=2`, ['--follow'], 3]
  ])('%s', async (_, line, flags, batches) => {
    const wiki = await pagingWiki()
    const cassette = tape()
    const { code } = await run(
      ['capture', wiki.api, '--requests', '-', '--cassette', cassette, ...flags],
      {
        stdin: line
      }
    )
    expect(code).toBe(0)
    expect([wiki.asked().length, interactionFiles(cassette).length]).toEqual([
      batches,
      batches
    ])
  })

  it.each(['coverage', 'explain'])(
    'by the command that %s names, a gap is closed',
    async (verb) => {
      const wiki = await pagingWiki()
      const one = `${listing}&aplimit=1`
      const cassette = tape()
      await run(['capture', wiki.api, '--requests', '-', '--cassette', cassette], {
        stdin: one
      })
      const args =
        verb === 'coverage' ? [cassette] : [`${one}&apfrom=B`, '--cassette', cassette]
      const { stdout } = await run([verb, ...args])
      const [, query = '', command = ''] =
        /record it: echo '([^']*)' \| wikitape (.*)$/m.exec(stdout) ?? []
      expect(command.split(' ')).toEqual([
        'capture',
        wiki.api,
        '--cassette',
        cassette,
        '--requests',
        '-',
        '--follow'
      ])
      await run(command.split(' '), { stdin: query })
      expect((await run(['coverage', cassette, '--require-complete'])).code).toBe(0)
    }
  )
})

describe('capture of many lines', () => {
  it('ends a walk that goes in a circle, and says where', async () => {
    const wiki = await pagingWiki()
    const { code, stderr } = await run(
      ['capture', wiki.api, '--requests', '-', '--cassette', tape(), '--follow'],
      {
        stdin: `${listing}&apfrom=X`
      }
    )
    expect(code).toBe(0)
    expect(stderr).toContain('the continuation repeats itself at ')
    expect(wiki.asked().length).toBeLessThan(5)
  })

  it('sends a long line as a POST', async () => {
    const wiki = await fakeWiki()
    const text = 'Волга '.repeat(3000)
    const cassette = tape()
    await run(['capture', wiki.api, '--requests', '-', '--cassette', cassette], {
      stdin: `action=parse&text=${text}`
    })
    expect(wiki.asked()[0]).toMatch(/^POST action=parse&text=/)
    expect(interactionFiles(cassette).length).toBe(1)
  })
})

describe('capture again', () => {
  it('run twice asks the wiki once, and leaves every file as it was', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    const args = ['capture', wiki.api, '--requests', '-', '--cassette', cassette]
    await run(args, { stdin: listing })
    const before = filesIn(cassette)
    expect((await run(args, { stdin: listing })).stderr).toContain('live requests: 0')
    expect(
      (await run([...args, '--mode', 'update'], { stdin: listing })).stderr
    ).toContain('unchanged 1')
    expect(filesIn(cassette)).toEqual(before)
  })

  it('stopped in the middle keeps what update would have dropped', async () => {
    let arrived = (): void => undefined
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let answer = (): void => undefined
    let slow = false
    const wiki = await fakeWiki((_params, _seen, response) => {
      if (!slow) return '{"query":{}}'
      answer = () =>
        void response.setHeader('content-type', 'application/json').end('{"query":{}}')
      slow = false
      arrived()
      return 'taken'
    })
    const cassette = tape()
    const args = ['capture', wiki.api, '--requests', '-', '--cassette', cassette]
    const lines = ['A', 'B', 'C'].map((from) => `${listing}&apfrom=${from}\n`).join('')
    await run(args, { stdin: lines })
    slow = true
    const started = start([...args, '--mode', 'update'], { stdin: lines })
    await underWay
    started.kill('SIGINT')
    answer()
    await started.ended
    expect(interactionFiles(cassette).length).toBe(3)
  })

  it('what was captured is replayed to a client', async () => {
    const wiki = await pagingWiki()
    const cassette = tape()
    await run(['capture', wiki.api, '--requests', '-', '--cassette', cassette], {
      stdin: `+${listing}&format=json`
    })
    await wiki.close()
    const replay = await serving(['replay', '--cassette', cassette])
    const reply = await ask(
      `${replay.api}?${listing}&format=json&apcontinue=B&continue=-||`
    )
    expect(JSON.parse(reply.text)).toMatchObject({
      query: { allpages: [{ title: 'B' }] }
    })
  })
})

describe('capture of a wiki that fails', () => {
  it('stops at once where the wiki cannot be reached: exit code 3', async () => {
    const cassette = tape()
    const { code, stderr } = await run(
      [
        'capture',
        `${await deadOrigin()}/w/api.php`,
        '--requests',
        '-',
        '--cassette',
        cassette
      ],
      { stdin: `${listing}\n${listing}&apfrom=B` }
    )
    expect(code).toBe(3)
    expect(stderr).toContain('cannot be reached (ECONNREFUSED)')
    expect(stderr).toContain('0 of 2 requests done')
  })

  it('goes on after one broken answer, and ends with 3', async () => {
    const wiki = await fakeWiki((params, _seen, response) => {
      if (params.get('apfrom') !== 'B') return '{"query":{}}'
      response.destroy()
      return 'taken'
    })
    const cassette = tape()
    const { code, stderr } = await run(
      ['capture', wiki.api, '--requests', '-', '--cassette', cassette],
      {
        stdin: ['A', 'B', 'C'].map((from) => `${listing}&apfrom=${from}\n`).join('')
      }
    )
    expect(code).toBe(3)
    expect(stderr).toContain('closed the connection without an answer')
    expect(interactionFiles(cassette).length).toBe(2)
  })

  it('keeps a password of a request out of its messages', async () => {
    const { stderr } = await run(
      [
        'capture',
        `${await deadOrigin()}/w/api.php`,
        '--requests',
        '-',
        '--cassette',
        tape()
      ],
      { stdin: 'action=login&lgname=Bob&lgpassword=hunter2-secret' }
    )
    expect(stderr).not.toContain('hunter2-secret')
  })
})

describe('capture without requests', () => {
  it.each([
    [
      'no --requests',
      [],
      '',
      '--requests is missing; expected a file with one query string per line, or - for stdin'
    ],
    [
      'an empty stdin',
      ['--requests', '-'],
      '\n\n# nothing\n',
      'stdin has no requests; expected one query string per line'
    ],
    [
      'a file that is not there',
      ['--requests', 'no/such/file'],
      '',
      'cannot read no/such/file'
    ],
    ['a folder', ['--requests', '.'], '', 'cannot read .']
  ])('%s: says so, exit code 2', async (_, flags, stdin, message) => {
    const { code, stderr } = await run(
      ['capture', 'http://127.0.0.1:1/w/api.php', ...flags],
      {
        stdin,
        cwd: temporaryFolder()
      }
    )
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('capture --describe', () => {
  it('keeps what the wiki says of every module, with no request at all', async () => {
    const wiki = await fakeWiki()
    const cassette = tape()
    const { code, stderr } = await run([
      'capture',
      wiki.api,
      '--describe',
      '--cassette',
      cassette
    ])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^wikitape: \d\d+ modules described\nwikitape: 0 of 0 requests done; .*live requests: 2\n$/
      )
    ])
    const kept = [...filesIn(cassette).keys()].filter((name) =>
      name.startsWith('paraminfo/')
    )
    expect(stderr).toContain(`wikitape: ${kept.length} modules described`)
    expect(kept).toContain('paraminfo/edit.json')
    expect(kept).toContain('paraminfo/query+allpages.json')
    const before = filesIn(cassette)
    await run(['capture', wiki.api, '--describe', '--cassette', cassette])
    expect(filesIn(cassette)).toEqual(before)
  })

  it('asks a wiki before 1.28, which knows no **, for each module by name', async () => {
    const named = (name: string, values: readonly string[], prefix = ''): object => ({
      name,
      type: values,
      submodules: Object.fromEntries(values.map((value) => [value, `${prefix}${value}`]))
    })
    const modules = new Map<string, object>([
      [
        'main',
        { path: 'main', prefix: '', parameters: [named('action', ['query', 'edit'])] }
      ],
      [
        'query',
        {
          path: 'query',
          prefix: '',
          parameters: [named('list', ['allpages'], 'query+')]
        }
      ],
      ['edit', { path: 'edit', prefix: '', parameters: [] }],
      [
        'query+allpages',
        { path: 'query+allpages', prefix: 'ap', parameters: [{ name: 'from' }] }
      ]
    ])
    const asked: string[] = []
    const wiki = await httpStandIn(({ target }, response) => {
      const params = new URL(target, 'http://wiki').searchParams
      const paths = params.get('modules')?.split('|') ?? []
      if (paths.length > 0) asked.push(paths.join('|'))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          paraminfo: { modules: paths.flatMap((path) => modules.get(path) ?? []) }
        })
      )
    })
    const cassette = tape()
    const { code } = await run([
      'capture',
      `${wiki.origin}/w/api.php`,
      '--describe',
      '--cassette',
      cassette
    ])
    expect(code).toBe(0)
    expect(asked).toEqual(['main|**', 'query|edit', 'query+allpages'])
    const kept = [...filesIn(cassette).keys()]
      .filter((name) => name.startsWith('paraminfo/'))
      .sort()
    expect(kept).toEqual(
      [...modules.keys()].map((path) => `paraminfo/${path}.json`).sort()
    )
  })
})

describe('capture --describe that cannot ask', () => {
  it('tells where the wiki cannot be asked, may not be, or says nothing of itself', async () => {
    const dead = await run([
      'capture',
      `${await deadOrigin()}/w/api.php`,
      '--describe',
      '--cassette',
      tape()
    ])
    expect(dead.code).toBe(3)
    expect(dead.stderr).toMatch(
      /^wikitape: failed: the descriptions of its modules: .* cannot be reached/
    )
    const busy = await httpStandIn((_, response) => {
      response.writeHead(503).end('busy')
    })
    const late = await run([
      'capture',
      `${busy.origin}/w/api.php`,
      '--describe',
      '--cassette',
      tape()
    ])
    expect(late.code).toBe(3)
    expect(late.stderr).toContain('the descriptions of its modules: HTTP status 503')
    const wiki = await fakeWiki()
    const none = await run([
      'capture',
      wiki.api,
      '--describe',
      '--cassette',
      tape(),
      '--mode',
      'none'
    ])
    expect([none.code, none.stderr]).toEqual([
      2,
      'wikitape: --repeat and --describe need recordings, and mode none records nothing\n'
    ])
  })
})
