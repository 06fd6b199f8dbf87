/** The API requests of access logs, counted by query string, and the ones to send chosen from them. */

import { isShapingParam } from '../../drift/inputs/cassette-side.ts'
import {
  addCalls,
  type CallCount,
  newCount
} from '../../recorder/cassette/format/traffic-file.ts'
import { redactMessage } from '../../recorder/privacy/redact/redact-message.ts'
import { truncateText } from '../../recorder/text/escape-control-characters.ts'
import { getOrAdd, groupBy } from '../../recorder/text/group-by.ts'
import { bundledLookup } from '../../recorder/wiki/modules/module-descriptions.ts'
import {
  type Params,
  parseUrlencoded
} from '../../recorder/wiki/parameters/request-params.ts'
import { deriveAgain } from '../capture/recorded-answers.ts'
import { type LoggedRequest, LogLineReader } from './log-lines.ts'

export type CountedRequest = { readonly params: Params; readonly count: CallCount }

/** Limits: distinct clients that are counted, User-Agents that are stored by name. */
const maxClients = 1000
const maxCachedAgents = 20_000

export class LogTally {
  readonly path: string
  lines = 0
  /** Lines that name api.php, and are no request. */
  unreadable = 0
  apiCalls = 0
  /** All calls that could be read: by GET, with parameters. */
  readonly total: CallCount = newCount()
  /** Calls that are not sent, by reason. */
  readonly skipped: Map<string, CallCount> = new Map()
  /** True once some requests are counted with others of their form, and not sent. */
  sampled = false
  otherPath: string | undefined
  readonly byQuery: Map<string, CallCount> = new Map()
  readonly #reader = new LogLineReader()
  readonly #clients = new Set<string>()
  readonly #clientByAgent = new Map<string, string>()

  constructor(path: string) {
    this.path = path
  }

  /** @param line one character a byte */
  add(line: string): void {
    this.lines += 1
    // Most lines of a wiki's log are about pages: they are not parsed.
    if (!line.includes('/api.php') && !line.startsWith('#')) return
    const request = this.#reader.read(line)
    if (!request) this.unreadable += line.startsWith('#') ? 0 : 1
    else if (request.path === this.path) this.#addCall(request)
    else if (request.path.endsWith('/api.php')) this.otherPath ??= request.path
  }

  #addCall({ method, query, time, userAgent }: LoggedRequest) {
    this.apiCalls += 1
    const count = {
      calls: 1,
      first: time,
      last: time,
      agents: new Map([[this.#clientOf(userAgent), 1]])
    }
    if (method === 'GET' && query !== '') {
      addCalls(this.total, count)
      const known = this.byQuery.get(query)
      if (known) addCalls(known, count)
      // A copy: the part of a line would keep the whole chunk of the file in memory.
      else this.byQuery.set(Buffer.from(query, 'latin1').toString('latin1'), count)
    } else
      this.#skip(
        method === 'POST' ? 'by POST, whose body no log has' : 'without parameters',
        count
      )
  }

  /**
   * At most `limit` requests, each once by its key, the most frequent ones of each form. The others are counted with those of
   * their form, in turn. Writes and requests with secrets are left out.
   */
  choose(limit: number): readonly CountedRequest[] {
    const sorted = [...this.byQuery].sort(([, a], [, b]) => b.calls - a.calls)
    const forms = [...groupBy(sorted, ([query]) => formOf(query)).values()]
    for (const [, count] of forms.splice(limit).flat())
      this.#skip('of a form beyond --limit', count)
    const byKey = new Map<string, CountedRequest>()
    // The small ones first: what they leave of their share is for the others.
    forms.sort((a, b) => a.length - b.length)
    for (const [at, form] of forms.entries())
      this.#chooseOf(form, Math.ceil((limit - byKey.size) / (forms.length - at)), byKey)
    return [...byKey.values()]
  }

  #chooseOf(
    form: readonly (readonly [string, CallCount])[],
    max: number,
    byKey: Map<string, CountedRequest>
  ) {
    const chosen: CountedRequest[] = []
    const limit = byKey.size + max
    for (const [at, [query, count]] of form.entries()) {
      const like = chosen[at % chosen.length]
      if (byKey.size >= limit && like) {
        addCalls(like.count, count)
        this.sampled = true
        continue
      }
      const params = parseUrlencoded(query)
      const { key, effect, steps } = deriveAgain(params, 'anonymous', bundledFacts)
      const isKnown = knownFormat.test(params.get('format') ?? 'json')
      const unknown = isKnown ? undefined : 'with an unknown format'
      const why = effect === 'write' ? 'that write' : unknown
      if (why !== undefined) {
        // The form decides this.
        for (const [, one] of form.slice(at)) this.#skip(why, one)
        return
      }
      if (steps.some(({ rule }) => rule === 'secret')) this.#skip('with a secret', count)
      else {
        const request = getOrAdd(byKey, key, () => ({ params, count: newCount() }))
        addCalls(request.count, count)
        chosen.push(request)
      }
    }
  }

  #skip(why: string, count: CallCount) {
    addCalls(getOrAdd(this.skipped, why, newCount), count)
  }

  #clientOf(userAgent: string) {
    if (this.#clientByAgent.size > maxCachedAgents) this.#clientByAgent.clear()
    return getOrAdd(this.#clientByAgent, userAgent, () => {
      const name = clientName(userAgent)
      if (this.#clients.size < maxClients) this.#clients.add(name)
      return this.#clients.has(name) ? name : 'other clients'
    })
  }
}

/** Source: https://www.mediawiki.org/wiki/API:Data_formats. Any other is answered by a page. */
const knownFormat = /^(?:(?:json|php|xml)(?:fm)?|rawfm|none)$/

const bundledFacts = { lookup: bundledLookup(undefined), site: undefined }

/** The names of the parameters, and the values of those that choose fields: requests of one form differ in titles and the like. */
function formOf(query: string) {
  const parts = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1)
    return isShapingParam(name) ? pair : name
  })
  return parts.sort().join('&')
}

const maxLength = 200

/**
 * A client's name for counts: its User-Agent, but only products and versions if that holds an address or a secret; one
 * name for all browsers. @param sent one character a byte
 */
export function clientName(sent: string): string {
  const text = Buffer.from(sent, 'latin1').toString('utf8').trim()
  if (text === '' || text === '-') return 'no User-Agent'
  if (/^Mozilla\/\d/.test(text))
    return /\(compatible; ([\w.-]+\/[\w.]+)/.exec(text)?.[1] ?? 'browsers'
  if (!isPersonal(text)) return truncateText(text, maxLength)
  const words =
    text
      .replace(/\([^()]*\)/g, ' ')
      .match(/(?<!\S)[A-Za-z][\w.+-]*\/v?\d[\w.+-]*(?!\S)/g) ?? []
  return (
    truncateText(words.filter((one) => !isPersonal(one)).join(' '), maxLength) ||
    'unnamed client'
  )
}

const isPersonal = (text: string) =>
  /@|%40|\bat\b.{1,40}\bdot\b|(?<![\w/.])(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,}/i.test(
    text
  ) || redactMessage(text) !== text
