/** Keeping cassettes clean: prune, expiry, normalize, and what check says of it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  maxInlineBytes,
  maxInlineCharacters
} from '../../src/recorder/cassette/format/encode-interaction.ts'
import { toDay } from '../../src/recorder/cassette/format/manifest.ts'
import type { Interaction } from '../../src/recorder/cassette/interaction.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { asking as asks, shell, visiting } from '../helpers/commands.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { fullDiskAfter } from '../helpers/full-disk.ts'
import { ask, type HttpReply } from '../helpers/http-client.ts'
import { spawnServing } from '../helpers/processes.ts'
import { type Run, run, serving } from '../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { scaled } from '../helpers/scale.ts'
import { Client, statefulWiki, withoutTokens } from '../helpers/stateful-wiki.ts'

const upstream = 'http://127.0.0.1:9/w/api.php'

/** A request that is derived without the wiki describing itself. */
const plain = (name: string): Interaction =>
  interactionOf({ 'plain target': `/w/${name}` }, [
    response({ kind: 'text', text: name })
  ])

interface Made {
  readonly root: string
  readonly dir: string
}

function cassette(...names: readonly string[]): Made {
  const root = temporaryFolder()
  const dir = path.join(root, 'cassettes', 'tape')
  const store = CassetteStore.openOrCreate(dir, upstream)
  for (const name of names) store.put(plain(name))
  store.checkpoint()
  return { root, dir }
}

/** A command that asks for these. */
const asking = (...names: readonly string[]): readonly string[] =>
  shell(names.map(visiting).join(' && ') || 'true')

const held = ({ dir }: Made): readonly string[] =>
  interactionFiles(dir).map((file) => /w_(\w+)\./.exec(file)?.[1] ?? file)

describe('prune', () => {
  it('lists what a command did not use, and drops it only when told to', async () => {
    const made = cassette('a', 'b', 'c')
    const listed = await run(['prune', made.dir, '--', ...asking('b')])
    expect(listed.code).toBe(0)
    expect(listed.stdout).toMatch(
      /^would drop plain\/w_a\.[0-9a-f]{12}\.json\nwould drop plain\/w_c\.[0-9a-f]{12}\.json\n.*tape: 2 of 3 recordings are unused; add --yes to drop them\n$/
    )
    expect(held(made)).toEqual(['a', 'b', 'c'])
    const dropped = await run([
      'prune',
      made.dir,
      '--yes',
      '--json',
      '--',
      ...asking('b')
    ])
    expect(dropped.code).toBe(0)
    expect(JSON.parse(dropped.stdout)).toMatchObject({
      done: true,
      recordings: 3,
      dropped: [{}, {}],
      broken: []
    })
    expect(held(made)).toEqual(['b'])
    expect((await run(['prune', made.dir, '--', ...asking('b')])).stdout).toMatch(
      /^\S+tape: 0 of 1 recording is unused\n$/
    )
  })

  it('drops only what no run used, and nothing that came after the runs', async () => {
    const made = cassette('a', 'b', 'c', 'd')
    const usage = (name: string): string => path.join(made.root, `${name}.json`)
    for (const name of ['a', 'b']) {
      const { code } = await run(
        [
          'replay',
          '--cassette',
          'cassettes/tape',
          '--port',
          '0',
          '--usage',
          `${name}.json`,
          '--',
          ...asking(name)
        ],
        { cwd: made.root }
      )
      expect(code).toBe(0)
    }
    CassetteStore.open(made.dir).put(plain('new'))
    const checked = await run([
      'check',
      made.dir,
      '--usage',
      usage('a'),
      '--usage',
      usage('b')
    ])
    expect(checked.code).toBe(1)
    expect(checked.stdout.match(/: unused: no run used it/g)?.length).toBe(2)
    const { code } = await run([
      'prune',
      made.dir,
      '--usage',
      usage('a'),
      '--usage',
      usage('b'),
      '--yes'
    ])
    expect(code).toBe(0)
    expect(held(made)).toEqual(['a', 'b', 'new'])
    expect(
      (await run(['check', made.dir, '--usage', usage('a'), '--usage', usage('b')]))
        .stdout
    ).toMatch(/^no faults/)
  })
})

