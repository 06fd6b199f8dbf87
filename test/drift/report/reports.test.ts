import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { acceptanceFor } from '../../../src/drift/findings/acceptances.ts'
import {
  type DriftReport,
  driftMatrixOf
} from '../../../src/drift/findings/drift-report.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { loadSide } from '../../../src/drift/inputs/load-side.ts'
import { answerText } from '../../../src/drift/report/drift-counts.ts'
import { jsonReport } from '../../../src/drift/report/formats/json-report.ts'
import { junitReport } from '../../../src/drift/report/formats/junit-report.ts'
import { markdownReport } from '../../../src/drift/report/formats/markdown-report.ts'
import { sarifReport } from '../../../src/drift/report/formats/sarif-report.ts'
import { htmlReport } from '../../../src/drift/report/html/html-report.ts'
import {
  matrixHtml,
  matrixJson,
  matrixTerminal
} from '../../../src/drift/report/matrix-report.ts'
import {
  truncateColumns,
  widthOf
} from '../../../src/drift/report/terminal/column-width.ts'
import {
  type TerminalOptions,
  terminalReport
} from '../../../src/drift/report/terminal/terminal-report.ts'
import { side } from '../sides.ts'
import { sampleReport } from './sample.ts'

const report = sampleReport()
const plain: TerminalOptions = {
  columns: 80,
  colour: false,
  failOn: 'breaking',
  show: 'some'
}

/** As many findings as asked for, each of its own kind of field. */
function large(findings: number): DriftReport {
  const members = Array.from(
    { length: findings },
    (_, at) => [`field${at}`, `значение ${at} ${'x'.repeat(200)}`] as const
  )
  const query = 'action=query&list=allpages'
  return compareCassettes(
    side('a', { [query]: { query: Object.fromEntries(members) } }),
    side('b', { [query]: { query: {} } })
  )
}

const text = terminalReport(report, plain)

describe('the first screen of the terminal', () => {
  it('says the verdict first, then the causes, then what to do next, on one screen', () => {
    expect(text.split('\n')[0]).toBe(
      'wikitape: breaking drift: 2 breaking, 2 risky, 1 additive, 1 content'
    )
    expect(text.split('\n')[1]).toMatch(
      /^A client of A cannot use B as it is: 2 changes in \d+ requests must be met first\.$/
    )
    expect(text.split('\n').slice(0, 24).join(' ')).toMatch(
      / next: --format html for all of it, or wikitape accept cassettes\/ru-1.35 cassettes\/ru-1.39 [0-9a-f]{12} --reason "…"/
    )
  })

  it('answers whether a client can use the other wiki, as far as was compared', () => {
    const query = 'action=query&list=allpages'
    const one = (rows: object): CassetteSide => side('a', { [query]: { query: rows } })
    expect(answerText(compareCassettes(one({}), one({})))).toBe(
      'A client of A can use B: nothing that it relies on differs.'
    )
    expect(answerText(compareCassettes(one({ a: 'x' }), one({ a: 3 })))).toMatch(
      /^A client of A cannot use B as it is: 1 change in 1 request must/
    )
    const apart = side('a', { 'action=query&list=blocks': {} })
    expect(answerText(compareCassettes(one({}), apart))).not.toMatch(/can use B: nothing/)
  })

  it('has room for the next command on the first screen, however many causes there are', () => {
    const lines = terminalReport(large(300), plain).split('\n').slice(0, 23)
    const next = lines.findIndex((line) => line.startsWith('next: --format html'))
    expect([next > 5, lines.slice(next).join(' ')]).toEqual([
      true,
      expect.stringContaining('--reason "…"')
    ])
    expect(lines[next - 1]).toMatch(/^ {4}and \d+ more below$/)
  })

  it.each([40, 80, 200])('keeps to %i columns, whatever the letters', (columns) => {
    for (const line of terminalReport(report, { ...plain, columns }).split('\n')) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns)
    }
  })

  it('cuts no id of a finding, which commands need', () => {
    const drifted = compareCassettes(
      loadSide('cassettes/ru-1.35').side,
      loadSide('cassettes/ru-1.43').side
    )
    const shown = terminalReport(drifted, { ...plain, columns: 40 })
    const ids = drifted.causes
      .filter(({ findings: [worst] }) => /breaking|risky/.test(worst.severity))
      .filter(({ findings }) => findings.length > 1)
      .flatMap(({ findings }) => findings.slice(0, 4).map((one) => one.fingerprint))
    expect(ids.length).toBeGreaterThan(10)
    expect(ids.filter((id) => !shown.includes(id))).toEqual([])
  })

  it.each([40, 60, 80])(
    'shows what differs at %i columns, however wide the letters in front of it',
    (columns) => {
      const query = 'action=query&meta=siteinfo'
      for (const letter of ['a', 'ж', '京']) {
        const value = (end: string): unknown => ({
          query: { general: { odd: `${letter.repeat(30)} ${end}` } }
        })
        const wide = compareCassettes(
          side('a', { [query]: value('old') }),
          side('b', { [query]: value('new') })
        )
        const shown = terminalReport(wide, { ...plain, columns })
        expect([shown.includes('old'), shown.includes('new')]).toEqual([true, true])
      }
    }
  )
})

