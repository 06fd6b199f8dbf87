/** Words of messages: counted nouns, suggestions for mistyped words; and sets of words, for tables. */
/** The word with the smallest edit distance; undefined where none is near. */
function nearestWord(typed: string, words: readonly string[]) {
  const allowed = typed.length < 4 ? 1 : Math.ceil(typed.length / 4)
  const [best] = words
    .map((word) => ({
      word,
      changes: typed !== '' && word.startsWith(typed) ? 0 : editDistance(typed, word)
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
function editDistance(from: string, to: string) {
  const rows: number[][] = []
  const at = (row: number, column: number) =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 0; row <= from.length; row += 1) {
    rows.push([])
    for (let column = 0; column <= to.length; column += 1) {
      const a = from[row - 1]
      const b = to[column - 1]
      const changed = at(row - 1, column - 1) + (a === b ? 0 : 1)
      const isExchanged = a === to[column - 2] && b === from[row - 2]
      const exchanged = isExchanged ? at(row - 2, column - 2) + 1 : changed
      const shortest = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        changed,
        exchanged
      )
      rows[row]?.push(row + column === 0 ? 0 : shortest)
    }
  }
  return at(from.length, to.length)
}

/** `1 request`, `2,000 requests`. @param nouns where they are not made with an s */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`

/**
 * `2,000`: English, whatever the machine's language.
 * Not by `toLocaleString`, whose tables take a tenth of a short verb's time to load.
 * @param count a whole number
 */
export const formatCount = (count: number): string =>
  String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const wordSet = (words: string): ReadonlySet<string> =>
  new Set(words.trim().split(/\s+/))
