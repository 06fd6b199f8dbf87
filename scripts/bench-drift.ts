/**
 * How drift compares with libraries for JSON differences: `npx tsx scripts/bench-drift.ts`.
 * A list of 10,000 pages with known changes; every library runs in a process of its own, one case a process, and
 * is stopped after a minute. jsondiffpatch and microdiff are fetched into a temporary folder: no dependencies.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { newManifest } from '../src/cassette/format/manifest.ts'
import type { Interaction } from '../src/cassette/interaction.ts'
import { compareCassettes, unfilteredChanges } from '../src/drift/compare.ts'
import type { CassetteSide } from '../src/drift/inputs/cassette-side.ts'
import { readJson } from '../src/json/read-json.ts'
import { htmlReport } from '../src/report/html/html-report.ts'
import { terminalReport } from '../src/report/terminal/terminal-report.ts'
import { requestKey } from '../src/request/request-key.ts'
import { formatCount } from '../src/text/words.ts'

interface Page {
  readonly pageid: number
  readonly ns: number
  readonly title: string
  readonly touched: string
  readonly lastrevid: number
  readonly length: number
}

const count = 10_000
const pages: readonly Page[] = Array.from({ length: count }, (_, at) => ({
  pageid: at + 1,
  ns: 0,
  title: `Статья ${at + 1}`,
  touched: '2026-01-01T00:00:00Z',
  lastrevid: at + 100,
  length: 1_000 + at,
}))

const cases: Readonly<Record<string, { readonly truth: string; after(): readonly Page[] }>> = {
  'one in front, 100 changed': {
    truth: '101',
    after: () => [
      { ...pages[0], pageid: 99_999, title: 'Новая', ns: 0, touched: '', lastrevid: 1, length: 5 },
      ...pages.map((page, at) => (at % 100 === 50 ? { ...page, length: page.length + 5 } : page)),
    ],
  },
  'every item changed': {
    truth: '10,000',
    after: () => pages.map((page) => ({ ...page, length: page.length + 1 })),
  },
  reversed: { truth: '1', after: () => [...pages].reverse() },
  'all ids new': {
    truth: '20,000',
    after: () =>
      pages.map((page) => ({
        ...page,
        pageid: page.pageid + 50_000,
        title: `Новая ${page.title}`,
      })),
  },
}

/** What one run tells: how many differences, in what processor time, with how much memory. */
interface Measured {
  readonly found: number
  /** Processor time, collector's threads included: a busy machine does not change it much. */
  readonly milliseconds: number
  readonly megabytes: number
}

const tools = ['wikitape', 'jsondiffpatch', 'jsondiffpatch + objectHash', 'microdiff'] as const
type Tool = (typeof tools)[number]

const query = 'action=query&list=allpages&aplimit=max'

function sideOf(name: string, interactions: readonly Interaction[]): CassetteSide {
  return {
    name,
    manifest: newManifest('http://127.0.0.1/w/api.php'),
    interactions,
    modules: new Map(),
  }
}

function interactionOf(body: string, asked: string = query): Interaction {
  const reading = readJson(body)
  if (!reading.ok) throw new Error(reading.fault.message)
  const request = new Map(new URLSearchParams(asked))
  const json = { kind: 'json', tree: reading.tree, spelling: 'utf8' } as const
  const headers = new Map([['content-type', 'application/json']])
  return {
    key: requestKey(request),
    request,
    sentValues: new Map(),
    responses: [{ status: 200, headers, cookies: [], body: json }],
  }
}

const bodyOf = (items: readonly Page[]): string =>
  JSON.stringify({ batchcomplete: true, query: { allpages: items } })

/** The comparison alone, reading not counted; the first run warms nothing up, as on the command line. */
async function measure(tool: Tool, name: string, modules: string): Promise<Measured> {
  const after = cases[name]?.after() ?? []
  const run = await prepare(tool, bodyOf(pages), bodyOf(after), modules)
  // What reading left behind is not the comparison's to clear away; the same for every tool.
  global.gc?.()
  const start = process.cpuUsage()
  const found = run()
  const { user, system } = process.cpuUsage(start)
  const milliseconds = (user + system) / 1000
  return { found, milliseconds, megabytes: process.resourceUsage().maxRSS / 1024 }
}

async function prepare(
  tool: Tool,
  before: string,
  after: string,
  modules: string,
): Promise<() => number> {
  if (tool === 'wikitape') {
    const a = sideOf('a', [interactionOf(before)])
    const b = sideOf('b', [interactionOf(after)])
    return () => unfilteredChanges(a, b).length
  }
  const [a, b]: readonly [unknown, unknown] = [JSON.parse(before), JSON.parse(after)]
  if (tool === 'microdiff') {
    const library: unknown = await import(entryOf('microdiff', modules))
    const diff = functionIn(library, 'default')
    return () => counted(diff(a, b))
  }
  const library: unknown = await import(entryOf('jsondiffpatch', modules))
  const options = tool === 'jsondiffpatch' ? {} : { objectHash: (item: Page) => item.pageid }
  const instance: unknown = functionIn(library, 'create')(options)
  const diff = functionIn(instance, 'diff')
  return () => counted(leaves(diff.call(instance, a, b)))
}