describe('the texts of the terminal', () => {
  it('lets no control character through, and no colour where none is wanted', () => {
    expect(text.replaceAll('\n', '')).not.toMatch(
      /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/
    )
    expect(terminalReport(report, { ...plain, colour: true })).toContain('\u001b[')
  })

  it('sets off the words that differ', () => {
    expect(terminalReport(report, { ...plain, colour: true, columns: 100 })).toContain(
      '\u001b[32;7m'
    )
  })

  it('shows two lines for ten thousand items', () => {
    const items = Array.from({ length: 10_000 }, (_, at) => ({
      pageid: at + 1,
      title: `Статья ${at}`,
      length: at
    }))
    const query = 'action=query&list=allpages'
    const changed = items.map((item, at) =>
      at % 100 === 0 ? { ...item, length: -1 } : item
    )
    const after = {
      query: { allpages: [{ pageid: 77_777, title: 'Новая', length: 0 }, ...changed] }
    }
    const big = compareCassettes(
      side('a', { [query]: { query: { allpages: items } } }),
      side('b', { [query]: after })
    )
    const lines = terminalReport(big, plain).split('\n')
    expect(lines.filter((line) => line.startsWith('  #'))).toEqual([
      '  # items new  list=allpages  query.allpages[*]',
      '  # value changed  list=allpages  query.allpages[*].length ×100'
    ])
    expect(Buffer.byteLength(htmlReport(big))).toBeLessThan(500_000)
  })

  it('says a long title whole, count and fingerprint below it', () => {
    const rights = (...values: readonly string[]): DriftReport['a'] | object => ({
      query: { userinfo: { rights: values } }
    })
    const query = 'action=query&meta=userinfo'
    const gone = ['patrol', 'viewmywatchlist', 'editmywatchlist', 'deletedtext']
    const lost = compareCassettes(
      side('a', { [query]: rights('read', ...gone) }),
      side('b', { [query]: rights('read') })
    )
    const narrow = terminalReport(lost, { ...plain, columns: 50 })
    expect(narrow.replace(/\s+/g, ' ')).toContain(
      `value removed from a closed set: ${gone.join(', ')} ×4 in 1 request enum.value-removed`
    )
  })

  it('counts what was suppressed, and lists it on demand', () => {
    expect(text).toContain('1 difference suppressed as noise\n--show noise lists them')
    expect(terminalReport(report, { ...plain, show: 'noise' })).toMatch(
      /suppressed as noise\nbuilt-in: clock of siteinfo: meta=siteinfo query\.general\.time ×1/
    )
  })

  it('is one calm line and no exit code where nothing changed', () => {
    const calm = compareCassettes(
      side('a', { 'action=parse&text=a': {} }),
      side('b', { 'action=parse&text=a': {} })
    )
    expect(terminalReport(calm, plain)).toContain('wikitape: no drift\n')
  })
})

