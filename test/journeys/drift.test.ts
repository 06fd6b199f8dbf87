/** `wikitape diff` and `wikitape accept` between cassettes, through the real binary. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { type Run, run } from '../helpers/program.ts'
import { partOf, shipped } from '../helpers/shipped.ts'

/** A tenth of the requests: every form of report, every kind of module; the whole is compared once below. */
const folders = ['tokens', 'parse', 'query.userinfo', 'query.tags', 'query.allpages']
const oldest = partOf('1.35', folders)
const middle = partOf('1.39', folders)
const newest = partOf('1.43', folders)
/** With what is noise. */
const touched = (['1.39', '1.43'] as const).map((one) =>
  partOf(one, [...folders, 'query.g-allpages+info'])
)

/** A copy of the newest that a test may spoil. */
function copied(): string {
  const dir = path.join(temporaryFolder(), 'tape')
  cpSync(newest, dir, { recursive: true })
  return dir
}

const parsed = ({ stdout }: Run): unknown => JSON.parse(stdout)
const firstLine = ({ stdout }: Run): string => stdout.split('\n')[0] ?? ''

describe('diff of two cassettes', () => {
  it('says the verdict first, fits 80 columns without colour, and exits with 1', async () => {
    const result = await run(['diff', shipped('1.35'), shipped('1.43')])
    expect([result.code, result.stderr]).toEqual([1, ''])
    expect(firstLine(result)).toMatch(/^wikitape: breaking drift: \d+ breaking, /)
    expect(result.stdout.replace(/\s+/g, ' ')).toContain(
      'hint: get tokens from action=query&meta=tokens&type=csrf'
    )
    const screen = result.stdout.split('\n').slice(0, 24).join('\n')
    expect(screen).toContain(
      '! 1.37: the old token parameters and action=tokens were removed  '
    )
    expect(screen).toContain('next: --format html for all of it')
    expect(
      Math.max(...result.stdout.split('\n').map((line) => line.length))
    ).toBeLessThanOrEqual(80)
    expect(result.stdout).not.toContain('\u001b')
  })

  it('of a cassette and itself is one calm line and 0', async () => {
    const result = await run(['diff', newest, newest])
    expect([result.code, firstLine(result)]).toEqual([0, 'wikitape: no drift'])
  })

  it.each([
    ['none', 0],
    ['breaking', 1],
    ['any', 1]
  ])('--fail-on %s exits with %i', async (level, code) => {
    expect((await run(['diff', oldest, newest, '--fail-on', level])).code).toBe(code)
  })

  it.each([
    ['json', '{\n  "format": 1'],
    ['markdown', '#'],
    ['junit', '<?xml'],
    ['sarif', '{'],
    ['html', '<!doctype html>']
  ])('--format %s is the same bytes each time', async (format, start) => {
    const runs = [format, format].map((one) =>
      run(['diff', oldest, newest, '--format', one])
    )
    const [first, second] = await Promise.all(runs)
    expect([first?.code, first?.stdout.startsWith(start)]).toEqual([1, true])
    expect(second?.stdout).toBe(first?.stdout)
  })
})

describe('reports of diff', () => {
  it('--json is short for --format json', async () => {
    const forms = [['--json'], ['--format', 'json']]
    const [short, long] = await Promise.all(
      forms.map((one) => run(['diff', oldest, newest, ...one]))
    )
    expect(short?.stdout).toBe(long?.stdout)
  })

  it('writes a report to a file, and tells the verdict on stderr', async () => {
    const file = path.join(temporaryFolder(), 'reports/drift.html')
    const { code, stdout, stderr } = await run([
      'diff',
      oldest,
      newest,
      '--format',
      'html',
      '--output',
      file
    ])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^wikitape: .+ → .+: breaking drift: .+; failed by 3 causes in \d+ requests \(--fail-on breaking\): .+drift\.html\n$/
    )
    expect(readFileSync(file, 'utf8')).toContain('action=query&amp;meta=tokens')
  })

  it('compares listings whole, and shows suppressed noise on demand', async () => {
    const report = parsed(await run(['diff', ...touched, '--json']))
    expect(report).toMatchObject({ compared: { listings: 3 }, remarks: [] })
    const { stdout } = await run(['diff', ...touched, '--show', 'noise'])
    expect(stdout).toMatch(/suppressed as noise\nbuilt-in: page touched: /)
  })

  it('says on stderr what fails the job where the report itself does not', async () => {
    const { stderr } = await run(['diff', oldest, newest, '--format', 'markdown'])
    expect(stderr).toMatch(
      /^wikitape: .+ → .+: failed by 3 causes in \d+ requests \(--fail-on breaking\)\n$/
    )
    expect(
      (await run(['diff', oldest, newest, '--format', 'sarif', '--fail-on', 'none']))
        .stderr
    ).toBe('')
  })

  it('several steps are one table, and the causes that came with each', async () => {
    const { code, stdout } = await run(['diff', oldest, middle, newest])
    expect(code).toBe(1)
    expect(stdout).toMatch(/1\.35\.13 → 1\.39\.17 +1\.39\.17 → 1\.43\.9/)
    expect(stdout).toMatch(/^action=tokens .*! breaking +·$/m)
    expect(stdout).toContain('came with 1.35')
    const json = parsed(await run(['diff', '--matrix', oldest, middle, newest, '--json']))
    expect(json).toMatchObject({ format: 1, steps: [{}, {}] })
    const html = await run([
      'diff',
      '--matrix',
      oldest,
      middle,
      newest,
      '--format',
      'html'
    ])
    expect(html.stdout).toContain('<table class="matrix">')
  })
})