describe('prune after runs that prove too little', () => {
  it('drops nothing after a run that missed, failed or used nothing, unless forced', async () => {
    for (const [command, why] of [
      [asking('a', 'missing'), 'had 1 missed request'],
      [shell('exit 3'), 'ended with exit code 3'],
      [asking(), 'used no recording of'],
      [shell('exit 2'), 'ended with exit code 2']
    ] as const) {
      const made = cassette('a', 'b')
      const { code, stderr } = await run(['prune', made.dir, '--yes', '--', ...command])
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
      expect(stderr).toContain('nothing was dropped')
      expect(held(made)).toEqual(['a', 'b'])
    }
    const made = cassette('a', 'b')
    const none = await run(['prune', made.dir, '--yes', '--', '/nowhere/no-such-command'])
    expect([none.code, none.stderr, held(made)]).toEqual([
      2,
      expect.stringContaining('cannot run /nowhere/no-such-command: command not found'),
      ['a', 'b']
    ])
    const forced = await run([
      'prune',
      made.dir,
      '--yes',
      '--force',
      '--',
      ...asking('a', 'missing')
    ])
    expect([forced.code, held(made)]).toEqual([0, ['a']])
  })
})

describe('prune of what an answer rests on', () => {
  it('keeps all that an answer was proven by', async () => {
    const titles = ['A', 'B', 'C', 'D']
    const wiki = await fakeWiki((params) => {
      const from = titles.indexOf(params.get('apcontinue') ?? params.get('apfrom') ?? 'A')
      const next = titles[from + Number(params.get('aplimit'))]
      const allpages = titles
        .slice(from, from + Number(params.get('aplimit')))
        .map((title) => ({ pageid: titles.indexOf(title) + 1, ns: 0, title }))
      const more =
        next === undefined ? {} : { continue: { apcontinue: next, continue: '-||' } }
      return JSON.stringify({ batchcomplete: '', ...more, query: { allpages } })
    })
    const dir = path.join(temporaryFolder(), 'tape')
    const list = 'action=query&list=allpages&format=json&continue='
    const calls = path.join(path.dirname(dir), 'calls.txt')
    writeFileSync(
      calls,
      `+${list}&aplimit=1\n${list}&apfrom=C&aplimit=1\naction=query&meta=siteinfo\n`
    )
    const captured = await run([
      'capture',
      wiki.api,
      '--requests',
      calls,
      '--cassette',
      dir
    ])
    expect([captured.code, interactionFiles(dir).length]).toEqual([0, 6])
    await wiki.close()
    const command = shell(
      `${asks(`?${list}&aplimit=2`, '--include')} | grep --ignore-case '^x-cassette-status: synthesized'`
    )
    const { code, stdout, stderr } = await run(['prune', dir, '--yes', '--', ...command])
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('1 of 6'),
      expect.anything()
    ])
    expect(
      interactionFiles(dir).every((file) => file.startsWith('query.allpages/'))
    ).toBe(true)
    expect((await run(['prune', dir, '--', ...command])).code).toBe(0)
  })

  it('keeps what stands between a client and a more general recording that would be wrong for it', async () => {
    const made = cassette('b')
    const store = CassetteStore.open(made.dir)
    const general = { 'plain target': '/w/a' }
    const narrow = [
      { ...general, 'after writes': 'x' },
      { ...general, 'in session': 'x' },
      { ...general, 'after writes': 'y', 'in session': 'x' }
    ]
    for (const request of [general, ...narrow])
      store.put(interactionOf(request, [response({ kind: 'text', text: 'x' })]))
    const used = await run(['prune', made.dir, '--yes', '--', ...asking('a')])
    expect([used.code, used.stdout]).toEqual([
      0,
      expect.stringContaining('1 of 5 recordings are unused')
    ])
    expect(interactionFiles(made.dir).length).toBe(4)
    store.put(plain('c'))
    expect((await run(['prune', made.dir, '--yes', '--', ...asking('c')])).code).toBe(0)
    expect(held(made)).toEqual(['c'])
  })
})

