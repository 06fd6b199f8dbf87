/** Values that differ with each run: moments, and random ones. */

/** Days with or without a time, MediaWiki's 14 digits, seconds and milliseconds since 1970. */
const moment =
  /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|(?<!\d)(?:20\d{12}|[12]\d{12}|[12]\d{9}(?:\.\d+)?)(?!\d)/g

/** UUIDs, letters among digits (not `Q12345678`), and what `Math.random()` gives. */
const random =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|0\.\d{6,}|(?<![a-z\d])(?=[a-z\d]{8})[a-z]*\d+[a-z]+\d[a-z\d]*/gi

/** What the values of these parameters look like, if they differ in nothing else. */
export function changingKind(
  differences: readonly {
    readonly recorded: string | undefined
    readonly got: string | undefined
  }[]
): 'a clock' | 'a random value' | undefined {
  const differsOnlyIn = (...patterns: readonly RegExp[]) =>
    differences.every(({ recorded = '', got }) => {
      const [before, after] = [recorded, got ?? ''].map((text) =>
        patterns.reduce((left, one) => left.replace(one, '\0'), text)
      )
      return before === after && recorded !== '' && got !== undefined
    })
  if (differences.length === 0) return undefined
  if (differsOnlyIn(moment)) return 'a clock'
  return differsOnlyIn(moment, random) ? 'a random value' : undefined
}
