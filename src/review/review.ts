/** A review of recorded traffic: all rules on each client, the worst findings first, and what could not be checked. */
import { decodePercent } from '../recorder/text/percent-decoding.ts'
import { writeQuery } from '../recorder/wiki/parameters/request-params.ts'
import * as logged from './logged-rules.ts'
import * as recorded from './recorded-rules.ts'
import texts from './rules.json' with { type: 'json' }
import { type Observation, reviewSeverities } from './rules.ts'
import { type Client, clientsOf, type Exchange } from './traffic.ts'

export interface ReviewFinding extends Omit<Observation, 'requests'> {
  /** Undefined if the User-Agent is not known. */
  readonly agent: string | undefined
  readonly title: string
  readonly advice: string
  readonly manual: string
  /** The recorded requests that show it, with their files inside of the cassette. */
  readonly requests: readonly { readonly request: string; readonly file: string }[]
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
  recorded.cutListings,
  logged.ignoredRetryAfter,
  logged.singlePages,
  recorded.warningsInAnswers,
  recorded.deprecatedNames,
  recorded.mainLogins,
  logged.contactlessAgent,
  logged.laglessWrites,
  recorded.unassertedWrites,
  logged.parallelRequests,
  logged.tokenPerWrite,
  recorded.oldFormat
]

/** @param log of the run to review; all recordings without it */
export function reviewTraffic(
  exchanges: readonly Exchange[],
  log: Client['log']
): Review {
  const clients = clientsOf(exchanges, log)
  const found = clients.flatMap((client) =>
    rules.flatMap((rule) => rule(client).map((one) => findingOf(one, client)))
  )
  return {
    recorded: new Set(clients.flatMap((one) => one.exchanges)).size,
    logged: log?.length,
    findings: reviewSeverities.flatMap((severity) =>
      found.filter((one) => one.severity === severity)
    ),
    notChecked: notChecked(exchanges, log)
  }
}

function findingOf(observation: Observation, { agent }: Client) {
  const { title, manual, advice } = texts[observation.rule]
  const requests = observation.requests.map(({ request, file }) => {
    // Names with a space are no parameters.
    const params = [...request].filter(([name]) => !name.includes(' '))
    return { request: decodePercent(writeQuery(params)), file }
  })
  return {
    ...observation,
    agent,
    title,
    advice,
    manual: `https://www.mediawiki.org/wiki/${manual}`,
    requests
  }
}

function notChecked(exchanges: readonly Exchange[], log: Client['log']) {
  if (!log)
    return [
      'pages one by one, User-Agent, maxlag, Retry-After, parallel requests, tokens: only a log (--log) shows them'
    ]
  const known = new Set<string | undefined>(exchanges.map(({ key }) => key))
  const unknown = log.filter(({ key }) => !known.has(key)).length
  const isOld = log.some(({ agent }) => agent === undefined)
  const old =
    'User-Agent, maxlag and Retry-After of some requests: an older version wrote the log'
  const unrecorded = `what ${unknown} of ${log.length} logged requests asked: they are not recorded`
  return [...(isOld ? [old] : []), ...(unknown > 0 ? [unrecorded] : [])]
}