describe('prune of a session', () => {
  it.each<[string, (client: Client) => Promise<readonly HttpReply[]>]>([
    [
      'writes twice',
      async (client) => [
        await client.login('Bob'),
        await client.edit('P', 'one'),
        await client.read('P'),
        await client.edit('P', 'two'),
        await client.read('P')
      ]
    ]
  ])('leaves a session that %s with all that it needs', async (_, session) => {
    const wiki = await statefulWiki()
    const dir = path.join(temporaryFolder(), 'tape')
    const usage = path.join(path.dirname(dir), 'usage.json')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    const client = new Client(recording.api)
    await client.read('P')
    await client.login('Bob')
    for (const text of ['one', 'two']) {
      await client.edit('P', text)
      await client.read('P')
    }
    await client.read('Q')
    await new Client(recording.api).read('R')
    expect((await recording.stop()).code).toBe(0)
    const before = interactionFiles(dir).length
    const answers = async (api: string): Promise<readonly string[]> =>
      (await session(new Client(api))).map(withoutTokens)

    const replay = await serving(['replay', '--cassette', dir, '--usage', usage])
    const whole = await answers(replay.api)
    const { code, stderr } = await replay.stop()
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^(?![\s\S]*missed \d)[\s\S]*replayed \d/)
    ])
    expect((await run(['prune', dir, '--usage', usage, '--yes'])).code).toBe(0)
    expect(interactionFiles(dir).length).toBeLessThan(before)
    const again = await serving(['replay', '--cassette', dir])
    expect(await answers(again.api)).toEqual(whole)
    expect((await again.stop()).stderr).toMatch(/^(?![\s\S]*missed \d)[\s\S]*replayed \d/)
  })
})

describe('prune of what it cannot judge', () => {
  it('leaves what cannot be read, and takes large bodies along', async () => {
    const made = cassette('a', 'b')
    const bytes = response({ kind: 'binary', bytes: Buffer.alloc(maxInlineBytes + 1, 7) })
    CassetteStore.open(made.dir).put(
      interactionOf({ 'plain target': '/w/image' }, [bytes])
    )
    const broken = interactionFiles(made.dir).find((file) => file.includes('w_b')) ?? ''
    writeFileSync(path.join(made.dir, broken), '{"request"')
    const { code, stderr } = await run(['prune', made.dir, '--yes', '--', ...asking('a')])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`${broken} cannot be read and was skipped`)
    ])
    expect(readdirSync(path.join(made.dir, 'plain')).sort()).toEqual(
      [...interactionFiles(made.dir)].map((file) => path.basename(file)).sort()
    )
    expect(held(made)).toEqual(['a', 'b'])
  })

  it.each([
    ['no such file', undefined, 'file not found: '],
    ['an empty file', '', 'value expected'],
    ['a file cut off', '{"usage": {"exitCode": 0, "cassettes": [', 'usage.json:1:'],
    [
      'other JSON',
      '{"usage":{"exitCode":0,"cassettes":[{"cassette":"cassettes/tape"}]}}',
      'is not what wikitape replay'
    ],
    [
      'paths for keys',
      '{"usage":{"exitCode":0,"cassettes":[{"cassette":"cassettes/tape","missed":0,"used":1,"unused":["../../x"]}]}}',
      'is not what wikitape replay'
    ],
    [
      'another cassette',
      '{"usage":{"exitCode":0,"cassettes":[{"cassette":"other","missed":0,"used":1,"unused":[]}]}}',
      'not about'
    ],
    ['deep nesting', '['.repeat(100_000), 'nested too deeply']
  ])('is told of %s', async (_, text, why) => {
    const made = cassette('a')
    const file = path.join(made.root, 'usage.json')
    if (text !== undefined) writeFileSync(file, text)
    for (const verb of ['prune', 'check']) {
      const { code, stderr } = await run([verb, made.dir, '--usage', file])
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
      expect(stderr).not.toContain('    at ')
    }
  })
})

