/** From which severity on drift fails a job; `any` includes data. Apart, for `wikitape/vitest` declares it to its users. */
export const failOnValues = ['breaking', 'risky', 'any', 'none'] as const
export type FailOn = (typeof failOnValues)[number]