describe('width', () => {
  it.each([
    ['Волга', 5],
    ['東京', 4],
    ['é', 1],
    ['👩‍🚀', 2],
    ['й', 1]
  ])('%s takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns)
  })

  it('never cuts a letter from its marks', () => {
    expect(truncateColumns('éééé', 3)).toBe('éé…')
    expect(truncateColumns('東京都', 4)).toBe('東…')
  })
})

describe('json', () => {
  it('is the same bytes each time', () => {
    expect(jsonReport(sampleReport())).toBe(jsonReport(report))
  })

  it('holds what its schema requires', () => {
    const value: unknown = JSON.parse(jsonReport(report))
    expect(value).toMatchObject({
      format: 1,
      a: { name: 'cassettes/ru-1.35' },
      compared: { requests: 4, listings: 0 },
      suppressed: [{ rule: 'built-in: clock of siteinfo', count: 1 }]
    })
    expect(value).toHaveProperty(
      'findings.0.fingerprint',
      expect.stringMatching(/^[0-9a-f]{12}$/)
    )
  })
})

describe('markdown', () => {
  it('neither mentions anybody nor runs anything', () => {
    const text = markdownReport(report)
    expect(text).not.toMatch(/@everyone|<script|<img/)
    expect(text).toMatch(/^### 🔴 wikitape: breaking drift/)
  })

  it('folds harmless changes of the contract into a line each kind', () => {
    const modules = (...names: readonly string[]): ReadonlyMap<string, unknown> =>
      new Map([
        [
          'parse',
          { path: 'parse', prefix: '', parameters: names.map((name) => ({ name })) }
        ]
      ])
    const added = compareCassettes(
      side('a', { 'action=parse&page=А': {} }, { modules: modules('page') }),
      side(
        'b',
        { 'action=parse&page=А': {} },
        { modules: modules('page', 'one', 'two', 'three') }
      )
    )
    expect(markdownReport(added)).toMatch(
      /\| parameter added \| <code>parse one, parse three, parse two<\/code> \| 3 \| {2}\|/
    )
  })

  it('fits in a comment and says what it cut, lightest first', () => {
    const text = markdownReport(large(2_000))
    expect(Buffer.byteLength(text)).toBeLessThan(65_536)
    expect(text).toMatch(/\d+ causes? left out of the table/)
  })
})

describe('what every report tells besides findings', () => {
  const committed = sampleReport({
    noise: {
      entries: [
        {
          scope: 'meta=siteinfo',
          place: 'query.general.gone',
          kind: 'value.changed',
          lexical: 'text',
          support: '2/2'
        }
      ]
    },
    acceptances: [
      {
        fingerprint: '0123456789ab' as never,
        reason: 'mended since',
        expires: undefined,
        about: ''
      }
    ],
    today: '2026-01-01'
  })
  const lines = [
    /1 difference suppressed as noise/,
    /noise entry that matched nothing: meta=siteinfo query\.general\.gone/,
    /acceptance without a finding 0123456789ab: mended since/
  ]

  it.each([
    ['terminal', terminalReport(committed, plain)],
    ['markdown', markdownReport(committed)],
    ['junit', junitReport(committed, 'breaking')],
    ['sarif', sarifReport(committed, '0.1.0')],
    ['html', htmlReport(committed)],
    ['a matrix', matrixTerminal(driftMatrixOf([committed]), 80)],
    ['the HTML of a matrix', matrixHtml(driftMatrixOf([committed]))]
  ])('%s', (_, text) => {
    for (const line of lines) expect(text).toMatch(line)
  })
})

describe('junit', () => {
  const text = junitReport(report, 'breaking')

  it('has a case for each cause, besides one for the comparison, and fails those that fail the job', () => {
    expect(text).toContain(`tests="${report.causes.length + 1}" failures="2" errors="0"`)
    expect(text).toContain(
      'name="complete" time="0">\n      <system-out>compared 4 requests</system-out>'
    )
    expect(text.match(/<failure /g)).toHaveLength(2)
    expect(junitReport(report, 'none')).not.toContain('<failure ')
  })

  it('counts cases as it lists them, and has what strict readers want of each', () => {
    const [, tests = ''] = /<testsuite [^>]*tests="(\d+)"/.exec(text) ?? []
    const cases = text.match(/<testcase [^>]*>/g) ?? []
    expect(cases).toHaveLength(Number(tests))
    for (const one of cases)
      expect(one).toMatch(/ classname="[^"]+" name="[^"]+" time="0"/)
  })

  it('has an error, not a failure, where the comparison is not whole', () => {
    const broken = junitReport(
      compareCassettes(side('a', {}), side('b', { 'action=parse&page=А': {} })),
      'none'
    )
    expect(broken).toMatch(/errors="1" skipped="0"/)
    expect(broken).toContain('<error type="empty" message="a has no interaction"/>')
  })

  it('holds nothing that XML cannot hold', () => {
    expect(text).not.toMatch(/<script|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  })
})

/** What SARIF 2.1.0 demands of the parts that we write (docs.oasis-open.org/sarif, sections 3.14 to 3.58). */
interface SarifLog {
  readonly version: string
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string
        readonly rules: readonly { readonly id: string }[]
      }
    }
    readonly results: readonly {
      readonly ruleId: string
      readonly ruleIndex: number
      readonly level: string
      readonly message: { readonly text: string }
      readonly suppressions?: readonly { readonly kind: string }[]
    }[]
  }[]
}

