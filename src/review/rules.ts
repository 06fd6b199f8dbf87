/** The rules of a review; what each finds, the page of the manual (of mediawiki.org), and what to do, is data. */
import type rules from './rules.json'
import type { Exchange } from './traffic.ts'

/** `note`: true, but perhaps on purpose or harmless. */
type ReviewSeverity = 'error' | 'warning' | 'note'
export const reviewSeverities: readonly ReviewSeverity[] = ['error', 'warning', 'note']

type ReviewRule = keyof typeof rules

/** What one rule found in the requests of one client. */
export interface Observation {
  readonly rule: ReviewRule
  readonly severity: ReviewSeverity
  readonly what: string
  /** The recorded requests that show it. */
  readonly requests: readonly Pick<Exchange, 'file' | 'request'>[]
}

/** None if no request shows it. */
export const observe = (
  rule: ReviewRule,
  severity: ReviewSeverity,
  requests: readonly Exchange[],
  what: string
): readonly Observation[] =>
  requests.length === 0 ? [] : [{ rule, severity, what, requests }]
