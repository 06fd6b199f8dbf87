/** For whom a cassette is held, how that went, and what is held against it. */
export const verdictValues = ['fail', 'warn', 'ignore'] as const

/** What to do about something that should not be. */
export type Verdict = (typeof verdictValues)[number]

export interface CassetteVerdicts {
  readonly missed: Verdict
  readonly unused: Verdict
}

/** How the test or suite went. */
export interface TestOutcome {
  /** False where anything failed: then nothing is written. */
  readonly passed: boolean
  /** False where not all of it ran, so that nobody can tell what is unused. */
  readonly complete: boolean
}

/** For whom a cassette is held. */
export interface TestCassetteOptions {
  readonly verdicts: CassetteVerdicts
  /** Told what is wrong but fails nothing, and what was recorded, also where the run is quiet. */
  readonly warn: (line: string) => void
  /** The test; undefined for a suite. */
  readonly owner: object | undefined
  /** True where nobody asked for it: it then gives way to what its test asks for, until a request is made. */
  readonly isDefault: boolean
}
