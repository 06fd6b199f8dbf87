/** Code scanning shows the line of a recording that a result points to. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cassetteFiles } from '../../../src/cli/commands/compare/diff-command.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { loadSide } from '../../../src/drift/inputs/load-side.ts'
import {
  lineInDescription,
  lineInInteraction
} from '../../../src/drift/report/formats/recorded-line.ts'
import { sarifReport } from '../../../src/drift/report/formats/sarif-report.ts'

const json = {
  continue: {},
  query: {
    allpages: [
      { title: 'Волга', ns: 0, length: 5 },
      { title: 'A] [b] c', ns: 2, length: [1, 'writeapi'] }
    ],
    pages: { 7: { pageid: 7, title: 'Ёж', missing: '' } }
  },
  'odd.name': 1
}
const headers = { 'content-type': 'application/json' }
const lines = JSON.stringify(
  { request: {}, responses: [{ headers, json, status: 200 }] },
  undefined,
  2
).split('\n')
const lineAt = (path: string): string =>
  lines[lineInInteraction(lines.join('\n'), path) - 1]?.trim() ?? ''

it.each([
  ['query.allpages[title=Волга].length', '"length": 5'],
  ['query.allpages[ns+title=2, A] [b] c].length[writeapi]', '"writeapi"'],
  ['query.allpages[*].length[1]', '1,'],
  ['query.allpages[1].ns', '"ns": 2,'],
  ['query.pages[title=Ёж].missing', '"missing": ""'],
  ['query.pages[7].title', '"title": "Ёж",'],
  ['"odd.name"', '"odd.name": 1'],
  ['status', '"status": 200'],
  ['headers.content-type', '"content-type": "application/json"']
])('%s is at %s', (path, line) => expect(lineAt(path)).toBe(line))

it.each([
  ['query.pages[title=Ёж].touched', '"7": {'],
  ['query.allpages[title=new]', '"allpages": ['],
  ['error', '"json": {']
])('%s, which the file lacks, is at %s', (path, line) => expect(lineAt(path)).toBe(line))

it('a parameter of a description is at its name', () => {
  const parameters = [
    { index: 1, name: 'title' },
    { index: 2, name: 'token', type: ['edit', 'move'] }
  ]
  const text = JSON.stringify({ prefix: 'rc', parameters }, undefined, 2)
  const line = (place: string) =>
    text.split('\n')[lineInDescription(text, place) - 1]?.trim()
  expect([line('rctoken'), line('rctoken[*]'), line('rcnew')]).toEqual([
    '"name": "token",',
    '"name": "token",',
    '{'
  ])
})

it('a file that is no JSON, or that is not there, is pointed to at its start', () => {
  expect([
    lineInInteraction('', 'query.pages'),
    lineInDescription('<html>', 'rctoken')
  ]).toEqual([1, 1])
})

interface SarifResult {
  readonly ruleId: string
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string }
        readonly region: { readonly startLine: number }
      }
    }
  ]
}

it('every result of the shipped cassettes points into a file that exists, to the value', () => {
  const [a, b] = ['1.35', '1.43'].map(
    (version) => loadSide(`cassettes/ru-${version}`).side
  )
  if (a === undefined || b === undefined) throw new Error('no cassettes')
  const log: { runs: [{ results: SarifResult[] }] } = JSON.parse(
    sarifReport(compareCassettes(a, b), '0.1.0', cassetteFiles())
  )
  const found = log.runs[0].results.map(
    ({ ruleId, locations: [{ physicalLocation }] }) => {
      const { artifactLocation, region } = physicalLocation
      const text = readFileSync(decodeURI(artifactLocation.uri), 'utf8')
      return `${ruleId}: ${text.split('\n')[region.startLine - 1]?.trim()}`
    }
  )
  expect(found).toContain('enum.value-removed: "writeapi",')
  expect(found).toContain('html.structure: "displaytitle": "Test",')
  expect(found).toContain('continuation.value-shape: "gatcontinue": "Box_B|7",')
})
