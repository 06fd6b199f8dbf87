/**
 * Lines of access logs: nginx and Apache in the common or combined format; JSON (Wikimedia's webrequest, nginx, Caddy,
 * Traefik, logstash); W3C's extended format (CloudFront, IIS), whose fields a line `#Fields:` names.
 */
import {
  isPlainObject,
  type PlainObject,
  tryParsePlain
} from '../../recorder/json/plain-json.ts'
import { decodeQuery } from '../../recorder/text/percent-decoding.ts'
import fieldNames from './field-names.json' with { type: 'json' }

/** A request of a log, without the address of its caller. */
export interface LoggedRequest {
  readonly method: string
  /** The path, without scheme and host. */
  readonly path: string
  /** Percent-encoded, one character a byte; empty without a `?`. */
  readonly query: string
  /** Milliseconds since 1970. */
  readonly time: number
  /** One character a byte, as sent; empty if the log does not say. */
  readonly userAgent: string
}

const quoted = '"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"'
/** Fields before the time (addresses, users, the virtual host) are not read. */
const linePattern = new RegExp(
  `\\[(\\d\\d)/([A-Z][a-z]{2})/(\\d{4}):(\\d\\d:\\d\\d:\\d\\d ([+-]\\d{4}))\\] ${quoted}(?: \\d{3} \\S+ ${quoted} ${quoted})?`
)
const requestPattern =
  /^([A-Z]{1,20}) (?:https?:\/\/[^/?#\s]+)?(\/[^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?(?: HTTP\/[\d.]+)?$/

/** @param line one character a byte (latin1). @returns undefined if it is no request */
function readCommonLine(line: string) {
  const [, day, month, year, clock, , text = '', , userAgent = ''] =
    linePattern.exec(line) ?? []
  const [, method, path, query = ''] = requestPattern.exec(unescapeLog(text)) ?? []
  const time = Date.parse(`${day} ${month} ${year} ${clock}`)
  if (method === undefined || path === undefined || Number.isNaN(time)) return undefined
  return {
    method,
    path,
    query,
    time,
    userAgent: unescapeLog(userAgent)
  }
}

/** nginx writes `\x22` for a quote and for bytes that are not ASCII, Apache also `\"` and `\\`. */
const unescapeLog = (text: string) =>
  text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|(.))/g,
    (_, hex: string | undefined, sign: string) =>
      hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16))
  )

export class LogLineReader {
  /** Of W3C's format. */
  #fields: readonly string[] = []

  /** @param line one character a byte (latin1). @returns undefined if it is no request */
  read(line: string): LoggedRequest | undefined {
    if (line.startsWith('#')) {
      const [, names] = /^#Fields:\s*(.*\S)/.exec(line) ?? []
      this.#fields = names?.split(/\s+/) ?? this.#fields
      return undefined
    }
    const common = readCommonLine(line)
    if (common) return common
    const start = line.indexOf('{')
    const json = start === -1 ? undefined : tryParsePlain(line.slice(start))
    if (isPlainObject(json)) return requestOf(json)
    return this.#fields.length === 0 ? undefined : requestOf(this.#w3c(line))
  }

  /** A browser's name is escaped: CloudFront writes `%20` for a space, IIS `+`. */
  #w3c(line: string) {
    const values = line.trimEnd().split(line.includes('\t') ? '\t' : ' ')
    const found = new Map(this.#fields.map((name, at) => [name, values[at] ?? '-']))
    const agent = found.get('cs(User-Agent)') ?? '-'
    found.set('cs(User-Agent)', decodeQuery(decodeQuery(agent)))
    found.set('dt', `${found.get('date')}T${found.get('time')}Z`)
    return Object.fromEntries([...found].filter(([, value]) => value !== '-'))
  }
}

/** Caddy has an object for the request, and lists of headers in it. */
function requestOf(line: PlainObject) {
  const inner = isPlainObject(line['request']) ? line['request'] : {}
  const headers = isPlainObject(inner['headers']) ? inner['headers'] : {}
  const all: PlainObject = { ...line, ...headers, ...inner }
  // The most certain name comes first.
  const fieldOf = (part: keyof typeof fieldNames) => {
    const found = fieldNames[part].map((name) => [all[name]].flat()[0])
    return found.find((one) => typeof one === 'string' || typeof one === 'number')
  }
  const target = `${fieldOf('path') ?? ''}`
  const query = `${fieldOf('query') ?? ''}`.replace(/^\??/, '?')
  const whole = target.includes('?') ? target : target + query
  const sent = fieldOf('request') ?? `${fieldOf('method') ?? ''} ${whole}`
  const [, method, path, rest = ''] = requestPattern.exec(`${sent}`) ?? []
  const at = fieldOf('time')
  // Seconds, of which Caddy writes parts.
  const time = typeof at === 'number' ? at * (at < 1e11 ? 1000 : 1) : Date.parse(at ?? '')
  if (method === undefined || path === undefined || Number.isNaN(time)) return undefined
  return { method, path, query: rest, time, userAgent: `${fieldOf('userAgent') ?? ''}` }
}
