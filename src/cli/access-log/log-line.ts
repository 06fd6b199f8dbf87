/** One line of an access log as nginx and Apache write it, in the common or the combined format. */
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import { truncateText } from '../../text/escape-control-characters.ts'

/** A request of a log, without the address of its caller. */
export interface LoggedRequest {
  readonly method: string
  /** Without scheme and host. */
  readonly path: string
  /** Percent-encoded, one character a byte; empty without a `?`. */
  readonly query: string
  /** Milliseconds since 1970. */
  readonly time: number
  /** One character a byte, as sent; empty in the common format. */
  readonly userAgent: string
}

const quoted = '"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"'
/** Fields before the time (addresses, users, the virtual host) are not read. */
const linePattern = new RegExp(
  `\\[(\\d\\d)/([A-Z][a-z]{2})/(\\d{4}):(\\d\\d:\\d\\d:\\d\\d ([+-]\\d{4}))\\] ${quoted}(?: \\d{3} \\S+ ${quoted} ${quoted})?`,
)
const requestPattern =
  /^([A-Z]{1,20}) (?:https?:\/\/[^/?#\s]+)?(\/[^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?(?: HTTP\/[\d.]+)?$/

/** @param line one character a byte (latin1). @returns undefined if it is no request */
export function readLogLine(line: string): LoggedRequest | undefined {
  const [, day, month, year, clock, , text = '', , userAgent = ''] = linePattern.exec(line) ?? []
  const [, method, path, query = ''] = requestPattern.exec(unescapeLog(text)) ?? []
  const time = Date.parse(`${day} ${month} ${year} ${clock}`)
  if (method === undefined || path === undefined || Number.isNaN(time)) return undefined
  return { method, path, query, time, userAgent: unescapeLog(userAgent) }
}

/** nginx writes `\x22` for a quote and for bytes that are not ASCII, Apache also `\"` and `\\`. */
const unescapeLog = (text: string): string =>
  text.replace(/\\(?:x([0-9A-Fa-f]{2})|(.))/g, (_, hex: string | undefined, sign: string) =>
    hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16)),
  )

const maxLength = 200

/**
 * A client's name for counts: its User-Agent, but only products and versions where that holds an address or a secret; one
 * name for all browsers. @param sent one character a byte
 */
export function clientName(sent: string): string {
  const text = Buffer.from(sent, 'latin1').toString('utf8').trim()
  if (text === '' || text === '-') return 'no User-Agent'
  if (/^Mozilla\/\d/.test(text)) return /\(compatible; ([\w.-]+\/[\w.]+)/.exec(text)?.[1] ?? 'browsers'
  if (!isPersonal(text)) return truncateText(text, maxLength)
  const words = text.replace(/\([^()]*\)/g, ' ').match(/(?<!\S)[A-Za-z][\w.+-]*\/v?\d[\w.+-]*(?!\S)/g) ?? []
  return truncateText(words.filter((one) => !isPersonal(one)).join(' '), maxLength) || 'unnamed client'
}

const isPersonal = (text: string): boolean =>
  /@|%40|\bat\b.{1,40}\bdot\b|(?<![\w/.])(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,}/i.test(
    text,
  ) || redactMessage(text) !== text
