/** Differences of two lists of lines. */
import { diffArrays } from 'diff/lib/diff/array.js'

export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '…'
  readonly text: string
  /** Lines that `…` stands for. */
  readonly folded: number
}

/** Equal lines around a difference. */
const context = 3
const bounds = { timeout: 3_000, maxEditLength: 20_000 }

/** Undefined if the two differ too much. */
export function diffLines(
  a: readonly string[],
  b: readonly string[]
): readonly DiffLine[] | undefined {
  const changes = diffArrays([...a], [...b], bounds)
  return changes?.flatMap(({ added, removed, value }, at) => {
    const sign = added ? '+' : removed ? '-' : ' '
    const lines = value.map((text): DiffLine => ({ sign, text, folded: 0 }))
    if (sign !== ' ') return lines
    const before = at === 0 ? 0 : context
    const after = at === changes.length - 1 ? 0 : context
    const folded = lines.length - before - after
    if (folded < 2) return lines
    return [
      ...lines.slice(0, before),
      { sign: '…', text: '', folded },
      ...lines.slice(lines.length - after)
    ]
  })
}
