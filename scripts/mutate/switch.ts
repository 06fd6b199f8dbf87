/** In the process of the tests: which change is made, which were come across, and loops that do not end. */
import fc from 'fast-check'

interface Switch {
  active: number
  reached: Set<number>
  steps: number
  most: number
}

declare global {
  var __mutant: (id: number) => boolean
  var __step: () => void
  var __switch: Switch | undefined
}

// That a property fails is enough: looking for the smallest case that does takes minutes.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

// Set up anew for each file of a process, and once more by the runner: it stays the same one.
globalThis.__switch ??= {
  active: Number(process.env['WIKITAPE_MUTANT'] ?? 0),
  reached: new Set(),
  steps: 0,
  most:
    process.env['WIKITAPE_MUTANT'] === undefined ? Number.POSITIVE_INFINITY : 300_000_000
}
const state: Switch = globalThis.__switch

globalThis.__mutant = (id) => {
  state.reached.add(id)
  return id === state.active
}
globalThis.__step = () => {
  state.steps += 1
  if (state.steps > state.most) throw new Error('a loop does not end')
}

/** @param most steps of loops that are still believed to end */
export function choose(id: number, most: number = Number.POSITIVE_INFINITY): void {
  state.active = id
  state.steps = 0
  state.most = most
}

/** Forgets what was come across before. */
export function watch(): void {
  state.reached = new Set()
  choose(0)
}

export const seen = (): {
  readonly reached: ReadonlySet<number>
  readonly steps: number
} => state
