/** Requests drawn by lot, recorded through the whole program and then asked in other words without the wiki. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Serving, startRecording, startReplay } from '../../src/index.ts'
import { type JsonTree, withoutMember } from '../../src/recorder/json/json-tree.ts'
import { readJson } from '../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../src/recorder/json/write-json.ts'
import type { WikiFacts } from '../../src/recorder/request/derive.ts'
import { equalIgnoringVolatile } from '../../src/recorder/wiki/answers/volatile.ts'
import { type Draw, drawCase, drawFor, drawPages, pick } from './drawn.ts'
import { type Ask, inOtherWords } from './other-words.ts'
import { nextOf } from './run.ts'
import { send, sorted } from './send.ts'
import type { DescribedWiki } from './wiki.ts'

/** How many answers were what, and what stood in those that were wrong. */
export interface DrawnRequests {
  readonly sums: Record<Verdict | 'missed' | 'synthesized', number>
  readonly wrong: string[]
}

interface Answer {
  readonly status: string
  readonly tree: JsonTree | undefined
}

async function answerTo(url: string, { query, posted }: Ask): Promise<Answer> {
  const response = await send(url, query, posted)
  const reading = readJson(await response.text())
  const tree = reading.ok ? withoutMember(reading.tree, 'debuginfo') : undefined
  return { status: response.headers.get('x-cassette-status') ?? '', tree }
}

/** Equal; equal but for the order of members, which follows the recording; or not. */
type Verdict = 'exact' | 'members' | 'own' | 'wrong'

function judge(said: JsonTree | undefined, truth: JsonTree | undefined): Verdict {
  if (said === undefined || truth === undefined) return said === truth ? 'exact' : 'wrong'
  const ours = writeCompact(said, 'utf8')
  const theirs = writeCompact(truth, 'utf8')
  if (ours === theirs || equalIgnoringVolatile(said, truth)) return 'exact'
  if (ours.includes('"wikitape-')) {
    const [a, b] = [said, truth].map((tree) =>
      withoutMember(withoutMember(tree, 'continue'), 'query-continue')
    )
    return a && b && writeCompact(a, 'utf8') === writeCompact(b, 'utf8') ? 'own' : 'wrong'
  }
  return writeCompact(sorted(said), 'utf8') === writeCompact(sorted(truth), 'utf8')
    ? 'members'
    : 'wrong'
}

/** What is recorded of one drawn request: it, perhaps in other words, and what follows. */
async function record(
  api: string,
  facts: WikiFacts,
  query: string,
  draw: Draw
): Promise<void> {
  const asks: Ask[] = [{ query, posted: draw(4) === 0 }]
  if (draw(3) === 0) asks.push(inOtherWords(query, facts, draw))
  for (const one of asks) {
    let at: ReadonlyMap<string, string> | undefined = new Map()
    for (let step = 0; step < 4 && at !== undefined; step += 1) {
      const { tree } = await answerTo(api, on(one, at))
      at = tree && nextOf(one, tree, at)
    }
  }
}

const on = ({ query, posted }: Ask, at: ReadonlyMap<string, string>): Ask => {
  const params = new URLSearchParams(query)
  for (const [name, value] of at) params.set(name, value)
  return { query: params.toString(), posted }
}

/** Draws that many requests. */
export async function drawnRequests(
  { wiki, modules }: DescribedWiki,
  count: number,
  seed: number
): Promise<DrawnRequests> {
  const cassette = mkdtempSync(path.join(tmpdir(), 'wikitape-fidelity-'))
  const queries = Array.from({ length: count }, (_, nth) =>
    drawQuery(modules, drawFor(wiki.url, seed, nth))
  )
  const recording = await startRecording({ cassette, apiUrl: wiki.url, allowLive: true })
  for (const [nth, query] of queries.entries())
    await record(recording.apiUrl, wiki.facts, query, drawFor(wiki.url, seed + 1, nth))
  await recording.close()
  const replay = await startReplay({ cassette })
  const result: DrawnRequests = {
    sums: { exact: 0, members: 0, own: 0, wrong: 0, missed: 0, synthesized: 0 },
    wrong: []
  }
  for (const [nth, query] of queries.entries()) {
    const draw = drawFor(wiki.url, seed + 2, nth)
    for (let turn = 0; turn < 6; turn += 1)
      await compareWalk(
        replay,
        wiki.url,
        query,
        inOtherWords(query, wiki.facts, draw),
        result
      )
  }
  await replay.close()
  rmSync(cassette, { recursive: true, force: true })
  return result
}

function drawQuery(modules: DescribedWiki['modules'], draw: Draw): string {
  const one = draw(2) === 0 ? drawCase(modules, draw) : drawPages(modules, draw)
  const limit =
    draw(3) > 0 && one.limit !== ''
      ? `&${one.limit}=${pick([1, 2, 3, 5, 10, 500], draw) ?? 1}`
      : ''
  const dialect = pick(['&continue=', '&continue=', '', '&rawcontinue='], draw) ?? ''
  return `action=query&format=json&${one.query}${limit}${dialect}`
}

/** A few steps by the wiki's own continue values, as long as they are answered without it. */
async function compareWalk(
  replay: Serving,
  url: string,
  query: string,
  first: Ask,
  { sums, wrong }: DrawnRequests
): Promise<void> {
  let ask: Ask | undefined = first
  for (let step = 0; step < 3 && ask !== undefined; step += 1) {
    const said = await answerTo(replay.apiUrl, ask)
    if (said.status !== 'replayed' && said.status !== 'synthesized') {
      sums.missed += 1
      return
    }
    const truth = await answerTo(url, ask)
    const verdict = judge(said.tree, truth.tree)
    sums[verdict] += 1
    if (said.status === 'synthesized') sums.synthesized += 1
    if (verdict === 'wrong') {
      const asked = `${ask.posted ? 'POST' : 'GET'} ${readable(ask.query)}`
      wrong.push(
        `${said.status}\n  drawn ${readable(query)}\n  asked ${asked}\n${apart(truth.tree, said.tree)}`
      )
    }
    const next: ReadonlyMap<string, string> | undefined =
      truth.tree && nextOf(ask, truth.tree, new Map())
    ask = next && on(ask, next)
  }
}

const readable = (query: string): string => decodeURIComponent(query.replaceAll('+', ' '))

/** Where two answers begin to differ. */
function apart(truth: JsonTree | undefined, said: JsonTree | undefined): string {
  const [theirs = '', ours = ''] = [truth, said].map((tree) =>
    tree ? writeCompact(tree, 'utf8') : 'no JSON'
  )
  let at = 0
  while (at < theirs.length && theirs[at] === ours[at]) at += 1
  const from = Math.max(0, at - 150)
  return `  wiki …${theirs.slice(from, at + 250)}\n  tape …${ours.slice(from, at + 250)}`
}