describe('prune without a complete run', () => {
  it('needs a run', async () => {
    const made = cassette('a')
    const { code, stderr } = await run(['prune', made.dir])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('Name a run that uses them')
    ])
  })

  it('does not believe what an earlier run wrote, where the last was killed', async () => {
    const made = cassette('a')
    const file = path.join(made.root, 'usage.json')
    writeFileSync(file, 'old')
    const replay = await spawnServing(['replay', '--cassette', made.dir, '--usage', file])
    await replay.stop('SIGKILL')
    expect(existsSync(file)).toBe(false)
    const whole = await serving(['replay', '--cassette', made.dir, '--usage', file])
    await ask(new URL('/w/a', whole.api).href)
    await whole.stop()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      usage: {
        exitCode: 0,
        cassettes: [{ cassette: 'cassettes/tape', missed: 0, used: 1, unused: [] }]
      }
    })
  })
})

describe('a listing recorded on two days, between which it changed', () => {
  const list = 'action=query&list=allpages&format=json&continue='

  /** A wiki of so many pages, two in a batch unless more are asked for. */
  const answer = (
    titles: readonly string[],
    params: ReadonlyMap<string, string>
  ): string => {
    const limit = Number(params.get('aplimit') ?? 2)
    const start = Math.max(0, titles.indexOf(params.get('apcontinue') ?? ''))
    const next = titles[start + limit]
    const rows = titles
      .slice(start, start + limit)
      .map((title, at) => ({ pageid: start + at + 1, ns: 0, title }))
    const continued =
      next === undefined ? {} : { continue: { apcontinue: next, continue: '-||' } }
    return JSON.stringify({ batchcomplete: '', ...continued, query: { allpages: rows } })
  }

  it('is told alike by capture, coverage, check and replay, and refresh is the way out', async () => {
    let titles = ['A', 'B', 'C', 'D']
    const wiki = await fakeWiki((params) => answer(titles, params))
    const dir = path.join(temporaryFolder(), 'tape')
    const captured = (limit: number): Promise<Run> =>
      run(['capture', wiki.api, '--requests', '-', '--cassette', dir], {
        stdin: `${list}&aplimit=${limit}`
      })
    expect((await captured(2)).stderr).not.toContain('contradicts')
    titles = ['A', 'AA', 'B', 'C', 'D']
    const told = `contradicts query\\.allpages/\\S+\\.json: [^;]+; the wiki changed between the two: wikitape refresh ${dir} records all of it again`
    const second = await captured(50)
    expect([second.code, second.stderr]).toEqual([
      0,
      expect.stringMatching(`conflict: query\\.allpages/\\S+\\.json ${told}\n`)
    ])
    const checked = await run(['check', dir])
    expect([checked.code, checked.stdout]).toEqual([
      1,
      expect.stringMatching(`^${dir}/query\\.allpages/\\S+\\.json: conflict: ${told}\n`)
    ])
    const covered = await run(['coverage', dir, '--require-complete'])
    expect([covered.code, covered.stdout]).toEqual([
      1,
      expect.stringMatching(`\n  conflict: query\\.allpages/\\S+\\.json ${told}\n`)
    ])
    expect(covered.stdout).toContain(`  to record it: wikitape refresh ${dir}\n`)
    const replay = await serving(['replay', '--cassette', dir])
    expect((await ask(`${replay.api}?${list}&aplimit=3`)).text).toContain(
      `To record all of it again: wikitape refresh ${dir}"`
    )
    await replay.stop()

    expect((await run(['refresh', dir])).code).toBe(0)
    const after = await Promise.all([
      run(['check', dir]),
      run(['coverage', dir, '--require-complete'])
    ])
    expect(after.map(({ code }) => code)).toEqual([0, 0])
  })
})