describe('sarif', () => {
  it('has results that agree with its rules', () => {
    const [first] = report.findings
    if (first === undefined) throw new Error('expected a finding')
    const accepted = sampleReport({
      acceptances: [acceptanceFor(first, 'agreed')],
      today: '2026-01-01'
    })
    const log: SarifLog = JSON.parse(sarifReport(accepted, '0.1.0'))
    const [run] = log.runs
    const rules = run?.tool.driver.rules.map(({ id }) => id) ?? []
    expect(new Set(rules).size).toBe(rules.length)
    for (const { ruleId, ruleIndex, level, message } of run?.results ?? []) {
      expect(rules[ruleIndex]).toBe(ruleId)
      expect(['error', 'warning', 'note', 'none']).toContain(level)
      expect(message.text).not.toBe('')
    }
    expect(run?.results.flatMap(({ suppressions }) => suppressions ?? [])).toMatchObject([
      { kind: 'external' }
    ])
  })

  it('leaves out what breaks no client, and says how much that is', () => {
    const text = sarifReport(report, '0.1.0')
    const log: SarifLog = JSON.parse(text)
    expect(log.runs[0]?.results.map(({ level }) => level)).toEqual([
      'error',
      'error',
      'warning',
      'warning'
    ])
    expect(text).toContain('left out because they break no client: 1 additive, 1 content')
  })

  it('points to the files of the cassette', () => {
    const log: unknown = JSON.parse(sarifReport(report, '0.1.0'))
    expect(log).toHaveProperty('version', '2.1.0')
    expect(log).toHaveProperty(
      'runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri',
      expect.stringMatching(/^cassettes\/ru-1\.35\/.*[0-9a-f]{12}\.json$/)
    )
  })

  it('stops at five thousand results', () => {
    const log: unknown = JSON.parse(sarifReport(large(5_100), '0.1.0'))
    expect(log).toHaveProperty('runs.0.results.length', 5_000)
  })
})

