/**
 * Writes the table of kinds in docs/drift.md and of mutations in docs/how-we-know.md, from the tables that decide and are tested:
 * `npx tsx scripts/write-drift-docs.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KindRow, kinds } from '../src/drift/changes/kinds.ts'

const pathOf = (page: string) =>
  fileURLToPath(new URL(`../docs/${page}`, import.meta.url))

import { mutationCases } from '../test/drift/content/mutation-cases.ts'

function severityText({
  severity,
  otherwise,
  when = 'no recorded request uses it'
}: KindRow): string {
  return otherwise === undefined ? severity : `${severity}; ${otherwise} where ${when}`
}

/** One row a kind, in the order of the table in src/drift/changes/kinds.ts. */
const kindsTable = (): string =>
  tableText([
    ['kind', 'severity', 'what happened, seen from A to B'],
    ...Object.entries(kinds).map(([kind, rule]) => [
      `\`${kind}\``,
      severityText(rule),
      rule.words
    ])
  ])

/** One row a mutation, in the order of test/drift/content/mutation-cases.ts. */
function mutationsTable(): string {
  const cell = (told: string): string => {
    const [severity = '', ...names] = told.split(' ')
    return [severity, ...names.map((name) => `\`${name}\``)].join(' ')
  }
  const count = `${mutationCases.length} of ${mutationCases.length}`
  return tableText([
    [
      'mutation',
      `detected, same version: ${count}`,
      `detected, another version: ${count}`
    ],
    ...mutationCases.map(({ name, told, toldInOne = told }) => [
      name,
      cell(toldInOne),
      cell(told)
    ])
  ])
}

function tableText(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0))
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line)
  ].join('\n')
}

/** The text with the table between its marks. */
function withTable(text: string, name: string, table: string): string {
  const start = `<!-- ${name}: npx tsx scripts/write-drift-docs.ts -->\n`
  const before = text.slice(0, text.indexOf(start) + start.length)
  return `${before}\n${table}\n\n${text.slice(text.indexOf(`<!-- end of ${name} -->`))}`
}

const tables = [
  { page: pathOf('drift.md'), name: 'kinds', write: kindsTable },
  { page: pathOf('how-we-know.md'), name: 'mutations', write: mutationsTable }
]

/** Each page as it stands, and as it should be. */
export const driftPages = (): readonly {
  readonly page: string
  readonly now: string
  readonly wanted: string
}[] =>
  tables.map(({ page, name, write }) => {
    const now = readFileSync(page, 'utf8')
    return { page, now, wanted: withTable(now, name, write()) }
  })

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { page, wanted } of driftPages()) writeFileSync(page, wanted)
