import { describe, expect, it } from 'vitest'
import { acceptanceFor } from '../../src/drift/accept.ts'
import { diffCassettes } from '../../src/drift/diff.ts'
import { matrixOf } from '../../src/drift/matrix.ts'
import type { DriftReport } from '../../src/drift/report.ts'
import { htmlReport } from '../../src/report/html.ts'
import { jsonReport } from '../../src/report/json.ts'
import { junitReport } from '../../src/report/junit.ts'
import { markdownReport } from '../../src/report/markdown.ts'
import { matrixHtml, matrixTerminal } from '../../src/report/matrix.ts'
import { sarifReport } from '../../src/report/sarif.ts'
import { type TerminalOptions, terminalReport } from '../../src/report/terminal.ts'
import { cutColumns, widthOf } from '../../src/report/width.ts'
import { side } from '../drift/sides.ts'
import { sampleReport } from './sample.ts'

const report = sampleReport()
const plain: TerminalOptions = { columns: 80, colour: false, failOn: 'breaking', show: 'some' }

/** As many findings as asked for, each of its own kind of field. */
function large(findings: number): DriftReport {
  const members = Array.from(
    { length: findings },
    (_, at) => [`field${at}`, `значение ${at} ${'x'.repeat(200)}`] as const,
  )
  const query = 'action=query&list=allpages'
  return diffCassettes(
    side('a', { [query]: { query: Object.fromEntries(members) } }),
    side('b', { [query]: { query: {} } }),
  )
}

describe('terminal', () => {
  const text = terminalReport(report, plain)

  it('says the verdict first, and what to do next last', () => {
    expect(text.split('\n')[0]).toBe('wikitape: breaking drift: 2 breaking, 2 risky, 1 additive, 1 data')
    expect(text.trimEnd().replaceAll('\n', ' ')).toMatch(
      / next: wikitape accept cassettes\/ru-1.35 cassettes\/ru-1.39 [0-9a-f]{12} --reason "…", or --format html for all of it$/,
    )
  })

  it.each([40, 80, 200])('keeps to %i columns, whatever the letters', (columns) => {
    for (const line of terminalReport(report, { ...plain, columns }).split('\n')) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns)
    }
  })

  it('lets no control character through, and no colour where none is wanted', () => {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(terminalReport(report, { ...plain, colour: true })).toContain('\u001b[')
  })

  it('sets off the words that differ', () => {
    expect(terminalReport(report, { ...plain, colour: true, columns: 100 })).toContain('\u001b[32;7m')
  })

  it('shows two lines for ten thousand items', () => {
    const items = Array.from({ length: 10_000 }, (_, at) => ({
      pageid: at + 1,
      title: `Статья ${at}`,
      length: at,
    }))
    const query = 'action=query&list=allpages'
    const changed = items.map((item, at) => (at % 100 === 0 ? { ...item, length: -1 } : item))
    const after = { query: { allpages: [{ pageid: 77_777, title: 'Новая', length: 0 }, ...changed] } }
    const big = diffCassettes(
      side('a', { [query]: { query: { allpages: items } } }),
      side('b', { [query]: after }),
    )
    const lines = terminalReport(big, plain).split('\n')
    expect(lines.filter((line) => line.startsWith('  #'))).toEqual([
      '  # items new  list=allpages  query.allpages[*]',
      '  # value changed  list=allpages  query.allpages[*].length ×100',
    ])
    expect(Buffer.byteLength(htmlReport(big))).toBeLessThan(500_000)
  })

  it('is one calm line and no exit code where nothing changed', () => {
    const calm = diffCassettes(
      side('a', { 'action=parse&text=a': {} }),
      side('b', { 'action=parse&text=a': {} }),
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
    ['й', 1],
  ])('%s takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns)
  })

  it('never cuts a letter from its marks', () => {
    expect(cutColumns('éééé', 3)).toBe('éé…')
    expect(cutColumns('東京都', 4)).toBe('東…')
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
      suppressed: [{ rule: 'built-in: clock of siteinfo', count: 1 }],
    })
    expect(value).toHaveProperty('findings.0.fingerprint', expect.stringMatching(/^[0-9a-f]{12}$/))
  })
})

describe('markdown', () => {
  it('neither mentions anybody nor runs anything', () => {
    const text = markdownReport(report)
    expect(text).not.toMatch(/@everyone|<script|<img/)
    expect(text).toMatch(/^### 🔴 wikitape: breaking drift/)
  })

  it('fits in a comment and says what it cut, lightest first', () => {
    const text = markdownReport(large(2_000))
    expect(Buffer.byteLength(text)).toBeLessThan(65_536)
    expect(text).toMatch(/\d+ findings left out of the table/)
  })
})

describe('junit', () => {
  const text = junitReport(report, 'breaking')

  it('fails the requests whose drift fails the job', () => {
    expect(text).toContain('tests="4" failures="2" errors="0"')
    expect(text.match(/<failure /g)).toHaveLength(2)
  })

  it('holds nothing that XML cannot hold', () => {
    expect(text).not.toMatch(/<script|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  })
})

describe('sarif', () => {
  it('points to the files of the cassette', () => {
    const log: unknown = JSON.parse(sarifReport(report, '0.1.0'))
    expect(log).toHaveProperty('version', '2.1.0')
    expect(log).toHaveProperty(
      'runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri',
      expect.stringMatching(/^cassettes\/ru-1\.35\/.*[0-9a-f]{12}\.json$/),
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
    const accepted = sampleReport({ acceptances: [acceptanceFor(first, 'agreed <b>')], today: '2026-01-01' })
    expect(htmlReport(accepted)).toContain('agreed &lt;b&gt;')
  })
})

describe('matrix', () => {
  const matrix = matrixOf([report, report])

  it('is a table in the terminal', () => {
    expect(matrixTerminal(matrix, 80)).toContain('list=allpages')
  })

  it('links its cells to findings', () => {
    const text = matrixHtml(matrix)
    const links = [...text.matchAll(/href="#(s\d-[0-9a-f]{12})"/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(3)
    for (const id of links) expect(text).toContain(` id="${id}"`)
  })
})
