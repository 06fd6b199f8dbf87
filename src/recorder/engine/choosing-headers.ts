/** Request headers that chose an answer, as its own `Vary` names them: another value may get another answer. */
import type { Interaction } from '../cassette/interaction.ts'
import { headerText, type IncomingHeaders } from '../http/incoming-request.ts'
import type { WikiRequest } from '../request/api-request.ts'
import { digest } from '../request/request-key.ts'
import { wordSet } from '../text/words.ts'
import { forwardedHeaders } from '../upstream/forwarded-headers.ts'

type ChosenBy = NonNullable<Interaction['chosenBy']>

/** Set by wikitape, or a part of who asks, or of the key. */
const harmless = wordSet(
  'accept-encoding authorization cookie host origin treat-as-untrusted access-control-request-headers ' +
    'access-control-request-method save-data'
)

/** By which programs differ, and the same program of another day. */
const ofPrograms = wordSet('accept accept-language user-agent')

/** REST names the language of its HTML only if one was sent. Source: HtmlOutputRendererHelper::putHeaders of 1.43 */
const rendered = /\/rest\.php\/v1\/(?:page|revision)\/.+\/(?:with_)?html(?:\?|$)/

/** The API answers every program alike, and its languages are a part of the key. @returns undefined where no header matters */
export function headersThatChose(
  vary: string | undefined,
  headers: IncomingHeaders,
  request: WikiRequest
): ChosenBy | undefined {
  const isApi = request.kind === 'api'
  const given = (vary ?? '').split(',').map((name) => name.trim().toLowerCase())
  const isRendered = !isApi && rendered.test(request.target)
  const listed = isRendered ? [...given, 'accept-language'] : given
  const named = listed.includes('*') ? ['*', ...listed, ...ofPrograms] : listed
  const names = named.filter(
    (name) =>
      /^(?:[a-z][a-z\d-]*|\*)$/.test(name) &&
      !harmless.has(name) &&
      !name.startsWith('x-forwarded-') &&
      !(isApi && ofPrograms.has(name))
  )
  return names.length === 0 ? undefined : chosenBy(names, headers)
}

/** What a request sends under these names. */
export const chosenBy = (names: Iterable<string>, headers: IncomingHeaders): ChosenBy =>
  new Map([...names].sort().map((name) => [name, sentValue(name, headers)] as const))

/** Empty where the request does not send it, or accepts anything. Other headers than these may hold a secret. */
function sentValue(name: string, headers: IncomingHeaders) {
  if (name === '*') return otherHeaders(headers)
  const sent = (headerText(headers, name) ?? '').replaceAll(/\s+/g, ' ').trim()
  if (sent === '*/*' || sent === '*') return ''
  return sent === '' || name.startsWith('accept') ? sent : digest(sent, 12)
}

/**
 * `Vary: *` says that whatever the request sends may have chosen the answer, so that no other request gets it. Source: RFC
 * 9110, 12.5.5.
 */
function otherHeaders(headers: IncomingHeaders) {
  const others = Object.entries(forwardedHeaders(headers, 0, false)).filter(
    ([name]) =>
      !harmless.has(name) && !ofPrograms.has(name) && !/^(?:content|sec)-/.test(name)
  )
  return others.length === 0 ? '' : digest(JSON.stringify(others.sort()), 12)
}
