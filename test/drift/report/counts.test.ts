/** All formats print the same numbers: of one shipped drift, causes by severity, accepted ones, and those that fail the job. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { acceptanceForCause } from '../../../src/drift/findings/acceptances.ts'
import { driftMatrixOf } from '../../../src/drift/findings/drift-report.ts'
import type { FailOn } from '../../../src/drift/findings/fail-on.ts'
import { loadSide } from '../../../src/drift/inputs/load-side.ts'
import { driftCounts, failureText } from '../../../src/drift/report/drift-counts.ts'
import { jsonReport } from '../../../src/drift/report/formats/json-report.ts'
import { junitReport } from '../../../src/drift/report/formats/junit-report.ts'
import { markdownReport } from '../../../src/drift/report/formats/markdown-report.ts'
import { sarifReport } from '../../../src/drift/report/formats/sarif-report.ts'
import { htmlReport } from '../../../src/drift/report/html/html-report.ts'
import { matrixHtml, matrixTerminal } from '../../../src/drift/report/matrix-report.ts'
import { terminalReport } from '../../../src/drift/report/terminal/terminal-report.ts'

const [a, b] = ['1.35', '1.43'].map((version) => loadSide(`cassettes/ru-${version}`).side)
if (a === undefined || b === undefined) throw new Error('no cassettes')
const whole = compareCassettes(a, b)
// A finding alone, and a cause of several.
const accepted = [
  whole.causes.find(({ findings }) => findings.length > 1),
  whole.causes.find(
    ({ findings: [{ severity }, ...more] }) => severity === 'risky' && more.length === 0
  )
].flatMap((cause) => (cause === undefined ? [] : [acceptanceForCause(cause, 'agreed')]))
const report = compareCassettes(a, b, { acceptances: accepted, today: '2026-01-01' })
const failOn: FailOn = 'risky'

type Counts = Readonly<Record<string, number>>

/** Reports call the group `data` content. */
const groupNamed = (word: string) => (word === 'content' ? 'data' : word)

/** Of texts such as `2 breaking, 7 risky (1 accepted)`. */
const countsIn = (text: string): Counts =>
  Object.fromEntries(
    [
      ...text.matchAll(
        /(\d+) (breaking|risky|additive|note|cosmetic|content|accepted)\b/g
      )
    ].map(([, count, name = '']) => [groupNamed(name), Number(count)])
  )

const matches = (text: string, pattern: RegExp): Counts =>
  Object.fromEntries(
    [...text.matchAll(pattern)].map(([, name = '', count]) => [
      groupNamed(name.toLowerCase()),
      Number(count)
    ])
  )

const { open, accepted: acceptedCount } = driftCounts(report)
const openCounts: Counts = Object.fromEntries(open)
const allCounts: Counts = { ...openCounts, accepted: acceptedCount }
const failing = (open.get('breaking') ?? 0) + (open.get('risky') ?? 0)

it('the drift has something of everything', () => {
  expect(accepted).toHaveLength(2)
  expect(acceptedCount).toBe(2)
  expect([...open.keys()]).toEqual([
    'breaking',
    'risky',
    'additive',
    'note',
    'cosmetic',
    'data'
  ])
})

