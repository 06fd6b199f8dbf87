/** Differences of two lists of lines. Not by jsdiff: it has the same algorithm in four times the bytes for a page to load. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '…'
  readonly text: string
  /** Lines that `…` stands for. */
  readonly folded: number
}

/** Equal lines around a difference. */
const context = 3
const maxMs = 3_000

/** Undefined if the two differ too much. */
export function diffLines(
  a: readonly string[],
  b: readonly string[]
): readonly DiffLine[] | undefined {
  const edits = fewestEdits(a, b)
  if (edits === undefined) return undefined
  const lines: DiffLine[] = []
  let at = 0
  const addEqual = (end: number): void => {
    const equal = a.slice(at, end).map((text) => line(' ', text))
    const before = at === 0 ? 0 : context
    const after = end === a.length ? 0 : context
    const folded = equal.length - before - after
    if (folded > 1) equal.splice(before, folded, line('…', '', folded))
    lines.push(...equal)
    at = end
  }
  for (const edit of edits) {
    if (edit.at > at) addEqual(edit.at)
    if (edit.added === undefined) lines.push(line('-', a[at++]))
    else lines.push(line('+', edit.added))
  }
  addEqual(a.length)
  return lines
}

const line = (sign: DiffLine['sign'], text = '', folded = 0): DiffLine => ({
  sign,
  text,
  folded
})

interface Edit {
  /** How many lines of the first list are before it. */
  readonly at: number
  /** Undefined if a line was removed. */
  readonly added: string | undefined
  readonly before: Edit | undefined
}

/** How much of the first list, and by which edits, is behind somebody on a diagonal. */
interface Reached {
  readonly x: number
  readonly last: Edit | undefined
}

/** Source: Myers, "An O(ND) difference algorithm and its variations" (1986). */
function fewestEdits(
  a: readonly string[],
  b: readonly string[]
): readonly Edit[] | undefined {
  const until = performance.now() + maxMs
  const reached = new Map<number, Reached>()
  for (let count = 0; performance.now() < until; count += 1)
    // The diagonal is how many lines more were removed than added.
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let { x, last } = step(reached, diagonal, b)
      while (x < a.length && a[x] === b[x - diagonal]) x += 1
      if (x >= a.length && x - diagonal >= b.length) return inOrder(last)
      reached.set(diagonal, { x, last })
    }
  return undefined
}

/** One edit more, from whichever diagonal beside this one is farther. */
function step(
  reached: ReadonlyMap<number, Reached>,
  diagonal: number,
  b: readonly string[]
): Reached {
  const adding = reached.get(diagonal + 1)
  const removing = reached.get(diagonal - 1)
  if (removing !== undefined && (adding === undefined || removing.x >= adding.x))
    return {
      x: removing.x + 1,
      last: { at: removing.x, added: undefined, before: removing.last }
    }
  if (adding === undefined) return { x: 0, last: undefined }
  const { x, last } = adding
  return { x, last: { at: x, added: b[x - diagonal - 1] ?? '', before: last } }
}

function inOrder(last: Edit | undefined): readonly Edit[] {
  const edits: Edit[] = []
  for (let edit = last; edit !== undefined; edit = edit.before) edits.push(edit)
  return edits.reverse()
}