describe('accept', () => {
  it('lets a reviewed drift pass, until its day is over, and tells what is unknown', async () => {
    const cwd = temporaryFolder()
    const { stdout } = await run(['diff', oldest, newest, '--json'])
    const report: Record<
      'findings' | 'causes',
      { fingerprint: string; severity: string }[]
    > = JSON.parse(stdout)
    const causes = report.causes.filter(({ severity }) => severity === 'breaking')
    const prints = report.findings.flatMap((one) =>
      one.severity === 'breaking' ? [one.fingerprint] : []
    )
    const accepted = await run(
      ['accept', oldest, newest, ...prints, '--reason', 'мы знаем'],
      {
        cwd
      }
    )
    expect([accepted.code, accepted.stdout]).toEqual([0, ''])
    const file = path.join(cwd, 'drift.accept.json')
    expect(JSON.parse(readFileSync(file, 'utf8')).accepted).toHaveLength(prints.length)

    const passed = await run(['diff', oldest, newest], { cwd })
    expect(passed.code).toBe(0)
    expect(firstLine(passed)).toMatch(/^wikitape: risky drift: .*/)
    expect(passed.stdout.replaceAll('\n', ' ')).toContain(`(${causes.length} accepted)`)

    const stale = JSON.parse(readFileSync(file, 'utf8'))
    stale.accepted[0].expires = '2020-01-01'
    stale.accepted.push({ fingerprint: '0123456789ab', reason: 'gone', about: '' })
    writeFileSync(file, JSON.stringify(stale))
    const failed = await run(['diff', oldest, newest], { cwd })
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('expired acceptance')
    expect(failed.stdout).toContain('acceptance without a finding 0123456789ab: gone')
  })

  it('keeps what the file held', async () => {
    const cwd = temporaryFolder()
    const one = '84571eef2aa0'
    const other = '294247be6a8c'
    await run(['accept', oldest, newest, one, '--reason', 'a', '--file', 'x.json'], {
      cwd
    })
    await run(
      [
        'accept',
        oldest,
        newest,
        other,
        '--reason',
        'b',
        '--expires',
        '2099-12-31',
        '--file',
        'x.json'
      ],
      {
        cwd
      }
    )
    expect(
      JSON.parse(readFileSync(path.join(cwd, 'x.json'), 'utf8')).accepted
    ).toMatchObject([
      { fingerprint: other, reason: 'b', expires: '2099-12-31' },
      {
        fingerprint: one,
        reason: 'a',
        about: 'error.appeared action=tokens error: badvalue'
      }
    ])
  })

  it.each([
    [
      'an unknown fingerprint',
      ['0123456789ab', '--reason', 'x'],
      '0123456789ab is not a finding between'
    ],
    [
      'no fingerprint',
      ['writeapi', '--reason', 'x'],
      '"writeapi" is not a fingerprint; expected twelve hex digits'
    ],
    ['no reason', ['84571eef2aa0'], '--reason is missing'],
    [
      'an impossible day',
      ['84571eef2aa0', '--reason', 'x', '--expires', '2026-02-31'],
      'expected a day such as'
    ]
  ])('%s: says so and writes nothing', async (_, args, message) => {
    const cwd = temporaryFolder()
    const { code, stderr } = await run(['accept', oldest, newest, ...args], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(existsSync(path.join(cwd, 'drift.accept.json'))).toBe(false)
  })
})

describe('what cannot be compared is trouble, never drift: exit code 2', () => {
  it('no such cassette, no cassette in the folder, a file', async () => {
    const folder = temporaryFolder()
    for (const [side, message] of [
      [path.join(folder, 'nothing'), 'there is no cassette at'],
      [folder, 'cassette.json not found'],
      [path.join(newest, 'cassette.json'), 'is a file; a cassette is a folder']
    ] as const) {
      for (const sides of [
        [side, newest],
        [newest, side]
      ]) {
        const { code, stdout, stderr } = await run(['diff', ...sides])
        expect([code, stdout]).toEqual([2, ''])
        expect(stderr).toContain(message)
      }
    }
  })

  it('a format that is newer', async () => {
    const dir = copied()
    const file = path.join(dir, 'cassette.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 1', '"format": 99'))
    const { code, stdout, stderr } = await run(['diff', newest, dir])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('has format 99')
    expect(stderr).toContain('install a newer wikitape')
  })

  it.each(['interaction', 'description'])(
    'a broken %s on one side: named, and not presented as whole',
    async (what) => {
      const dir = copied()
      const name =
        what === 'interaction'
          ? (interactionFiles(dir)[7] ?? '')
          : 'paraminfo/query+allpages.json'
      writeFileSync(path.join(dir, name), '{"request": {\n  oops')
      const { code, stdout, stderr } = await run([
        'diff',
        newest,
        dir,
        '--fail-on',
        'none'
      ])
      expect(code).toBe(2)
      expect(stdout).toMatch(/^wikitape: incomplete comparison: /)
      expect(stderr).toContain(`${name}:2:`)
      const json = parsed(await run(['diff', dir, newest, '--json']))
      expect(json).toMatchObject({ remarks: [{ kind: 'partial', fatal: true }] })
    }
  )
})

