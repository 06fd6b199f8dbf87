/** Options of cassettes in tests: what fails a test, and what a test leaves behind. */
import path from 'node:path'
import { readApiUrl } from '../../recorder/http/api-url.ts'
import {
  type OptionExpectations,
  oneOfOption
} from '../../recorder/text/option-checks.ts'
import {
  configuredApiUrl,
  type InsertOptions,
  type InsertSettings,
  insertOptions,
  reportFunction
} from '../in-process/insert-options.ts'
import type { RequestWatch } from '../in-process/live-request-policy.ts'

const verdicts = ['fail', 'warn', 'ignore'] as const

/** What a problem does to its test. */
export type Verdict = (typeof verdicts)[number]

/** Options of the cassette of one wiki. */
export interface WikiCassetteOptions extends InsertOptions {
  /** What a request that nobody recorded does to its test; `fail` unless given. */
  readonly missed?: Verdict
  /** What a recording that nothing asked for does to its test or suite; `fail` unless given. */
  readonly unused?: Verdict
}

export interface TestCassetteOptions extends Omit<WikiCassetteOptions, 'apiUrl'> {
  /** One wiki or several; `*` stands for a part of the host's name, e.g. `https://*.wikipedia.org/w/api.php`. */
  readonly apiUrl?: string | readonly string[]
}

/** Each address or pattern; undefined if a cassette, or wikitape.config.json, says which wiki it is. */
export const apiUrlsOf = ({
  apiUrl
}: TestCassetteOptions): readonly (string | undefined)[] =>
  typeof apiUrl === 'string' || !apiUrl ? [apiUrl ?? configuredApiUrl()] : apiUrl

export const isPattern = (apiUrl: string): boolean => apiUrl.includes('*')

/** What matches the origin of an address or a pattern, in a regular expression: `*` stands for one part of the host's name. */
export function originSource(apiUrl: string): string {
  const [origin = ''] = /^https?:\/\/[^/]+/i.exec(apiUrl) ?? []
  return origin
    .toLowerCase()
    .replace(/[.[\]]/g, '\\$&')
    .replaceAll('*', '[a-z0-9-]+')
}

const isApiUrl = (value: unknown) =>
  typeof value === 'string' && typeof readApiUrl(value) !== 'string'

export const testCassetteOptions: OptionExpectations<TestCassetteOptions> = {
  missed: oneOfOption(verdicts),
  unused: oneOfOption(verdicts),
  ...insertOptions,
  apiUrl: {
    accepts: (value) =>
      Array.isArray(value) ? value.length > 0 && value.every(isApiUrl) : isApiUrl(value),
    expected:
      "an address of api.php or several, e.g. 'https://ru.wikipedia.org/w/api.php'"
  }
}

/** Where to report what a person must see, also if the run is quiet. */
export const warnFunction = ({
  report
}: Pick<InsertOptions, 'report'>): ((line: string) => void) =>
  reportFunction({ quiet: false, report })

/** The watch of requests without a cassette. */
export const watchOf = (label: string, options: TestCassetteOptions): RequestWatch => ({
  label,
  apiUrl: apiUrlsOf(options).find((one) => one !== undefined && !isPattern(one)),
  allowOtherWikis: options.allowOtherWikis,
  warn: warnFunction(options)
})

/** The folder of all cassettes, where they share the descriptions of the wiki's modules. */
export const suiteOf = ({ folder, name }: InsertSettings): string =>
  path.join(folder, ...name.split('/').map(() => '..'))

export interface CassetteOwner {
  /** The test; undefined for a suite. */
  readonly owner: object | undefined
  /** True if the test did not ask for it: it gives way to one that the test asks for, until a request is made. */
  readonly isDefault: boolean
  /** True for a suite's hooks: it answers while no test's cassette does. */
  readonly isFallback?: boolean
}

/** The time limit of a test that records, in milliseconds: a wiki may be slow, and what is walked long. */
export const recordingLimitMs = 300_000

/** True for a limit that ends a recording too soon; 0 is no limit. */
export const isShortLimit = (limit: unknown): boolean =>
  typeof limit === 'number' && limit > 0 && limit < recordingLimitMs

export interface TestOutcome {
  /** False if anything failed: then nothing is written. */
  readonly passed: boolean
  /** False if not all of it ran, so that unused recordings cannot be known. */
  readonly complete: boolean
  /** Why it failed, if it is known. */
  readonly reason?: string | undefined
}
