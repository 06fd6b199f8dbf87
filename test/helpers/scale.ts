/**
 * How much of a thing a test does. `WIKITAPE_TESTS=full` does all of it; without, the same assertions are made of
 * fewer rounds or smaller texts, so that `npm test` stays short.
 */
export const scaled = (usual: number, full: number): number =>
  process.env['WIKITAPE_TESTS'] === 'full' ? full : usual

/** Usually one of so many shares of these, another one for each `which`; with `WIKITAPE_TESTS=full` all of them. */
export const shareOf = <T>(all: readonly T[], which: number, shares: number): readonly T[] =>
  all.filter((_, at) => (at + which) % scaled(shares, 1) === 0)

/** How often a property is tried, or what of as many tries must at least have happened: a third, or all of it. */
export const rounds = (full: number): number => scaled(Math.ceil(full / 3), full)
