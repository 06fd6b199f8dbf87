/** A miss in the API's own form, so that clients print what is missing instead of retrying. */

import type { Reply } from '../../http/incoming-request.ts'
import { type JsonTree, jsonArray, jsonObject, jsonString } from '../../json/json-tree.ts'
import type { Difference, MissReason, NearMiss } from '../../playback/lookup/near-miss.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { commandName } from '../../store/command-name.ts'
import { wrapInEnvelope } from '../../wiki/answers/envelope.ts'
import { describeUser } from './describe-state.ts'

export interface Miss {
  readonly key: RequestKey
  readonly reason: MissReason
  /** The request, e.g. `list allpages, apfrom=Б`. */
  readonly request: string
  /** What is missing, in one line. */
  readonly what: string
  readonly nearest: readonly NearMiss[]
  /** What to do about it; in front of the command, where there is one. */
  readonly advice: string
  /** A command that helps; empty where none does. */
  readonly command: string
}

/** The same without secrets. @param clean takes them out of a text */
export const cleanMiss = (miss: Miss, clean: (text: string) => string): Miss => ({
  ...miss,
  what: clean(miss.what),
  command: clean(miss.command),
  nearest: miss.nearest.map((near) => ({
    ...near,
    differences: near.differences.map(({ param, recorded, got }) => ({
      param: clean(param),
      recorded: recorded && clean(recorded),
      got: got && clean(got),
    })),
  })),
})

export function missReply(miss: Miss, request: WikiRequest, status: number): Reply {
  const tree = missTree(miss, request)
  const envelope = request.kind === 'api' && request.envelope.kind !== 'opaque' ? request.envelope : bare
  const { contentType, text } = wrapInEnvelope(envelope, tree)
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  const cors: [string, string][] =
    origin !== undefined && /^[!-~]+$/.test(origin) ? [['access-control-allow-origin', origin]] : []
  return {
    status,
    headers: [['content-type', contentType], ['mediawiki-api-error', 'cassette-miss'], ...cors],
    body: Buffer.from(text),
    cassetteStatus: 'miss',
    key: miss.key,
    missReason: miss.reason,
  }
}

const bare = { kind: 'bare', spelling: 'utf8', requestId: undefined } as const

function missTree(miss: Miss, request: WikiRequest): JsonTree {
  const version = request.kind === 'api' ? (request.params.get('formatversion') ?? '1') : '1'
  const docs = `See https://www.mediawiki.org/wiki/API for the API; wikitape explains this miss: ${commandName} explain URL`
  return jsonObject([
    [
      'error',
      jsonObject([
        ['code', jsonString('cassette-miss')],
        ['info', jsonString(missInfo(miss))],
        [version === '1' ? '*' : 'docref', jsonString(docs)],
      ]),
    ],
    [
      'cassette',
      jsonObject([
        ['reason', jsonString(miss.reason)],
        ['request', jsonString(miss.request)],
        ['key', jsonString(miss.key)],
        ['nearest', jsonArray(miss.nearest.map(nearTree))],
        ['record', jsonString(miss.command)],
      ]),
    ],
  ])
}

const nearTree = (near: NearMiss): JsonTree =>
  jsonObject([
    ['key', jsonString(near.key)],
    ['differences', jsonArray(near.differences.map(differenceTree))],
  ])

const differenceTree = ({ param, recorded, got }: Difference): JsonTree =>
  jsonObject([
    ['param', jsonString(param)],
    ...(recorded === undefined ? [] : ([['recorded', jsonString(shorten(recorded))]] as const)),
    ...(got === undefined ? [] : ([['got', jsonString(shorten(got))]] as const)),
  ])

/** One line: what was asked, what is missing, how the nearest recording differs, what to run. */
export const missInfo = (miss: Miss): string => `${missText(miss)} ${adviceText(miss)}`

/** The same less the advice, for those who have a better one. */
export function missText({ request, what, reason, nearest: [near] }: Miss): string {
  if (near === undefined) return `${request}: ${what}`
  // By whom, or when, it was recorded instead is what is told already.
  const isStated = reason === 'identity-differs' || reason === 'state-differs'
  const differs = isStated ? '' : `: ${differencesText(near)}`
  return `${request}: ${what} Nearest recording ${near.key}${differs}.`
}

export const adviceText = ({ advice, command }: Miss): string =>
  command === '' ? `${advice}.` : `${advice}: ${command}`

/** Never empty: what is equal is said to be. */
const differencesText = ({ differences }: NearMiss): string =>
  differences.length === 0 ? 'the same parameters' : differences.map(differenceText).join('; ')

/** e.g. `aplimit recorded "10", got "5"`. */
export function differenceText({ param, recorded, got }: Difference): string {
  if (digestParams.test(param) && recorded !== undefined && got !== undefined)
    return `${/ body$/.test(param) ? 'the body' : param.replace(/ file$/, '')} had other bytes when recording`
  const words = differenceWords.get(param)
  if (words !== undefined) return words(recorded, got)
  if (recorded === undefined) return `${param}=${quote(got)} was not sent when recording`
  if (got === undefined) return `${param}=${quote(recorded)} was recorded, not sent now`
  return `${param} recorded ${quote(recorded)}, got ${quote(got)}`
}

/** What of a request is no parameter of the API has words of its own. */
const differenceWords: ReadonlyMap<
  string,
  (recorded: string | undefined, got: string | undefined) => string
> = new Map([
  [
    'plain target',
    (recorded, got) => `the address recorded is ${quote(recorded)}, asked for is ${quote(got)}`,
  ],
  [
    'no format',
    (recorded) =>
      `format was ${recorded === undefined ? 'named when recording, is not now' : 'not named when recording, is now'}, and which one the module answers in by itself is not known`,
  ],
  ['as user', (recorded, got) => `recorded as ${describeUser(recorded)}, asked as ${describeUser(got)}`],
  [
    epochParam,
    (recorded, got) =>
      [
        ...(recorded === undefined ? [] : [`recorded after ${recorded}, which this session has not made`]),
        ...(got === undefined ? [] : [`recorded before ${got}, which this session has made`]),
      ].join(', and '),
  ],
])

/** Parameters of our own whose values are digests of bodies. */
const digestParams = / file$|^plain body$|^unread body$/

const quote = (text = ''): string => JSON.stringify(shorten(text))
const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
