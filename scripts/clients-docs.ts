/** Writes the table of docs/clients.md from what the suite of clients found: `npx tsx scripts/clients-docs.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../docs/clients.md', import.meta.url))
const start = '<!-- results: npx tsx scripts/clients-docs.ts -->\n'
const end = '<!-- end of results -->'
const wikis = ['1.35', '1.43'] as const

/** One session of one client on one wiki, as test/clients/outcome.ts writes it. */
interface Row {
  readonly client: string
  readonly version: string
  readonly session: 'read' | 'write' | 'kept' | 'proxied' | 'rewritten'
  readonly wiki: string
  readonly steps: number
  /** `same`, or the steps that differ from the direct run. */
  readonly passes: Readonly<Partial<Record<Pass, 'same' | readonly string[]>>>
}

type Pass = 'record' | 'replay' | 'other batches' | 'twice'

const rows: readonly Row[] = wikis.flatMap((wiki) => {
  const file = fileURLToPath(
    new URL(`../test/clients/results/${wiki}.json`, import.meta.url)
  )
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Row[]
})

/** Steps that came out as straight at the wiki, of all. */
function cell(rowsThere: readonly Row[], passes: readonly Pass[]): string {
  const found = rowsThere.filter((row) =>
    passes.every((pass) => row.passes[pass] !== undefined)
  )
  if (found.length === 0) return '–'
  const all = found.reduce((sum, { steps }) => sum + steps, 0)
  const lost = found.flatMap((row) => [
    ...new Set(passes.flatMap((pass) => stepsLost(row, pass)))
  ])
  return `${all - lost.length} of ${all}`
}

const stepsLost = ({ passes }: Row, pass: Pass): readonly string[] => {
  const found = passes[pass]
  return found === undefined || found === 'same' ? [] : found
}

function resultsTable(): string {
  const heads = [
    'client',
    'version',
    'wiki',
    'read',
    'login, edit, read',
    'next run',
    'forward proxy',
    'URLs rewritten',
    'other batches',
    'each twice at once'
  ]
  const clients = [...new Set(rows.map(({ client }) => client))]
  const body = clients.flatMap((client) =>
    wikis.map((wiki) => {
      const own = rows.filter((row) => row.client === client && row.wiki === wiki)
      const of = (session: Row['session']): string =>
        cell(
          own.filter((row) => row.session === session),
          ['record', 'replay']
        )
      return [
        client,
        own[0]?.version ?? '',
        wiki,
        of('read'),
        of('write'),
        of('kept'),
        of('proxied'),
        of('rewritten'),
        cell(own, ['other batches']),
        cell(own, ['twice'])
      ]
    })
  )
  const widths = heads.map((_, at) =>
    Math.max(...[heads, ...body].map((row) => row[at]?.length ?? 0))
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [
    line(heads),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(line)
  ].join('\n')
}

/** The page as it stands, and as it should be. */
export function clientsPage(): { readonly now: string; readonly wanted: string } {
  const now = readFileSync(page, 'utf8')
  const before = now.slice(0, now.indexOf(start) + start.length)
  return { now, wanted: `${before}\n${resultsTable()}\n\n${now.slice(now.indexOf(end))}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(page, clientsPage().wanted)
