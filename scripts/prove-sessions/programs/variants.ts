/** Other orders of a program, and parts of it. */
import type { Program, Step } from './program.ts'
import type { Draw } from './writes/write.ts'

const isLogin = ({ what }: Step): boolean => /login|tokens/.test(what)

/** @returns a name for tables, and the steps */
export function drawVariant(
  { steps }: Program,
  draw: Draw
): readonly [string, readonly Step[]] {
  const writes = steps.filter((step) => step.writes && !isLogin(step))
  const chosen = writes[draw(Math.max(1, writes.length))]
  if (chosen === undefined) return ['without reads', steps.filter(() => draw(2) === 0)]
  switch (draw(6)) {
    case 0:
      return [
        'without half of the writes',
        steps.filter((step) => !writes.includes(step) || draw(2) === 0)
      ]
    case 1:
      return [
        'writes exchanged',
        exchange(steps, chosen, writes[draw(writes.length)] ?? chosen)
      ]
    case 2:
      return [
        'another session first',
        [
          ...steps.filter(({ who }) => who !== chosen.who),
          ...steps.filter(({ who }) => who === chosen.who)
        ]
      ]
    case 3:
      return ['without a client', steps.filter(({ who }) => who !== chosen.who)]
    case 4:
      return ['reads before a write', before(steps, chosen)]
    default:
      return ['without a write', steps.filter((step) => step !== chosen)]
  }
}

const exchange = (steps: readonly Step[], one: Step, other: Step): readonly Step[] =>
  steps.map((step) => (step === one ? other : step === other ? one : step))

/** What was read between this write and the next is read before it. */
function before(steps: readonly Step[], write: Step): readonly Step[] {
  const at = steps.indexOf(write)
  const after = steps.slice(at + 1)
  const next = after.findIndex((step) => step.writes)
  const reads = next === -1 ? after : after.slice(0, next)
  return [...steps.slice(0, at), ...reads, write, ...after.slice(reads.length)]
}