describe('help', () => {
  it.each(['prune', 'normalize', 'init', 'merge-driver', 'import', 'export'])(
    'of %s shows usage, every flag and an example',
    async (verb) => {
      const { code, stdout, stderr } = await run([verb, '--help'])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(new RegExp(`^Usage: wikitape ${verb} `))
      expect(stdout).toMatch(new RegExp(`Examples:\\n(?: {2}.*wikitape ${verb}.*\\n)+$`))
      expect((await run(['--help'])).stdout).toMatch(new RegExp(`\\n {2}${verb} +\\S`))
      expect((await run([verb, '--no-such-flag'])).code).toBe(2)
    }
  )
})

const dated = (made: Made, day: string): void => {
  const store = CassetteStore.open(made.dir)
  store.setManifest({ ...store.manifest, recorded: day })
}

const daysAgo = (days: number): string => toDay(Date.now() - days * 24 * 60 * 60 * 1000)

describe('expiry', () => {
  it('is one line a cassette, and fails check', async () => {
    const old = cassette('a')
    const young = cassette('a')
    const unknown = cassette('a')
    dated(old, daysAgo(40))
    dated(young, daysAgo(30))
    const { code, stdout } = await run([
      'check',
      old.dir,
      young.dir,
      unknown.dir,
      '--expires',
      '30d'
    ])
    expect(code).toBe(1)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching(
        /tape: expired: the oldest part is of \d{4}-\d\d-\d\d, 4[01] days ago; at most 30 allowed; wikitape refresh /
      ),
      expect.stringMatching(/tape: expired: cassette\.json has no date/)
    ])
    expect((await run(['check', old.dir, '--expires', '6w'])).code).toBe(0)
    expect((await run(['check', old.dir])).code).toBe(0)
  })

  it('is a warning where a cassette is served', async () => {
    const made = cassette('a')
    dated(made, daysAgo(400))
    const { code, stderr } = await run([
      'exec',
      '--cassette',
      made.dir,
      '--expires',
      '30d',
      '--',
      ...asking('a')
    ])
    expect(code).toBe(0)
    expect(stderr.match(/has expired: the oldest part is of/g)?.length).toBe(1)
  })

  it('takes days and weeks', async () => {
    const made = cassette('a')
    for (const age of ['', '30', '-1d', '1.5d', '30h', 'd', '999999d', '٣d']) {
      const { code, stderr } = await run(['check', made.dir, `--expires=${age}`])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('expected days or weeks')
      ])
      expect(
        (await run(['replay', '--cassette', made.dir, '--port', '0', `--expires=${age}`]))
          .code
      ).toBe(2)
    }
  })
})

describe('the first day of expiry', () => {
  it('counts from the first recording, and from when all was asked again', async () => {
    let says = 'first'
    const wiki = await fakeWiki(() => `{"query":{"says":"${says}"}}`)
    const dir = path.join(temporaryFolder(), 'tape')
    const call = '?action=query&format=json&meta=siteinfo'
    const record = async (...flags: readonly string[]): Promise<void> => {
      const recording = await serving(['record', wiki.api, '--cassette', dir, ...flags])
      await ask(recording.api + call)
      expect((await recording.stop()).code).toBe(0)
    }
    const day = (): string | undefined => CassetteStore.open(dir).manifest.recorded
    const today = daysAgo(0)
    await record()
    expect(day()).toBe(today)
    const long = '2026-01-01'
    dated({ root: '', dir }, long)
    const before = filesIn(dir)

    await record('--mode', 'all')
    expect((await run(['refresh', dir])).code).toBe(0)
    expect(filesIn(dir)).toEqual(before)

    says = 'second'
    await record('--mode', 'all')
    expect(day()).toBe(long)
    expect((await run(['refresh', dir])).code).toBe(0)
    expect(day()).toBe(long)
    expect((await run(['refresh', dir, '--confirm'])).code).toBe(0)
    expect(day()).toBe(today)

    dated({ root: '', dir }, long)
    says = 'third'
    expect((await run(['refresh', dir])).code).toBe(0)
    expect(day()).toBe(today)

    dated({ root: '', dir }, long)
    says = 'fourth'
    await record('--mode', 'update')
    expect(day()).toBe(today)
  })
})

