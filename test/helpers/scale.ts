/**
 * How much of a thing a test does. `WIKITAPE_TESTS=full` (as .ci/run sets it for the offline tests) does all of it; without, the same
 * assertions are made of fewer rounds or smaller texts, so that `npm test` stays a matter of a minute.
 */
export const scaled = (usual: number, full: number): number =>
  process.env['WIKITAPE_TESTS'] === 'full' ? full : usual
