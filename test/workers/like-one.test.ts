/** `replay --workers N` answers, counts and ends as one process does. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settling } from '../../src/store/lookout.ts'
import { circle } from '../helpers/circle.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { recordedIn } from '../helpers/recorded-requests.ts'
import { scaled } from '../helpers/scale.ts'
import { loginEditRead } from '../helpers/session-script.ts'
import { shipped } from '../helpers/shipped.ts'
import { Client, statefulWiki, withoutTokens } from '../helpers/stateful-wiki.ts'
import { type Asking, connections, type Served, servedBy, several } from './served-by.ts'

const api = '/w/api.php'

const asPost = (target: string): Pick<Asking, 'path' | 'method' | 'body' | 'headers'> => ({
  path: api,
  method: 'POST',
  body: target.slice(target.indexOf('?') + 1),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** Not everything alike: heads, forms, compressed answers, clients with a session, other limits, and nonsense. */
function varied(target: string, at: number): Omit<Asking, 'over'> {
  const get = { path: target }
  switch (at % 11) {
    case 1:
      return asPost(target)
    case 2:
      return { ...get, method: 'HEAD' }
    case 3:
      return { ...get, headers: { 'accept-encoding': 'gzip' } }
    case 4:
      return { ...get, headers: { 'x-cassette-session': `s${at % 3}` } }
    case 5:
      return { ...get, headers: { cookie: 'ruwiki_session=0123456789abcdef0123456789abcdef' } }
    case 6:
      return { path: target.replace(/limit=\d+/, 'limit=3') }
    case 7:
      return { path: `${target}&never=recorded` }
    case 8:
      return { path: `/~@path${target}` }
    case 9:
      return {
        path: target
          .split('&')
          .reverse()
          .join('&')
          .replace(/^(.*?)(\/w\/api\.php\?)(.*)$/, '$2$1$3'),
      }
    default:
      return get
  }
}

const nonsense: readonly Omit<Asking, 'over'>[] = [
  { path: `${api}?action=query`, headers: { host: 'elsewhere.example' } },
  { path: `${api}?action=query`, headers: { 'x-cassette': '../x' } },
  { path: `${api}?action=query`, headers: { 'x-cassette': 'none-of-this-name' } },
  { path: `${api}?action=query`, headers: { 'x-cassette-mode': 'all' } },
  { path: `${api}?action=query`, headers: { origin: 'https://stranger.example' } },
  { path: `${api}?action=query`, method: 'PUT' },
  { path: `${api}?action=query`, method: 'OPTIONS' },
  { path: '/', headers: { accept: 'text/html' } },
  { path: '/__wikitape/nothing' },
  { path: '/__wikitape/summary' },
  { path: '/__wikitape/misses' },
  { path: '/__wikitape/interactions' },
]

/** What a run leaves behind, less its times. */
interface Left {
  readonly ended: unknown
  readonly usage: string
  readonly log: readonly string[]
}