describe('refresh', () => {
  it('leaves what only a session of its own can ask for', async () => {
    const wiki = await fakeWiki(() => '{"query":{}}')
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    await ask(`${recording.api}?action=query&format=json&meta=siteinfo`)
    await recording.stop()
    const store = CassetteStore.open(dir)
    for (const name of ['after writes', 'in session', 'as user'])
      store.put(interactionOf({ action: 'query', meta: 'siteinfo', [name]: 'x' }))
    const before = filesIn(dir)
    const { code, stderr } = await run(['refresh', dir, '--confirm'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('dropped 0; skipped: 3 of its requests')
    ])
    expect(stderr).toContain('keeps its date')
    expect(filesIn(dir)).toEqual(before)
  })
})

const messUp = ({ dir }: Made): void => {
  for (const [name, text] of filesIn(dir)) {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) throw new Error(name)
    const turned = Object.fromEntries(Object.entries(value).reverse())
    writeFileSync(
      path.join(dir, name),
      `\ufeff${JSON.stringify(turned, null, 7)}\r\n\r\n`
    )
  }
}

describe('normalize', () => {
  it('gives every file the spelling that recording gives it, once', async () => {
    const made = cassette('a', 'b')
    const before = filesIn(made.dir)
    messUp(made)
    const checked = await run(['normalize', made.dir, '--check'])
    expect([checked.code, checked.stdout.match(/^would change /gm)?.length]).toEqual([
      1, 3
    ])
    const { code, stdout } = await run(['normalize', made.dir])
    expect([code, stdout.match(/^changed /gm)?.length]).toEqual([0, 3])
    expect(filesIn(made.dir)).toEqual(before)
    const again = await run(['normalize', made.dir, '--json'])
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      expect.objectContaining({ files: 3, changed: [], left: [] })
    ])
  })

  it('moves a large text out of the lines in which it was recorded once, and back where it was cut', async () => {
    const made = cassette('a')
    const file = path.join(made.dir, interactionFiles(made.dir)[0] ?? '')
    const body = file.replace(/\.json$/, '.0.bin')
    const withLines = (lines: readonly string[]): string => {
      const { request, responses } = JSON.parse(readFileSync(file, 'utf8'))
      const { json: _, textFile: __, lines: ___, ...rest } = responses[0]
      return JSON.stringify({
        request,
        responses: [{ ...rest, spelling: 'utf8', lines }]
      })
    }
    const lines = ['[\n', `"${'Ж'.repeat(maxInlineCharacters)}"]`]
    writeFileSync(file, withLines(lines))
    expect((await run(['normalize', made.dir])).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8')).responses[0]).toMatchObject({
      textFile: path.basename(body),
      spelling: 'utf8'
    })
    expect(readFileSync(body, 'utf8') === lines.join('')).toBe(true)
    expect((await run(['normalize', made.dir, '--check'])).code).toBe(0)
    expect((await run(['check', made.dir])).stdout).toContain('no faults')
    writeFileSync(body, '["Ж"]')
    expect((await run(['normalize', made.dir])).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8')).responses[0].lines).toEqual(['["Ж"]'])
    writeFileSync(file, withLines(lines).replace('"lines"', '"json": 1, "lines"'))
    const { code, stderr } = await run(['normalize', made.dir])
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected one of "json"')])
  })
})

