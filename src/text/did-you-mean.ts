/** Suggestions for mistyped words. */

/** The word with the smallest edit distance; undefined where none is near. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const allowed = typed.length < 4 ? 1 : Math.ceil(typed.length / 4)
  const [best] = words
    .map((word) => ({
      word,
      changes: typed !== '' && word.startsWith(typed) ? 0 : editDistance(typed, word),
    }))
    .filter(({ changes }) => changes <= allowed)
    .sort((a, b) => a.changes - b.changes)
  return best?.word
}

/** For a message: ` (did you mean replay?)`, or nothing. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const word = nearestWord(typed, words)
  return word === undefined ? '' : ` (did you mean ${word}?)`
}

/** The distance of Damerau and Levenshtein: letters added, left out, changed, or two neighbours exchanged. */
function editDistance(from: string, to: string): number {
  let [older, old]: readonly number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= from.length; row += 1) {
    const now = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1
      const exchanged =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      now.push(
        Math.min(
          at(old, column) + 1,
          at(now, column - 1) + 1,
          at(old, column - 1) + same,
          exchanged ? at(older, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    older = old
    old = now
  }
  return at(old, to.length)
}

const at = (row: readonly number[] | undefined, column: number): number =>
  row?.[column] ?? Number.POSITIVE_INFINITY
