/** Options of cassettes in tests: what fails a test, and what a test leaves behind. */
import { type OptionExpectations, oneOfOption } from '../../text/option-checks.ts'
import { type InsertOptions, insertOptions } from '../in-process/insert-options.ts'

const verdicts = ['fail', 'warn', 'ignore'] as const

/** What a problem does to its test. */
export type Verdict = (typeof verdicts)[number]

export interface TestCassetteOptions extends InsertOptions {
  /** What a request that nobody recorded does to its test; `fail` unless given. */
  readonly missed?: Verdict
  /** What a recording that nothing asked for does to its test or suite; `fail` unless given. */
  readonly unused?: Verdict
}

export const testCassetteOptions: OptionExpectations<TestCassetteOptions> = {
  missed: oneOfOption(verdicts),
  unused: oneOfOption(verdicts),
  ...insertOptions,
}

/** Where to report what a person must see, also where the run is quiet. */
export const warnFunction = ({ report }: InsertOptions): ((line: string) => void) =>
  report ?? ((line) => void process.stderr.write(`wikitape: ${line}\n`))

export interface TestOutcome {
  /** False where anything failed: then nothing is written. */
  readonly passed: boolean
  /** False where not all of it ran, so that unused recordings cannot be known. */
  readonly complete: boolean
}
