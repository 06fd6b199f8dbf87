/** A miss in the API's own form, so that clients print what is missing instead of retrying. */
import { STATUS_CODES } from 'node:http'
import type { Reply } from '../../http/incoming-request.ts'
import { fromPlain } from '../../json/plain-json.ts'
import type { Difference, MissReason, NearMiss } from '../../playback/lookup/near-miss.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { commandName } from '../../store/command-name.ts'
import { subtractItems } from '../../text/group-by.ts'
import { plural } from '../../text/words.ts'
import { wrapInEnvelope } from '../../wiki/answers/envelope.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { describeUser } from './describe-request.ts'

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
  /** What records it, as a line of `capture --requests`; undefined where that cannot. */
  readonly line?: string | undefined
}

/** The same without secrets. @param clean takes them out of a text */
export const cleanMiss = (miss: Miss, clean: (text: string) => string): Miss => ({
  ...miss,
  what: clean(miss.what),
  command: clean(miss.command),
  line: miss.line && clean(miss.line),
  nearest: miss.nearest.map((near) => ({
    ...near,
    differences: mapValues(near, clean).map((one) => ({
      ...one,
      param: clean(one.param)
    }))
  }))
})

const mapValues = ({ differences }: NearMiss, change: (text: string) => string) =>
  differences.map(({ param, recorded, got }) => ({
    param,
    recorded: recorded && change(recorded),
    got: got && change(got)
  }))

export function missReply(miss: Miss, request: WikiRequest, missStatus: number): Reply {
  const isRest = request.kind === 'plain' && request.target.includes('/rest.php/')
  // Clients of rest.php look at the status first.
  const status = isRest && missStatus === 200 ? 404 : missStatus
  const tree = missTree(miss, request, isRest ? status : undefined)
  const envelope =
    request.kind === 'api' && request.envelope.kind !== 'opaque' ? request.envelope : bare
  const { contentType, text } = wrapInEnvelope(envelope, tree)
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  const cors: [string, string][] =
    origin !== undefined && /^[!-~]+$/.test(origin)
      ? [['access-control-allow-origin', origin]]
      : []
  return {
    status,
    headers: [
      ['content-type', contentType],
      ['mediawiki-api-error', 'cassette-miss'],
      ...cors
    ],
    body: Buffer.from(text),
    cassetteStatus: 'miss',
    key: miss.key,
    missReason: miss.reason
  }
}

const bare = { kind: 'bare', spelling: 'utf8', requestId: undefined } as const

/** @param restStatus of a request to rest.php, whose errors have another form; those of Wikibase have `code` and `message` */
function missTree(miss: Miss, request: WikiRequest, restStatus: number | undefined) {
  const version =
    request.kind === 'api' ? (request.params.get('formatversion') ?? '1') : '1'
  const docs = `See https://www.mediawiki.org/wiki/API for the API; wikitape explains this miss: ${commandName} explain URL`
  const { reason, request: words, key, command } = miss
  const nearest = miss.nearest.map((near) => ({
    key: near.key,
    differences: near.differences.map(shownDifference)
  }))
  const cassette = { reason, request: words, key, nearest, record: command }
  const code = 'cassette-miss'
  const info = missInfo(miss)
  if (restStatus === undefined)
    return fromPlain({
      error: { code, info, [version === '1' ? '*' : 'docref']: docs },
      cassette
    })
  return fromPlain({
    errorKey: code,
    messageTranslations: { en: info },
    httpCode: restStatus,
    httpReason: STATUS_CODES[restStatus],
    code,
    message: info,
    cassette
  })
}

/** One line: what was asked, what is missing, how the nearest recording differs, what to run. */
export const missInfo = (miss: Miss): string => `${missText(miss)} ${adviceText(miss)}`

export const missText = (miss: Miss): string =>
  [`${miss.request}: ${miss.what}`, ...nearestText(miss)].join(' ')

/** For a terminal: what is missing, what is nearest, and what to do. */
export const missLines = (miss: Miss): readonly string[] => [
  `miss ${miss.key} (${miss.reason}): ${miss.request}: ${miss.what}`,
  ...nearestText(miss),
  adviceText(miss)
]

