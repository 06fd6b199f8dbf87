/** A review of recorded traffic: all rules on each client, the worst findings first, and what could not be checked. */
import { cutListings } from './cut-listings.ts'
import * as logged from './logged-rules.ts'
import * as recorded from './recorded-rules.ts'
import { type Observation, reviewSeverities } from './rules.ts'
import { type Client, clientsOf, type Exchange } from './traffic.ts'

export interface ReviewFinding extends Observation {
  /** Undefined where the User-Agent is not known. */
  readonly agent: string | undefined
}

export interface Review {
  /** Requests that were reviewed: recorded ones, and those of the log. */
  readonly recorded: number
  readonly logged: number | undefined
  readonly findings: readonly ReviewFinding[]
  /** What the input does not show. */
  readonly notChecked: readonly string[]
}

const rules: readonly ((client: Client) => readonly Observation[])[] = [
  cutListings,
  logged.ignoredRetryAfter,
  recorded.singlePages,
  recorded.warningsInAnswers,
  recorded.deprecatedNames,
  recorded.mainLogins,
  logged.contactlessAgent,
  logged.laglessWrites,
  recorded.unassertedWrites,
  logged.parallelRequests,
  logged.tokenPerWrite,
  recorded.oldFormat,
]

/** @param log of the run to review; all recordings without it */
export function reviewTraffic(exchanges: readonly Exchange[], log: Client['log']): Review {
  const clients = clientsOf(exchanges, log)
  const found = clients.flatMap((client) =>
    rules.flatMap((rule) => rule(client).map((one) => ({ ...one, agent: client.agent }))),
  )
  return {
    recorded: new Set(clients.flatMap((one) => one.exchanges)).size,
    logged: log?.length,
    findings: reviewSeverities.flatMap((severity) => found.filter((one) => one.severity === severity)),
    notChecked: notChecked(exchanges, log),
  }
}

function notChecked(exchanges: readonly Exchange[], log: Client['log']): readonly string[] {
  if (log === undefined)
    return [
      'User-Agent, maxlag, Retry-After, parallel requests, tokens for each write: only a log (--log) shows them',
    ]
  const known = new Set<string | undefined>(exchanges.map(({ key }) => key))
  const unknown = log.filter(({ key }) => !known.has(key)).length
  const isOld = log.some(({ agent }) => agent === undefined)
  return [
    ...(isOld ? ['User-Agent, maxlag and Retry-After of some requests: an older version wrote the log'] : []),
    ...(unknown > 0 ? [`what ${unknown} of ${log.length} logged requests asked: they are not recorded`] : []),
  ]
}
