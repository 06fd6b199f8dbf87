/**
 * How much of a thing a test does. `WIKITAPE_TESTS=full` does all of it; without, the same assertions are made of
 * fewer rounds or smaller texts, so that `npm test` stays short.
 */
export const scaled = (usual: number, full: number): number =>
  process.env['WIKITAPE_TESTS'] === 'full' ? full : usual