function nearestText({ reason, nearest: [near] }: Miss) {
  if (!near) return []
  // `what` has said already by whom, or when, it was recorded instead.
  const isStated = reason === 'identity-differs' || reason === 'state-differs'
  const differs = isStated ? '' : `: ${differencesText(near)}`
  return [`Nearest recording ${near.key}${differs}.`]
}

export const adviceText = ({ advice, command }: Miss): string =>
  command === '' ? `${advice}.` : `${advice}: ${command}`

const differencesText = ({ differences }: NearMiss) =>
  differences.length === 0
    ? 'the same parameters, sent in another way (method, order or spelling)'
    : differences.map(differenceText).join('; ')

/** e.g. `aplimit recorded "10", got "5"`. */
export function differenceText({ param, recorded, got }: Difference): string {
  switch (param) {
    case 'plain target':
      return `recorded address ${quote(recorded)}, requested ${quote(got)}`
    case 'no format':
      return `format was ${recorded === undefined ? 'named when recording, is not now' : 'not named when recording, is now'}, and the module's own default format is unknown`
    case 'as user':
      return `recorded as ${describeUser(recorded)}, requested as ${describeUser(got)}`
    case epochParam:
      return [
        ...(recorded === undefined
          ? []
          : [`recorded after ${recorded}, which this session has not made`]),
        ...(got === undefined
          ? []
          : [`recorded before ${got}, which this session has made`])
      ].join(', and ')
  }
  if (recorded === undefined) return `${param}=${quote(got)} was not sent when recording`
  if (got === undefined) return `${param}=${quote(recorded)} was recorded, not sent now`
  if (digestParams.test(param))
    return `${/ body$/.test(param) ? 'the body' : param.replace(/ file$/, '')} had different bytes in the recording`
  const isText = /\n/.test(recorded + got)
  const values = isText ? undefined : valuesText(splitValues(recorded), splitValues(got))
  if (values !== undefined) return `${param}: ${values}`
  const [before, after] = shownPair(recorded, got)
  return `${param} recorded ${JSON.stringify(before)}, got ${JSON.stringify(after)}`
}

/** Two lists of values that share some: what only one of them has. Undefined for other texts. */
function valuesText(recorded: readonly string[], got: readonly string[]) {
  const lost = subtractItems(recorded, got, String)
  const added = subtractItems(got, recorded, String)
  const shared = recorded.length - lost.length
  if (shared === 0 || recorded.length + got.length < fewValues) return undefined
  if (lost.length + added.length === 0)
    return `${plural(shared, 'value')} in another order`
  const changes = [listed('recorded with', lost), listed('got', added)].filter(
    (one) => one !== ''
  )
  return `${plural(shared, 'value')} the same, ${changes.join(', ')}`
}

function listed(words: string, values: readonly string[]) {
  if (values.length === 0) return ''
  const more = values.length > maxListed ? ` and ${values.length - maxListed} more` : ''
  return `${words} ${values.slice(0, maxListed).map(quote).join(', ')}${more}`
}

const maxListed = 5
/** Shorter lists are read as they are. */
const fewValues = 8

const shownDifference = ({ param, recorded, got }: Difference) => {
  const [before, after] = shownPair(recorded ?? '', got ?? '')
  return {
    param,
    recorded: recorded === undefined ? undefined : before,
    got: got === undefined ? undefined : after
  }
}

/** Both texts, cut to the part in which they differ. */
function shownPair(recorded: string, got: string) {
  let begin = 0
  while (begin < recorded.length && recorded[begin] === got[begin]) begin += 1
  const from = begin < maxShown - contextBefore ? 0 : begin - contextBefore
  const part = (text: string) => `${from === 0 ? '' : '…'}${shorten(text.slice(from))}`
  return [part(recorded), part(got)]
}

/** Characters of a value in a message, and of them before the first that differs. */
const maxShown = 120
const contextBefore = 20

/** Parts of a key whose values are digests of bodies. */
const digestParams = / file$|^plain body$|^unread body$/

const quote = (text = '') => JSON.stringify(shorten(text))
const shorten = (text: string) =>
  text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text
