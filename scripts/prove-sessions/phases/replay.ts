/** A recorded program replayed: in its order, where each answer is the recorded one; and in variants. */

import type { Program, Step } from '../programs/program.ts'
import { writesFiles } from '../programs/program.ts'
import { clockOf } from '../wiki/wiki.ts'
import { Clients } from './client.ts'
import { Comparison } from './compare.ts'
import type { Bench, Fault } from './lab-run.ts'
import { isPage, isRefused, type Recorded } from './record.ts'

export interface Replayed {
  readonly faults: readonly Fault[]
  readonly misses: readonly Fault[]
  /** What was asked, of each answer. */
  readonly asked: readonly string[]
}

interface Got {
  readonly step: Step
  readonly missed: boolean
  readonly status: number
  readonly text: string
}

async function replay(
  bench: Bench,
  steps: readonly Step[],
  tape: string
): Promise<readonly Got[]> {
  const serving = await bench.wikitape.startReplay({ cassette: tape })
  const clients = new Clients(new URL(serving.apiUrl).origin)
  const got: Got[] = []
  for (const step of steps) {
    const said = await clients.send(step)
    if (said.kind === 'failed')
      got.push({ step, missed: false, status: 0, text: said.why })
    if (said.kind !== 'answer') continue
    const { status, text, headers } = said.reply
    got.push({
      step,
      missed: headers['x-cassette-status'] === 'miss' || isRefused(said.reply),
      status,
      text
    })
  }
  await serving.close()
  return got
}

/** @param recorded of the same program */
export async function replayInOrder(
  bench: Bench,
  program: Program,
  recorded: Recorded,
  tape: string
): Promise<Replayed> {
  const comparison = new Comparison(new Map(), {})
  const faults: Fault[] = []
  const misses: Fault[] = []
  const asked: string[] = []
  // What follows is no longer what was recorded, and cannot be.
  let lost = false
  for (const { step, missed, status, text } of await replay(bench, program.steps, tape)) {
    const answer = recorded.answers.get(step.at)
    if (answer === undefined || isPage(step)) continue
    asked.push(step.what)
    if (missed) {
      misses.push(
        lost
          ? fault('in order', step, text)
          : { ...fault('in order', step, text), missed: true }
      )
      lost ||= step.writes
      continue
    }
    const difference =
      status === answer.status
        ? comparison.difference(text, answer.text)
        : `status ${status} ≠ ${answer.status}`
    if (difference !== undefined)
      (lost ? misses : faults).push(fault('in order', step, difference))
  }
  return { faults, misses, asked }
}

/** @param steps those of the program in another order, or fewer */
export async function replayVariant(
  bench: Bench,
  program: Program,
  steps: readonly Step[],
  tape: string
): Promise<Replayed> {
  const got = await replay(bench, steps, tape)
  // What was missed was not done: so it is not in the truth either.
  const done = got.filter(({ missed }) => !missed)
  const truth = await drive(
    bench,
    program,
    done.map(({ step }) => step),
    steps
  )
  const comparison = new Comparison(truth.places, bench.highest)
  const faults = done.flatMap(({ step, status, text }) => {
    const answer = truth.answers.get(step.at)
    if (answer === undefined || isPage(step)) return []
    const difference =
      status === answer.status
        ? comparison.difference(text, answer.text)
        : `status ${status} ≠ ${answer.status}`
    return difference === undefined ? [] : [fault('variant', step, difference)]
  })
  const misses = got
    .filter(({ missed }) => missed)
    .map(({ step, text }) => fault('variant', step, text))
  const asked = got.filter(({ step }) => !isPage(step)).map(({ step }) => step.what)
  return { faults, misses, asked }
}

interface Truth {
  readonly answers: ReadonlyMap<
    number,
    { readonly status: number; readonly text: string }
  >
  readonly places: ReadonlyMap<number, number>
}

/** The wiki as it was, asked the same in the same order. */
async function drive(
  bench: Bench,
  program: Program,
  steps: readonly Step[],
  all: readonly Step[]
): Promise<Truth> {
  const { wiki, gate } = bench
  wiki.reset(writesFiles(program))
  if (program.temporaryAccounts) wiki.allowTemporaryAccounts()
  const clients = new Clients(gate.origin)
  const answers = new Map<number, { readonly status: number; readonly text: string }>()
  const places = new Map<number, number>()
  const clocks = all.map(({ at }) => at).sort((a, b) => a - b)
  const sent = new Set(steps)
  for (const [place, step] of all.entries()) {
    const clock = clocks[place] ?? place
    places.set(clock, step.at)
    if (!sent.has(step) && step.send.by !== 'cookies') continue
    wiki.setClock(clockOf(clock))
    const said = await clients.send(step)
    if (said.kind === 'answer')
      answers.set(step.at, { status: said.reply.status, text: said.reply.text })
  }
  gate.taken()
  return { answers, places }
}

const fault = (phase: Fault['phase'], { at, what }: Step, detail: string): Fault => ({
  phase,
  at,
  what,
  detail
})
