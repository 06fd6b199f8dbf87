/** Writes the table of kinds in docs/drift.md from the table that decides: `npx tsx scripts/write-drift-docs.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KindRule, kinds, type Rating } from '../src/drift/changes/kinds.ts'

const page = fileURLToPath(new URL('../docs/drift.md', import.meta.url))
const start = '<!-- kinds: npx tsx scripts/write-drift-docs.ts -->\n'
const end = '<!-- end of kinds -->'

const ratingText = ({ severity, axis }: Rating): string => (axis === 'data' ? 'data' : severity)

function severityText({ rating, other }: KindRule): string {
  return other === undefined
    ? ratingText(rating)
    : `${ratingText(rating)}; ${ratingText(other)} where ${other.when}`
}

/** One row a kind, in the order of the table in src/drift/changes/kinds.ts. */
function kindsTable(): string {
  const rows = [
    ['kind', 'severity', 'what happened, seen from A to B'],
    ...Object.entries(kinds).map(([kind, rule]) => [`\`${kind}\``, severityText(rule), rule.words]),
  ]
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join(
    '\n',
  )
}

/** The page as it stands, and as it should be. */
export function driftPage(): { readonly now: string; readonly wanted: string } {
  const now = readFileSync(page, 'utf8')
  const before = now.slice(0, now.indexOf(start) + start.length)
  return { now, wanted: `${before}\n${kindsTable()}\n\n${now.slice(now.indexOf(end))}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, driftPage().wanted)