describe('the numbers of', () => {
  const terminal = terminalReport(report, {
    columns: 80,
    colour: false,
    failOn,
    show: 'all'
  })
  const html = htmlReport(report)
  const junit = junitReport(report, failOn)
  const json: unknown = JSON.parse(jsonReport(report))
  const sarif: {
    runs: [{ results: { level: string; suppressions?: unknown }[]; properties: unknown }]
  } = JSON.parse(sarifReport(report, '0.1.0'))
  const markdown = markdownReport(report, 1_000_000)

  it.each([
    ['the terminal', terminal.slice(0, terminal.indexOf('\nA '))],
    [
      'HTML',
      / <h1>([^<]*)<\/h1>/.exec(` ${html.slice(html.indexOf('<h1>'))}`)?.[1] ?? ''
    ],
    ['Markdown', markdown.slice(0, markdown.indexOf('\n')).replaceAll(/&#(\d+);/g, ' ')],
    ['JUnit', /name="verdict" value="([^"]*)"/.exec(junit)?.[1] ?? ''],
    ['a matrix', matrixTerminal(driftMatrixOf([report]), 300).split('\n')[0] ?? ''],
    [
      'the HTML of a matrix',
      /<b>[^<]*<\/b> ([^<]*)</.exec(matrixHtml(driftMatrixOf([report])))?.[1] ?? ''
    ]
  ])('the verdict in %s', (_, verdict) => {
    expect(countsIn(verdict)).toEqual(allCounts)
  })

  it('the headings of the terminal', () => {
    expect(matches(terminal, /^\S ([A-Z]+) {2}(\d+)$/gm)).toEqual(openCounts)
  })

  it('the chips and headings of HTML, and the causes below each', () => {
    const chips = [
      ...html.matchAll(
        /<label[^>]*><input[^>]*data-group="(\w+)" checked><i><\/i><b>(\d+)<\/b>/g
      )
    ]
    expect(
      Object.fromEntries(chips.map(([, name, count]) => [name, Number(count)]))
    ).toEqual(allCounts)
    const sections = html.split('<section ').slice(1)
    for (const section of sections) {
      const [, name = ''] = /data-section="(\w+)"/.exec(section) ?? []
      expect(section).toMatch(new RegExp(`${name} ${allCounts[name]} <small>`))
      expect([name, section.match(/<div class="cause">/g)]).toEqual([
        name,
        Array(allCounts[name]).fill('<div class="cause">')
      ])
    }
    expect(sections).toHaveLength(Object.keys(allCounts).length)
  })

  it('the properties of JUnit, its cases and its failures', () => {
    expect(matches(junit, /<property name="(\w+)" value="(\d+)"/g)).toEqual(openCounts)
    for (const [name, count] of open)
      expect([
        name,
        junit.match(new RegExp(`<testcase classname="${name}"`, 'g'))?.length
      ]).toEqual([name, count])
    expect(junit.match(/<failure /g)).toHaveLength(failing)
    expect(junit).toContain(` failures="${failing}"`)
  })

  it('JSON', () => {
    expect(json).toMatchObject({
      counts: openCounts,
      acceptances: { causes: acceptedCount }
    })
  })

  it('SARIF', () => {
    const [{ results, properties }] = sarif.runs
    expect(properties).toEqual({ counts: openCounts, accepted: acceptedCount })
    const levels = results.flatMap(({ level, suppressions }) =>
      suppressions === undefined ? [level] : []
    )
    expect(levels.filter((one) => one === 'error')).toHaveLength(
      open.get('breaking') ?? 0
    )
    expect(levels.filter((one) => one === 'warning')).toHaveLength(open.get('risky') ?? 0)
    expect(results.length - levels.length).toBe(acceptedCount)
  })

  it('the rows of Markdown', () => {
    const rows = markdown.slice(0, markdown.indexOf('<details>'))
    expect(rows.match(/🔴 breaking<\/span>/g)).toHaveLength(open.get('breaking') ?? 0)
    expect(rows.match(/🟠 risky<\/span>/g)).toHaveLength(open.get('risky') ?? 0)
    const { breaking: _, risky: __, ...rest } = openCounts
    expect(countsIn(/The rest: ([^<]*)</.exec(markdown)?.[1] ?? '')).toEqual(rest)
  })

  it('what fails the job', () => {
    expect(failureText(report, failOn)).toMatch(
      new RegExp(`^failed by ${failing} causes in \\d+ requests `)
    )
    expect(terminal).toContain(failureText(report, failOn))
    const all = [...open.values()].reduce((sum, count) => sum + count, 0)
    expect(failureText(report, 'any')).toContain(`failed by ${all} causes`)
    expect(failureText(report, 'none')).toBe('')
  })
})