describe('cassettes that say too little: exit code 2', () => {
  it.each([
    ['no JSON', '{"a":', /cassette\.json:\d+:\d+: .*; fix the file/],
    [
      'not what a cassette says',
      '[]',
      /cassette\.json:1:1: expected an object with a number under "format"/
    ]
  ])('a cassette.json that is %s', async (_, text, message) => {
    const dir = copied()
    writeFileSync(path.join(dir, 'cassette.json'), text)
    const { code, stdout, stderr } = await run(['diff', newest, dir])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  it('an empty cassette', async () => {
    const dir = copied()
    const empty = path.join(temporaryFolder(), 'empty')
    mkdirSync(empty)
    cpSync(path.join(dir, 'cassette.json'), path.join(empty, 'cassette.json'))
    for (const sides of [
      [empty, newest],
      [newest, empty]
    ]) {
      const { code, stderr } = await run(['diff', ...sides])
      expect(code).toBe(2)
      expect(stderr).toContain('has no interaction')
    }
  })

  it('cassettes without a request in common', async () => {
    const a = copied()
    const b = copied()
    keepOnly(a, 'query.allpages')
    keepOnly(b, 'parse')
    const { code, stderr } = await run(['diff', a, b])
    expect(code).toBe(2)
    expect(stderr).toContain('the two sides have no request in common')
  })
})

describe('cassettes of different wikis or languages', () => {
  it('cassettes of different wikis are compared, and that is said', async () => {
    const dir = copied()
    for (const [name, text] of filesIn(dir)) {
      if (!name.startsWith('paraminfo/') && name !== 'cassette.json')
        writeFileSync(path.join(dir, name), text.replace(/("title": ")/g, '$1Иное '))
    }
    const result = await run(['diff', newest, dir])
    expect(result.code).not.toBe(2)
    expect(result.stdout.replaceAll('\n', ' ')).toMatch(
      /, answers to the same requests have only 0 of \d+ pages in common: is it/
    )
  })

  it('another language is compared, and said', async () => {
    const dir = copied()
    const file = path.join(dir, 'cassette.json')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"lang": "ru"', '"lang": "en"')
    )
    const { code, stdout } = await run(['diff', newest, dir])
    expect(code).toBe(0)
    expect(stdout).toContain('the wikis speak different languages: ru and en')
  })
})

describe('files beside a cassette that are trouble: exit code 2', () => {
  it.each([
    ['one side only', [newest], 'too few arguments'],
    [
      'an unknown format',
      [newest, newest, '--format', 'yaml'],
      '--format is "yaml"; expected one of terminal, json'
    ],
    [
      'an unknown level',
      [newest, newest, '--fail-on', 'all'],
      '--fail-on is "all"; expected one of breaking'
    ],
    [
      'a matrix as SARIF',
      ['--matrix', newest, newest, '--format', 'sarif'],
      '--matrix has no format "sarif"'
    ],
    [
      'a missing accept file',
      [newest, newest, '--accept', 'no.json'],
      'file not found: no.json'
    ],
    [
      'a probe of a cassette',
      [newest, newest, '--probe', '2'],
      '--probe needs an api-url'
    ],
    [
      'two wikis',
      ['http://127.0.0.1:1/w/api.php', 'http://127.0.0.1:2/w/api.php'],
      'one side has to be a cassette'
    ]
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(['diff', ...args], {
      cwd: temporaryFolder()
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('a broken accept file or noise file is named with line and column', async () => {
    const cwd = temporaryFolder()
    writeFileSync(path.join(cwd, 'drift.accept.json'), '{"accepted": [\n{]}')
    expect((await run(['diff', newest, newest], { cwd })).stderr).toMatch(
      /drift\.accept\.json:2:\d+: /
    )
    const dir = copied()
    writeFileSync(path.join(dir, 'noise.json'), '{"noise": [{}]}')
    const { code, stderr } = await run(['diff', dir, newest])
    expect(code).toBe(2)
    expect(stderr).toContain(
      'noise.json: expected scope, place, kind, lexical and support'
    )
  })
})

/** Empties a cassette but for one folder. */
function keepOnly(dir: string, folder: string): void {
  for (const name of filesIn(dir).keys()) {
    if (
      !name.startsWith(`${folder}/`) &&
      name !== 'cassette.json' &&
      !name.startsWith('paraminfo/')
    )
      rmSync(path.join(dir, name))
  }
}
