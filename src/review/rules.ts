/** The rules of a review: what each finds, the page of the manual (of mediawiki.org), and what to do. */
import type { Exchange } from './traffic.ts'

/** `note`: true, but perhaps on purpose or harmless. */
export type ReviewSeverity = 'error' | 'warning' | 'note'
export const reviewSeverities: readonly ReviewSeverity[] = ['error', 'warning', 'note']

export const reviewRules = {
  'continue-not-followed': [
    'answers were cut',
    'API:Continue',
    'send `continue` back until there is none'
  ],
  'retry-after-ignored': [
    'Retry-After was ignored',
    'API:Etiquette',
    'wait as long as the header says'
  ],
  'one-by-one': [
    'pages were asked for one by one',
    'API:Etiquette',
    'name up to 50 at once: titles=A|B|C'
  ],
  warnings: [
    'the wiki warned',
    'API:Errors_and_warnings',
    'log `warnings`: something was ignored'
  ],
  deprecated: [
    'deprecated names',
    'API:Errors_and_warnings',
    'the help of the module has the new ones'
  ],
  'main-account-login': [
    'login without bot password',
    'API:Login',
    'use a bot password or OAuth'
  ],
  'no-contact': [
    'a User-Agent without contact',
    'API:Etiquette',
    'name the program and its operator'
  ],
  'no-maxlag': [
    'writes without maxlag',
    'Manual:Maxlag_parameter',
    'send maxlag=5 unless a person waits'
  ],
  'no-assert': [
    'writes without assert',
    'API:Assert',
    'send assert=user: a lost session edits anonymously'
  ],
  parallel: [
    'parallel requests',
    'API:Etiquette',
    'wait for one answer before the next request'
  ],
  'token-per-write': [
    'a token for each write',
    'API:Tokens',
    'fetch one a session, and after badtoken'
  ],
  'no-formatversion': [
    'formatversion=1',
    'API:JSON_version_2',
    'send formatversion=2: real booleans, lists'
  ]
} as const

export type ReviewRule = keyof typeof reviewRules

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
