/** Requests drawn by lot, recorded through the whole program and then asked in other words without the wiki. */
import type { WikiFacts } from '../../src/recorder/request/derive.ts'
import { type Draw, drawCase, drawFor, drawPages, pick } from './drawn.ts'
import { askOf, inOtherWords } from './other-words.ts'
import { type Ask, type Said, sendTo, shown } from './pairs/ask.ts'
import { apart, judge, type Verdict } from './pairs/judge.ts'
import {
  following,
  type Recording,
  recordAll,
  sideBySide,
  type Tape
} from './pairs/tape.ts'
import type { DescribedWiki } from './wiki.ts'

/** How many answers were what, and what stood in those that were wrong. */
export interface DrawnRequests {
  readonly sums: Record<Verdict | 'missed' | 'synthesized', number>
  readonly wrong: string[]
}

/** What is recorded of one drawn request: it, perhaps in other words, and what follows. */
function recordings(query: string, facts: WikiFacts, draw: Draw): readonly Recording[] {
  const asks = [askOf(new URLSearchParams(query), draw(4) === 0)]
  if (draw(3) === 0) asks.push(inOtherWords(query, facts, draw))
  return asks.map((ask) => ({ ask, steps: 4 }))
}

/** Draws that many requests. */
export async function drawnRequests(
  { wiki, modules }: DescribedWiki,
  count: number,
  seed: number
): Promise<DrawnRequests> {
  const queries = Array.from({ length: count }, (_, nth) =>
    drawQuery(modules, drawFor(wiki.url, seed, nth))
  )
  const tape = await recordAll(
    wiki.url,
    queries.flatMap((query, nth) =>
      recordings(query, wiki.facts, drawFor(wiki.url, seed + 1, nth))
    ),
    []
  )
  const result: DrawnRequests = {
    sums: { exact: 0, order: 0, own: 0, wrong: 0, missed: 0, synthesized: 0 },
    wrong: []
  }
  await sideBySide([...queries.entries()], async ([nth, query]) => {
    const draw = drawFor(wiki.url, seed + 2, nth)
    for (let turn = 0; turn < 6; turn += 1)
      await compareWalk(tape, wiki.url, inOtherWords(query, wiki.facts, draw), result)
  })
  await tape.close()
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

/** The answer of a tape if there is one; what it is worth, and the wiki's own, which says how to go on. */
export async function compareOne(
  tape: Tape,
  url: string,
  ask: Ask
): Promise<{
  readonly said: Said
  readonly truth: Said
  readonly verdict: Verdict | 'missed'
}> {
  const said = await tape.say(ask)
  const truth = await sendTo(url, ask, new Map())
  const isAnswer = said.status === 'replayed' || said.status === 'synthesized'
  return { said, truth, verdict: isAnswer ? judge(said, truth) : 'missed' }
}

/** What is wrong, to be read. */
export const toldWrong = (ask: Ask, said: Said, truth: Said): string =>
  `${said.status}\n  asked ${shown(ask)}\n${apart(said, truth)}`

/** A few steps by the wiki's own continue values, as long as they are answered without it. */
async function compareWalk(
  tape: Tape,
  url: string,
  first: Ask,
  { sums, wrong }: DrawnRequests
): Promise<void> {
  let ask: Ask | undefined = first
  for (let step = 0; step < 3 && ask !== undefined; step += 1) {
    const { said, truth, verdict } = await compareOne(tape, url, ask)
    sums[verdict] += 1
    if (verdict === 'missed') return
    if (said.status === 'synthesized') sums.synthesized += 1
    if (verdict === 'wrong' || verdict === 'order')
      wrong.push(toldWrong(ask, said, truth))
    ask = following(ask, truth, new Map())?.ask
  }
}