const entryOf = (name: string, modules: string): string =>
  pathToFileURL(createRequire(join(modules, 'x.js')).resolve(name)).href

function functionIn(value: unknown, name: string): (...values: readonly unknown[]) => unknown {
  const found: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  if (typeof found !== 'function') throw new Error(`no function ${name}`)
  return (...values) => Reflect.apply(found, value, values)
}

const counted = (list: unknown): number => (Array.isArray(list) ? list.length : 0)

/** The leaves of a jsondiffpatch delta: arrays; `_t` marks a list's delta. */
function leaves(delta: unknown): readonly unknown[] {
  if (Array.isArray(delta)) return [delta]
  if (typeof delta !== 'object' || delta === null) return []
  return Object.entries(delta).flatMap(([key, value]) => (key === '_t' ? [] : leaves(value)))
}

/** One tool and case in a process of its own; undefined where it did not end in time. */
function inProcess(tool: Tool, name: string, modules: string): Promise<Measured | undefined> {
  const args = [
    '--expose-gc',
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    tool,
    name,
    modules,
  ]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: 60_000, maxBuffer: 1 << 20 }, (error, stdout) => {
      resolve(error === null ? JSON.parse(stdout) : undefined)
    })
  })
}

const runs = 5

async function median(tool: Tool, name: string, modules: string): Promise<Measured | undefined> {
  const all: Measured[] = []
  for (let run = 0; run < runs; run += 1) {
    const measured = await inProcess(tool, name, modules)
    if (measured === undefined) return undefined
    all.push(measured)
    if (measured.milliseconds > 5_000) break
  }
  return all.sort((a, b) => a.milliseconds - b.milliseconds)[Math.floor(all.length / 2)]
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

async function compareTools(): Promise<void> {
  const modules = mkdtempSync(join(tmpdir(), 'wikitape-bench-'))
  try {
    execFileSync(
      'npm',
      [
        'install',
        '--prefix',
        modules,
        '--no-audit',
        '--no-fund',
        'jsondiffpatch@0.7',
        'microdiff@1',
      ],
      {
        stdio: 'ignore',
      },
    )
    say(
      `node ${process.version}, ${formatCount(count)} items, median of ${runs} processes, processor time\n`,
    )
    say('| case | truth | tool | found | CPU ms | × wikitape | MB |')
    say('|---|--:|---|--:|--:|--:|--:|')
    for (const [name, { truth }] of Object.entries(cases)) await compareCase(name, truth, modules)
  } finally {
    rmSync(modules, { recursive: true, force: true })
  }
  say('')
  measureWhole()
}

async function compareCase(name: string, truth: string, modules: string): Promise<void> {
  let own = 0
  for (const tool of tools) {
    const measured = await median(tool, name, modules)
    if (measured === undefined) {
      say(`| ${name} | ${truth} | ${tool} | gave up | > 60,000 | | |`)
      continue
    }
    const { found, milliseconds, megabytes } = measured
    if (tool === 'wikitape') own = milliseconds
    const ratio = (milliseconds / own).toFixed(1)
    say(
      `| ${name} | ${truth} | ${tool} | ${formatCount(found)} | ${milliseconds.toFixed(0)} | ${ratio} | ${megabytes.toFixed(0)} |`,
    )
  }
}

/** Two cassettes of 10,000 interactions, and the size of the reports of the main case. */
function measureWhole(): void {
  const interactions = (length: number): readonly Interaction[] =>
    pages.map((page) =>
      interactionOf(
        bodyOf([{ ...page, length: page.length + length }]),
        `${query}&apfrom=${page.title}`,
      ),
    )
  const a = sideOf('a', interactions(0))
  const b = sideOf('b', interactions(1))
  const start = performance.now()
  const whole = compareCassettes(a, b)
  const seconds = (performance.now() - start) / 1000
  const megabytes = process.resourceUsage().maxRSS / 1024
  say(
    `10,000 interactions against 10,000: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB, ${whole.findings.length} finding`,
  )
  const after = cases['one in front, 100 changed']?.after() ?? []
  const main = compareCassettes(
    sideOf('a', [interactionOf(bodyOf(pages))]),
    sideOf('b', [interactionOf(bodyOf(after))]),
  )
  const options = { columns: 80, colour: false, failOn: 'breaking', show: 'some' } as const
  const shown = terminalReport(main, options)
    .split('\n')
    .filter((line) => line.startsWith('  #'))
  say(
    `main case: ${shown.length} lines shown, HTML ${(Buffer.byteLength(htmlReport(main)) / 1000).toFixed(0)} KB`,
  )
}

const [tool, name, modules] = process.argv.slice(2)
const chosen = tools.find((one) => one === tool)
if (chosen !== undefined && name !== undefined && modules !== undefined) {
  process.stdout.write(JSON.stringify(await measure(chosen, name, modules)))
} else {
  await compareTools()
}