async function leave(served: Served, place: string): Promise<Left> {
  const { code, stdout, stderr } = await served.server.stop()
  const log = readFileSync(path.join(place, 'log'), 'utf8').trim().split('\n')
  return {
    ended: { code, stdout: stdout.replaceAll(/:\d+\//g, ':PORT/'), stderr: stderr.split('\n').sort() },
    usage: readFileSync(path.join(place, 'usage'), 'utf8'),
    log: log.map((line) => line.replace(/"(?:time|ms)":[^,]+,/g, '')).sort(),
  }
}

/** Asks one process, then several, and holds what they said and left against each other. */
async function compare(
  cassette: string,
  asked: readonly Asking[],
  processes: readonly number[],
): Promise<void> {
  const runs = []
  for (const count of [1, ...processes]) {
    const place = temporaryFolder()
    const files = ['--usage', path.join(place, 'usage'), '--log', path.join(place, 'log')]
    const served = await servedBy(count, ['--cassette', cassette, '--json', ...files])
    const replies = await served.askAll(asked)
    const left = await leave(served, place)
    runs.push({ replies, left: { ...left, usage: left.usage.replaceAll(/"\.\.[^"]*"/g, 'CASSETTE') } })
  }
  const [alone, ...together] = runs
  for (const one of together) expect(one).toEqual(alone)
}

describe.each((['1.43', '1.35'] as const).slice(0, scaled(1, 2)))(
  'all that is recorded of MediaWiki %s',
  (version) => {
    it('is answered, counted and told alike', async () => {
      const all = recordedIn(shipped(version))
      // A step through the list that meets every request once, far from its neighbours.
      const order = all.map((_, at) => all[(at * 7919) % all.length] ?? '')
      const some = order.slice(0, scaled(50, order.length))
      const rounds = [some, some.toReversed()].flatMap((round, turn) =>
        round.map((target, at) => ({ ...varied(target, at + turn * 5), over: at + turn })),
      )
      const rest = nonsense.map((one, at) => ({ ...one, over: at }))
      await compare(shipped(version), [...rounds, ...rest], [2, 3].slice(0, scaled(1, 2)))
    })
  },
)

/** A wiki whose pages change when somebody writes. */
async function writtenWiki(steps: readonly Step[]): Promise<string> {
  const pages = new Map<string, string>()
  const wiki = await fakeWiki((params) => {
    const title = params.get('title') ?? params.get('titles') ?? ''
    if (params.get('action') === 'edit') {
      pages.set(title, params.get('text') ?? '')
      return JSON.stringify({ edit: { result: 'Success', title } })
    }
    if (params.get('list') === 'allpages')
      return JSON.stringify({ query: { allpages: [...pages.keys()].sort().map((one) => ({ title: one })) } })
    return JSON.stringify({ query: { pages: [{ title, text: pages.get(title) ?? 'missing' }] } })
  })
  const recording = await startProxy(wiki.api, { cassette: path.join(temporaryFolder(), 'tape') })
  for (const step of steps) {
    const { path: target, ...rest } = askingOf(step)
    await ask(recording.origin, { ...rest, target })
  }
  await recording.close()
  return recording.cassette
}

interface Step {
  readonly kind: 'read' | 'edit' | 'list'
  readonly title: string
  readonly over: number
}

const askingOf = ({ kind, title, over }: Step): Asking => {
  const query = {
    read: `action=query&prop=links&titles=${title}&format=json`,
    edit: `action=edit&title=${title}&text=${over}&token=%2B%5C&format=json`,
    list: `action=query&list=allpages&aplimit=10&format=json`,
  }[kind]
  return { ...(kind === 'edit' ? asPost(`?${query}`) : { path: `${api}?${query}` }), over }
}

describe('what hangs on what was asked before', () => {
  const step = fc.record({
    kind: fc.constantFrom(
      'read' as const,
      'read' as const,
      'read' as const,
      'edit' as const,
      'list' as const,
    ),
    title: fc.constantFrom('A', 'B', 'C'),
    over: fc.nat({ max: connections - 1 }),
  })

  it('is the same, whichever process is asked: reads and writes of nobody in particular', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.array(step, { minLength: 5, maxLength: 30 }),
        async (recorded, others) => {
          const cassette = await writtenWiki(recorded)
          // Each read twice before anything is written, so that every process knows it by heart.
          const reads = recorded.filter(({ kind }) => kind !== 'edit')
          const warm = [0, 1, 2, 3].flatMap((over) => reads.map((one) => ({ ...one, over })))
          await compare(cassette, [...warm, ...recorded, ...warm, ...others].map(askingOf), [several])
        },
      ),
      { numRuns: scaled(1, 30) },
    )
  })

  it('is the same for clients that log in, write, read back and leave', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const script = async (client: Client): Promise<readonly string[]> =>
      (await loginEditRead(client)).map(withoutTokens)
    const live = await script(new Client(recording.api))
    await recording.close()
    const { server } = await servedBy(several, ['--cassette', recording.cassette])
    const clients = Array.from({ length: 5 }, () => script(new Client(server.api)))
    for (const replies of await Promise.all(clients)) expect(replies).toEqual(live)
    expect((await server.stop()).code).toBe(0)
  })

  it('is the same for a walk that would go in a circle', async () => {
    const { cassette, targets } = await circle()
    // A younger one is read again in the middle of a run, which then knows of no step taken before.
    await setTimeout(settling)
    const asked = [0, 1, 2, 3, 0, 1].flatMap((over) =>
      targets.map((one, at) => ({ path: one, over: over + at })),
    )
    await compare(cassette, asked, [2, 3].slice(0, scaled(1, 2)))
  })
})

it('never tells what was before a write to somebody who asks after it', async () => {
  const read: Step = { kind: 'read', title: 'A', over: 0 }
  const write: Step = { kind: 'edit', title: 'A', over: 0 }
  const cassette = await writtenWiki([read, write, read])
  for (let round = 0; round < scaled(1, 20); round += 1) {
    const served = await servedBy(several, ['--cassette', cassette])
    for (let over = 0; over < connections; over += 1)
      await served.askAll(Array(3).fill(askingOf({ ...read, over })))
    let written = false
    const heard: (readonly [before: boolean, text: string])[] = []
    const reader = async (over: number): Promise<void> => {
      for (let more = 5; more > 0; ) {
        const before = written
        heard.push([before, (await served.ask(askingOf({ ...read, over }))).text])
        if (before) more -= 1
      }
    }
    const readers = [1, 2, 3].map(reader)
    expect((await served.ask(askingOf(write))).text).toContain('Success')
    written = true
    await Promise.all(readers)
    for (const [after, text] of heard) if (after) expect(text).toContain('"text":"0"')
    await served.server.stop()
  }
})
