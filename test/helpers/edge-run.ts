/** Captures through an edge, and what is to be seen of it: at the wiki behind, at the edge, on disk. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { testClock } from './clocks.ts'
import { type Behind, type Edge, edge, lots, marks } from './edge.ts'
import { filesIn, interactionFiles, temporaryFolder } from './folders.ts'
import { ask } from './http-client.ts'
import { type Run, run } from './program.ts'
import { authority, ofWiki, proxyTo } from './tls.ts'
import type { Seen } from './upstreams.ts'

interface EdgeRun {
  readonly first: Run
  /** Each time in another order, everything anew. */
  readonly again: readonly Run[]
  readonly edge: Edge
  readonly cassette: string
  readonly interactions: number
  /** Names of files that the captures after the first added, took away or altered. */
  readonly changed: readonly string[]
  /** Questions that the first capture got through to the wiki, in order, less `maxlag`. */
  readonly answered: readonly string[]
  /** Requests that the edge saw of each capture. */
  readonly requests: readonly number[]
}

interface EdgeRunOptions {
  readonly farm: 'wikimedia' | 'fandom'
  readonly behind: (seen: Seen) => Behind | Promise<Behind>
  readonly calls: readonly string[]
  /** One capture more for each, in an order drawn by it. */
  readonly orders: readonly number[]
  /** The share of requests that meet trouble; 0.06 unless given. */
  readonly trouble?: number
  /** How the edge is reached; unless given in plain http. */
  readonly by?: 'http' | 'tls' | 'tunnel'
}

export async function captureThroughEdge(options: EdgeRunOptions): Promise<EdgeRun> {
  const { farm, calls, orders, trouble = 0.06, by = 'http' } = options
  const clock = testClock()
  const answered: string[] = []
  const behind = (seen: Seen): ReturnType<typeof options.behind> => {
    answered.push(questionOf(seen))
    return options.behind(seen)
  }
  const before = await edge({
    farm,
    behind,
    trouble,
    seed: 7,
    now: clock.now,
    pem: by === 'http' ? undefined : ofWiki()
  })
  const { address, env, flags: believing } = await wayTo(before, by)
  const cassette = path.join(temporaryFolder(), 'tape')
  const requests: number[] = []
  const capture = async (lines: readonly string[], ...flags: string[]): Promise<Run> => {
    const earlier = before.seen.length
    const all = [
      'capture',
      address,
      '--requests',
      '-',
      '--cassette',
      cassette,
      ...flags,
      ...believing
    ]
    const ran = await run([...all, '--contact', 'me@example.org'], {
      stdin: lines.join('\n'),
      clock,
      env
    })
    requests.push(before.seen.length - earlier)
    return ran
  }
  const first = await capture(calls)
  const files = filesIn(cassette)
  const answeredFirst = [...answered]
  const changed = new Set<string>()
  const again: Run[] = []
  for (const seed of orders) {
    again.push(await capture(shuffled(calls, seed), '--mode', 'all'))
    for (const name of differing(files, filesIn(cassette))) changed.add(name)
  }
  return {
    first,
    again,
    edge: before,
    cassette,
    requests,
    answered: answeredFirst,
    interactions: interactionFiles(cassette).length,
    changed: [...changed]
  }
}

/** Behind a tunnel it has a name that only the proxy knows. */
async function wayTo(
  { api }: Edge,
  by: NonNullable<EdgeRunOptions['by']>
): Promise<{
  readonly address: string
  readonly env: Record<string, string>
  readonly flags: readonly string[]
}> {
  if (by === 'http') return { address: api, env: {}, flags: [] }
  const flags = ['--cacert', authority]
  if (by === 'tls') return { address: api, env: {}, flags }
  const proxy = await proxyTo(Number(new URL(api).port))
  return {
    address: 'https://wiki.test/w/api.php',
    env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` },
    flags
  }
}

const questionOf = ({ method, target, body }: Seen): string =>
  `${method} ${target.replace(/[?&]maxlag=5(?=&|$)/, '')} ${body.toString('utf8').replace(/&?maxlag=5(?=&|$)/, '')}`

const differing = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>
): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name)
  )

const shuffled = (lines: readonly string[], seed: number): readonly string[] => {
  const lot = lots(seed)
  return lines
    .map((line) => [lot(), line] as const)
    .sort(([a], [b]) => a - b)
    .map(([, line]) => line)
}

/** What of the edge, and of who asked, stands in the bytes or the names of a folder's files. */
export function tracesIn(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile()
  )
  const bytes = names.map(({ parentPath, name }) =>
    readFileSync(path.join(parentPath, name))
  )
  const sought = [...marks, 'me@example.org', 'maxlag=5']
  return sought.filter(
    (mark) =>
      names.some(({ parentPath, name }) => path.join(parentPath, name).includes(mark)) ||
      bytes.some((one) => one.includes(mark))
  )
}

/** Passes a request on to a wiki, and its answer back as it is. */
export async function passOn(
  api: string,
  { method, target, headers, body }: Seen
): Promise<Behind> {
  const cut = target.indexOf('?')
  const passed = ['content-type', 'cookie', 'user-agent'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const answer = await ask(api + (cut < 0 ? '' : target.slice(cut)), {
    method,
    headers: { ...Object.fromEntries(passed), 'content-length': String(body.length) },
    body
  })
  const own = Object.entries(answer.headers).filter(
    ([name]) =>
      ![
        'connection',
        'keep-alive',
        'transfer-encoding',
        'content-length',
        'date'
      ].includes(name)
  )
  return {
    status: answer.status,
    headers: Object.fromEntries(
      own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    ),
    body: answer.body
  }
}