describe('normalize of what cannot be changed', () => {
  it('changes nothing in the cassettes that are shipped', async () => {
    for (const version of ['1.43', '1.39', '1.35'].slice(0, scaled(1, 3))) {
      const { code, stdout } = await run([
        'normalize',
        path.resolve(`cassettes/ru-${version}`),
        '--check'
      ])
      expect([code, stdout]).toEqual([0, expect.stringContaining('would change 0 of')])
    }
  })

  it('names what it cannot read or does not know, and leaves it', async () => {
    const made = cassette('a', 'b', 'c', 'd')
    const store = CassetteStore.open(made.dir)
    store.put(
      interactionOf({ action: 'x' }, [response(jsonBody('{"10":1.0,"2":"\\u0416"}'))])
    )
    const file = (part: string): string =>
      path.join(
        made.dir,
        interactionFiles(made.dir).find((name) => name.includes(part)) ?? ''
      )
    writeFileSync(file('w_a'), '{"request": {\n  "plain target" "x"}')
    writeFileSync(file('w_b'), Buffer.from([0xff, 0xfe, 0]))
    writeFileSync(
      file('w_c'),
      readFileSync(file('w_c'), 'utf8').replace(
        '"status"',
        '"turns": 7, "seconds": "7", "status"'
      )
    )
    writeFileSync(file('w_d'), readFileSync(file('w_d'), 'utf8').replace('/w/d', '/w/e'))
    mkdirSync(path.join(made.dir, 'paraminfo'))
    writeFileSync(path.join(made.dir, 'paraminfo', 'x.json'), '{')
    writeFileSync(path.join(made.dir, 'noise.json'), '{"noise":[1]}')
    const before = filesIn(made.dir)
    const { code, stderr } = await run(['normalize', made.dir])
    expect(code).toBe(2)
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^.*tape\//, '').replace(/\.[0-9a-f]{12}/, ''))
    ).toEqual([
      'noise.json:1:1: expected scope, place, kind, lexical and support in each entry of "noise"; left unchanged',
      'paraminfo/x.json:1:2: property name or closing brace expected; left unchanged',
      expect.stringMatching(/^plain\/w_a\.json:2:18: .+; left unchanged$/),
      'plain/w_b.json:1:1: the file is not UTF-8; left unchanged',
      'plain/w_c.json:1:1: expected a number under "seconds" of each response; left unchanged',
      expect.stringMatching(
        /^plain\/w_d\.json:1:1: its request has the key [0-9a-f]{12}, which its name does not end in; left unchanged$/
      )
    ])
    expect(filesIn(made.dir)).toEqual(before)
  })
})

describe('normalize on a full disk or without a cassette', () => {
  it('stops at a disk that is full, with nothing torn', async () => {
    const made = cassette('a')
    messUp(made)
    const before = filesIn(made.dir)
    const makeRoom = fullDiskAfter(0)
    const { code, stderr } = await run(['normalize', made.dir])
    makeRoom()
    expect([code, stderr]).toEqual([2, expect.stringContaining('the disk is full')])
    expect(filesIn(made.dir)).toEqual(before)
  })

  it('says where there is no cassette, or one of a newer format', async () => {
    const made = cassette('a')
    rmSync(made.dir, { recursive: true })
    for (const verb of ['prune', 'normalize']) {
      const { code, stderr } = await run([
        verb,
        made.dir,
        ...(verb === 'prune' ? ['--', 'true'] : [])
      ])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('there is no cassette at')
      ])
    }
    const newer = cassette('a')
    writeFileSync(path.join(newer.dir, 'cassette.json'), '{"format": 99}')
    const { code, stderr } = await run(['normalize', newer.dir])
    expect([code, stderr]).toEqual([2, expect.stringContaining('has format 99')])
  })
})
