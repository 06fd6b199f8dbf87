/** What was compared, wrong and missed, by phase; in variants by what was asked. */
import type { Fault } from './phases/lab-run.ts'
import type { Recorded } from './phases/record.ts'
import type { Replayed } from './phases/replay.ts'
import type { Program, Step } from './programs/program.ts'

interface Count {
  compared: number
  wrong: number
  missed: number
}

export class Totals {
  readonly #version: string
  readonly #phases = new Map<string, Count>()
  readonly #byKind = new Map<string, Count>()
  readonly #kinds = new Map<string, number>()
  #programs = 0
  #atWiki = 0
  #sent = 0

  constructor(version: string) {
    this.#version = version
  }

  get wrong(): number {
    return [...this.#phases.values()].reduce((sum, { wrong }) => sum + wrong, 0)
  }

  recorded({ compared, faults, atWiki, sent }: Recorded): void {
    this.#programs += 1
    this.#atWiki += atWiki
    this.#sent += sent
    count(this.#phases, 'recording', { compared, wrong: faults.length, missed: 0 })
  }

  add(
    phase: Fault['phase'],
    { steps }: Program,
    { asked, faults, misses }: Replayed
  ): void {
    const lost =
      phase === 'in order' &&
      steps.some(({ trouble }) => trouble !== undefined && trouble !== 'held')
    const name = lost ? 'in order, with answers that never came' : phase
    count(this.#phases, name, {
      compared: asked.length,
      wrong: faults.length,
      missed: misses.length
    })
    if (phase !== 'variant') return
    for (const what of asked)
      count(this.#byKind, what, { compared: 1, wrong: 0, missed: 0 })
    for (const { what } of faults)
      count(this.#byKind, what, { compared: 0, wrong: 1, missed: 0 })
    for (const { what } of misses)
      count(this.#byKind, what, { compared: 0, wrong: 0, missed: 1 })
  }

  /** Whether no fault of its kind was told before: the same question wrong after the same kind of write. */
  isNewKind(
    { phase, at, what, missed }: Fault,
    steps: readonly Step[],
    name: string
  ): boolean {
    const place = steps.findIndex((step) => step.at === at)
    const last =
      steps.slice(0, Math.max(0, place)).findLast((step) => step.writes)?.what ??
      'nothing'
    const kind = `${missed === true ? 'missed ' : ''}${phase}: ${what} after ${last}${name.startsWith('random') ? '' : ` (${name})`}`
    const before = this.#kinds.get(kind) ?? 0
    this.#kinds.set(kind, before + 1)
    return before === 0
  }

  *lines(): Generator<string> {
    yield `${this.#version}: ${this.#programs} programs; ${this.#sent} requests of clients, ${this.#atWiki} at the wiki while recording`
    for (const [phase, { compared, wrong, missed }] of this.#phases)
      yield `  ${phase}: ${compared} answers compared, wrong ${wrong}, missed ${missed}`
    for (const [kind, times] of [...this.#kinds].sort((a, b) => b[1] - a[1]))
      yield `  ${times} × ${kind}`
    const kinds = [...this.#byKind].sort((a, b) => b[1].compared - a[1].compared)
    const told = kinds.map(
      ([name, { compared, missed }]) => `${name} ${compared - missed}/${compared}`
    )
    if (told.length > 0)
      yield `  answered in variants, of those asked: ${told.join(', ')}`
  }
}

function count(counts: Map<string, Count>, name: string, more: Count): void {
  const { compared, wrong, missed } = counts.get(name) ?? {
    compared: 0,
    wrong: 0,
    missed: 0
  }
  counts.set(name, {
    compared: compared + more.compared,
    wrong: wrong + more.wrong,
    missed: missed + more.missed
  })
}
