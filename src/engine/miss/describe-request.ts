/** Requests in words, for messages and pages. */
import type { Interaction } from '../../cassette/interaction.ts'
import { redactUrl } from '../../privacy/redact/redact-message.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { escapeControls, truncateText } from '../../text/escape-control-characters.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** A name or value fit to be shown: control characters escaped, cut at `limit`. */
export const displayText = (text: string, limit = 300): string =>
  escapeControls(truncateText(text.slice(0, 2 * limit), limit))

/** Parameters that choose what is asked for; they come first, in a phrase. */
const subjectParams: ReadonlySet<string> = new Set(['action', 'list', 'meta', 'prop', 'generator', 'titles'])
const transportParams: ReadonlySet<string> = new Set(['format', 'continue'])

/**
 * E.g. `list allpages · apfrom=Б · aplimit=10`, `parse · page=Волга`, `categories, info of Волга, Дон`.
 * Left out: the parts of a key that are no parameters (who asked, and when), whose names have a space.
 */
export function describeRequest(
  { request, sentValues }: Pick<Interaction, 'request' | 'sentValues'>,
  separator = ' · ',
): string {
  const plain = request.get('plain target')
  if (plain !== undefined) return `GET ${displayText(plain)}`
  const more = [...request].filter(
    ([name]) => !name.includes(' ') && !subjectParams.has(name) && !transportParams.has(name),
  )
  const words = more.map(
    ([name, value]) => `${displayText(name, 60)}=${displayText(sentValues.get(name) ?? value, 80)}`,
  )
  const shown = words.length > 12 ? [...words.slice(0, 12), '…'] : words
  return [describeSubject(request), ...shown].join(separator)
}

/** The same of a request that has just come in: its address may hold a secret, its body may be unreadable. */
export function describeIncoming(request: WikiRequest, { canonical, sentValues }: Derivation): string {
  const method = request.posted ? 'POST' : 'GET'
  if (request.kind === 'plain') return `${method} ${displayText(redactUrl(request.target))}`
  const isUnknown = request.unread !== undefined && !canonical.has('action')
  return isUnknown ? `${method} of an unread body` : describeRequest({ request: canonical, sentValues }, ', ')
}

function describeSubject(request: CanonicalRequest): string {
  const action = request.get('action') ?? 'help'
  const titles = request.get('titles')
  const ofTitles = titles === undefined ? '' : ` of ${firstValues(titles, 4)}`
  if (action !== 'query') return displayText(action, 60) + ofTitles
  const generator = request.get('generator')
  const parts = [
    listPhrase('list', request.get('list')),
    listPhrase('', request.get('prop')),
    listPhrase('meta', request.get('meta')),
  ].filter((part) => part !== '')
  const subject = parts.join(' and ') || 'pages'
  const ofGenerator = generator === undefined ? '' : ` of each page of ${displayText(generator, 60)}`
  return subject + ofGenerator + ofTitles
}

const listPhrase = (word: string, value = ''): string =>
  value === '' ? '' : `${word} ${firstValues(value, 6)}`.trim()

function firstValues(value: string, max: number): string {
  const values = splitValues(value)
  const first = values.slice(0, max).map((one) => displayText(one, 60))
  return first.join(', ') + (values.length > max ? ` and ${values.length - max} more` : '')
}

/** Who was logged in; empty for an anonymous caller. */
export function describeCaller(request: CanonicalRequest): string {
  const session = request.get('in session')
  const user = (request.get('as user') ?? '').replace(/^user:/, '')
  return displayText([user, session && `session ${session}`].filter(Boolean).join(', '), 80)
}