describe('html', () => {
  const text = htmlReport(report)

  it('has one script, its own, and no markup from the wiki', () => {
    expect(text.match(/<script/g)).toHaveLength(1)
    expect(text).not.toMatch(/<img|onerror=alert\(2\)>/)
    expect(text).toContain('&lt;/script&gt;')
  })

  it('loads nothing from elsewhere', () => {
    expect(text).not.toMatch(/<link|src="|url\(|@import/)
    expect(text).toContain("default-src 'none'")
  })

  it('links each finding by its fingerprint, once', () => {
    for (const { fingerprint } of report.findings) {
      expect(text.match(new RegExp(` id="${fingerprint}"`, 'g'))).toHaveLength(1)
    }
  })

  it('stays small, and says what it left out', () => {
    const big = htmlReport(large(5_000))
    expect(Buffer.byteLength(big)).toBeLessThan(500_000)
    expect(big).toMatch(/findings left out to keep this file small/)
  })

  it('shows accepted findings apart, with their reason', () => {
    const [first] = report.findings
    if (first === undefined) throw new Error('expected a finding')
    const accepted = sampleReport({
      acceptances: [acceptanceFor(first, 'agreed <b>')],
      today: '2026-01-01'
    })
    expect(htmlReport(accepted)).toContain('agreed &lt;b&gt;')
  })
})

describe('matrix', () => {
  const matrix = driftMatrixOf([report, report])

  it('is a table in the terminal', () => {
    expect(matrixTerminal(matrix, 80)).toContain('list=allpages')
  })

  it.each([40, 60, 80])(
    'of six steps keeps to %i columns: what does not fit beside stands below',
    (columns) => {
      const many = matrixTerminal(
        driftMatrixOf(Array.from({ length: 6 }, () => report)),
        columns
      )
      for (const line of many.split('\n'))
        expect(widthOf(line)).toBeLessThanOrEqual(columns)
      expect(many.match(/cassettes\/ru-1\.35 → cassettes\/ru-1\.39(?!:)/g)?.length).toBe(
        columns < 56 ? undefined : 6
      )
    }
  )

  it('never presents a part as the whole', () => {
    const partial = compareCassettes(
      side('a', { 'action=parse&page=А': {} }, { faults: ['parse/x.json:1:1: broken'] }),
      side('b', { 'action=parse&page=А': {} })
    )
    for (const text of [
      matrixTerminal(driftMatrixOf([report, partial]), 80),
      matrixHtml(driftMatrixOf([report, partial]))
    ]) {
      expect(text).toMatch(/incomplete comparison/)
      expect(text).toContain('parse/x.json:1:1: broken')
    }
  })

  it('draws a bar for each step, of its causes by severity', () => {
    const bars = matrixHtml(matrix).match(/<li><a href="#step-\d">.*?<\/li>/g) ?? []
    expect(bars).toHaveLength(2)
    const { breaking, data } = JSON.parse(jsonReport(report)).counts
    expect(bars[0]).toContain(
      `</a><span style="width:100%"><i class="breaking" style="flex-grow:${breaking}" title="${breaking} breaking">${breaking}</i>`
    )
    expect(bars[1]).toContain(`title="${data} content"`)
  })

  it('has the number of causes in a cell, the same in text and as JSON', () => {
    const rights = (...values: readonly string[]) => ({
      query: { userinfo: { rights: values, groups: values } }
    })
    const query = 'action=query&meta=userinfo'
    const lost = compareCassettes(
      side('a', { [query]: rights('edit', 'read') }),
      side('b', { [query]: rights('read') })
    )
    const cells = driftMatrixOf([lost])
    const inCell = lost.causes.length
    expect(matrixTerminal(cells, 80)).toMatch(
      new RegExp(`^meta=userinfo +! breaking ×${inCell}$`, 'm')
    )
    expect(JSON.parse(matrixJson(cells))).toMatchObject({
      rows: [{ cells: [{ causes: inCell }] }]
    })
    expect(lost.findings).toHaveLength(inCell)
  })

  it('links its cells to findings', () => {
    const text = matrixHtml(matrix)
    const links = [...text.matchAll(/href="#(s\d-[0-9a-f]{12})"/g)].map(
      (match) => match[1] ?? ''
    )
    expect(links.length).toBeGreaterThan(3)
    for (const id of links) expect(text).toContain(` id="${id}"`)
  })
})
