/** What the tests' processes write down, a line each: the number of a change, and what became of it. */
export interface Entry {
  readonly what: 'reached' | 'tried' | 'noticed' | 'passed'
  readonly id: number
  readonly pid?: number
  readonly by?: string
  /** Of the test, the same in each run. */
  readonly test?: string
}
