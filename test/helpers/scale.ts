/**
 * How much of a thing a test does. `WIKITAPE_TESTS=full` does all of it; without, the same assertions are made of
 * fewer rounds or smaller texts, so that `npm test` stays short.
 */
export const scaled = (usual: number, full: number): number =>
  process.env['WIKITAPE_TESTS'] === 'full' ? full : usual

/** How often a property is tried, or what of as many tries must at least have happened: a third, or all of it. */
export const rounds = (full: number): number => scaled(Math.ceil(full / 3), full)
