/** Requests in words, and texts of strangers made fit to be shown. */
import type { Interaction } from '../../cassette/interaction.ts'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { cutText, visible } from '../../text/escape-control-characters.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** Nothing hidden, nothing endless: what is shown of a name or a value. */
export const shown = (text: string, limit = 300): string => visible(cutText(text.slice(0, 2 * limit), limit))

/** Parameters that choose what is asked for; they are told first, and in a sentence. */
const choosing: ReadonlySet<string> = new Set(['action', 'list', 'meta', 'prop', 'generator', 'titles'])
/** Parameters of transport, which say nothing of the request. */
const transport: ReadonlySet<string> = new Set(['format', 'formatversion', 'continue'])

/**
 * E.g. `list allpages · apfrom=Б · aplimit=10`, `parse · page=Волга`, `categories, info of Волга, Дон`.
 * What a request is kept under besides (who asked, and when) has a space in its name and is told elsewhere.
 */
export function requestWords(
  { request, asked }: Pick<Interaction, 'request' | 'asked'>,
  between = ' · ',
): string {
  const plain = request.get('plain target')
  if (plain !== undefined) return `GET ${shown(plain)}`
  const more = [...request].filter(
    ([name]) => !name.includes(' ') && !choosing.has(name) && !transport.has(name),
  )
  const told = more.map(([name, value]) => `${shown(name, 60)}=${shown(asked.get(name) ?? value, 80)}`)
  return [whatIsAsked(request), ...told.slice(0, 12), ...(told.length > 12 ? ['…'] : [])].join(between)
}

/**
 * The same of a request that has just come in, for messages, some of which are ASCII: `list allpages, apfrom=Б`. Its
 * address may hold a secret, and its body may not have been read.
 */
export function wordsOf(request: WikiRequest, { canonical, asked }: Derivation): string {
  const method = request.posted ? 'POST' : 'GET'
  if (request.kind === 'plain') return `${method} ${shown(withoutCredentials(request.target))}`
  const isUnknown = request.unread !== undefined && !canonical.has('action')
  return isUnknown ? `${method} of an unread body` : requestWords({ request: canonical, asked }, ', ')
}

function whatIsAsked(request: CanonicalRequest): string {
  const action = request.get('action') ?? 'help'
  const titles = request.get('titles')
  const of = titles === undefined ? '' : ` of ${listed(titles, 4)}`
  if (action !== 'query') return shown(action, 60) + of
  const each = request.get('generator')
  const parts = [
    ...named('list', request.get('list')),
    ...named('', request.get('prop')),
    ...named('meta', request.get('meta')),
  ]
  const asked = parts.length === 0 ? 'pages' : parts.join(' and ')
  return each === undefined ? asked + of : `${asked} of each page of ${shown(each, 60)}${of}`
}

const named = (word: string, value: string | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : [`${word} ${listed(value, 6)}`.trim()]

function listed(value: string, most: number): string {
  const values = splitValues(value)
  const more = values.length > most ? ` and ${values.length - most} more` : ''
  return (
    values
      .slice(0, most)
      .map((one) => shown(one, 60))
      .join(', ') + more
  )
}

/** Who was logged in; empty for nobody. */
export function whoAsked(request: CanonicalRequest): string {
  const session = request.get('in session')
  const user = (request.get('as user') ?? '').replace(/^user:/, '')
  return shown(
    [user, ...(session === undefined ? [] : [`session ${session}`])].filter(Boolean).join(', '),
    80,
  )
}
