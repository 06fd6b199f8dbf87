/**
 * How much of a thing a test does. `WIKITAPE_TESTS=full` does all of it; without, the same assertions are made of
 * fewer rounds or smaller texts, so that `npm test` stays short.
 */
export const scaled = (usual: number, full: number): number =>
  process.env['WIKITAPE_TESTS'] === 'full' ? full : usual

/**
 * Of cases that are alike, one of so many, beginning `from` further on; with `WIKITAPE_TESTS=full` all of them. Which
 * ones is a matter of the version of Node.js: three that follow each other do all of three parts.
 */
export function sampled<T>(cases: readonly T[], parts: number, from = 0): readonly T[] {
  const [major = 0] = process.versions.node.split('.').map(Number)
  const first = from + Math.floor(major / 2)
  return shareOf(cases, first, parts)
}

/** Usually one of so many shares of these, another one for each `which`; with `WIKITAPE_TESTS=full` all of them. */
export const shareOf = <T>(
  all: readonly T[],
  which: number,
  shares: number
): readonly T[] => all.filter((_, at) => (at + which) % scaled(shares, 1) === 0)

/** How often a property is tried, or what of as many tries must at least have happened: a third, or all of it. */
export const rounds = (full: number): number => scaled(Math.ceil(full / 3), full)
