/**
 * Two answers compared: times as the step that they show, ids that were given during the program as pairs that must
 * hold for the whole run, tokens and what wikitape redacts as equal. Whatever else differs is a difference.
 */
import { stepOf } from '../wiki/wiki.ts'

/** Which step ran at a place of the clock, if steps were exchanged. */
export type Places = ReadonlyMap<number, number>

/** The highest id of each kind in the snapshot. */
export type Highest = Readonly<Record<string, number>>

type Json = unknown

export class Comparison {
  readonly #places: Places
  readonly #highest: Highest
  readonly #pairs = new Map<string, string>()

  constructor(places: Places, highest: Highest) {
    this.#places = places
    this.#highest = highest
  }

  /** Where and how two answers differ. @param ours of wikitape @param true of the wiki, driven in another order */
  difference(ours: string, theirs: string): string | undefined {
    if (ours === theirs) return undefined
    const left = plain(timed(ours, new Map()))
    const right = plain(timed(theirs, this.#places))
    if (left === right) return undefined
    const a = parsed(left)
    const b = parsed(right)
    if (a === undefined || b === undefined) return brief('text', left, right)
    return this.#differ(a, b, [])
  }

  #differ(a: Json, b: Json, at: readonly string[]): string | undefined {
    if (a === b) return undefined
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) return brief(`${at.join('.')}, rows`, a, b)
      return first(
        a.map((one, place) => () => this.#differ(one, b[place], [...at, String(place)]))
      )
    }
    if (isObject(a) && isObject(b)) return this.#membersDiffer(a, b, at)
    return this.#leavesDiffer(a, b, at)
  }

  #membersDiffer(
    a: Record<string, Json>,
    b: Record<string, Json>,
    at: readonly string[]
  ): string | undefined {
    const names = Object.keys(a)
    const others = Object.keys(b)
    if (names.length !== others.length) return brief(`${at.join('.')}, members`, a, b)
    return first(
      names.map((name, place) => () => {
        const other = name in b ? name : (others[place] ?? '')
        if (name !== other && !this.#paired('page', Number(name), Number(other)))
          return brief(`${at.join('.')}, member ${name}`, a, b)
        return this.#differ(a[name], b[other], [...at, name])
      })
    )
  }

  #leavesDiffer(a: Json, b: Json, at: readonly string[]): string | undefined {
    const key = at.findLast((name) => !/^\d+$/.test(name)) ?? ''
    if (typeof a === 'number' && typeof b === 'number') {
      const kind = kindOf(key, at)
      if (kind !== undefined && this.#paired(kind, a, b)) return undefined
    }
    if (typeof a === 'string' && typeof b === 'string') {
      if (isRedacted(a) && (isToken(b) || secretNames.test(key))) return undefined
      if (this.#sameStep(a, b, key === 'newtimestamp')) return undefined
      if (
        /continue$|content$|link$|url$|id$|^older$|^newer$|^latest$/.test(key) &&
        this.#digitsPaired(a, b)
      )
        return undefined
    }
    return brief(at.join('.'), a, b)
  }

  /** The step of a write that another session had recorded: its answer says so, and what is read later has the same. */
  #sameStep(a: string, b: string, isWritten: boolean): boolean {
    const known = this.#pairs.get(a)
    if (known !== undefined || !isWritten) return known === b
    this.#pairs.set(a, b)
    return true
  }

  /** Ids inside of continue values and addresses: those of all kinds together. */
  #digitsPaired(a: string, b: string): boolean {
    const left = a.split(/(\d+)/)
    const right = b.split(/(\d+)/)
    if (left.length !== right.length) return false
    return left.every((part, at) => {
      const other = right[at] ?? ''
      if (part === other) return true
      return /^\d+$/.test(part) && Number(part) > 30 && Number(other) > 30
    })
  }

  #paired(kind: string, a: number, b: number): boolean {
    const highest = this.#highest[kind] ?? 0
    if (!(a > highest && b > highest)) return false
    const known = this.#pairs.get(`${kind} ${a}`)
    const back = this.#pairs.get(`${kind} back ${b}`)
    if (known === undefined && back === undefined) {
      this.#pairs.set(`${kind} ${a}`, String(b))
      this.#pairs.set(`${kind} back ${b}`, String(a))
      return true
    }
    return known === String(b) && back === String(a)
  }
}

const first = (checks: readonly (() => string | undefined)[]): string | undefined => {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const brief = (where: string, a: Json, b: Json): string =>
  `${where}: ${short(a)} ≠ the wiki's ${short(b)}`

const short = (value: Json): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 220 ? `${text.slice(0, 220)}…` : text
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const revisions =
  /^(?:revid|parentid|oldid|newrevid|oldrevid|lastrevid|old_revid|revision|baserevid|summaryrevid)$/

function kindOf(key: string, at: readonly string[]): string | undefined {
  if (revisions.test(key)) return 'revision'
  if (key === 'pageid' || key === 'curid') return 'page'
  if (key === 'logid' || key === 'rcid' || key === 'userid' || key === 'blockid')
    return key
  if (key !== 'id') return undefined
  const holder = at.findLast((name) => name !== 'id' && !/^\d+$/.test(name)) ?? ''
  if (/block/.test(holder)) return 'blockid'
  return restHolders[holder] ?? holder
}

/** What has an `id`: of rest.php, but for the first one. */
const restHolders: Readonly<Record<string, string>> = {
  userinfo: 'userid',
  user: 'userid',
  latest: 'revision',
  revisions: 'revision',
  pages: 'page',
  '': 'page'
}

/** ISO times and MediaWiki's own, as the step in which they were written. */
function timed(text: string, places: Places): string {
  const step = (whole: string, milliseconds: number): string => {
    const found = stepOf(milliseconds / 1000)
    if (found === undefined) return whole
    return `at-step-${places.get(found.at) ?? found.at}+${found.rest}`
  }
  return text
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (whole) =>
      step(whole, Date.parse(whole))
    )
    .replace(/(?<!\d)20\d{12}(?!\d)/g, (whole) => {
      const [year, month, day, hour, minute, second] =
        whole.match(/^\d{4}|\d\d/g)?.map(Number) ?? []
      return step(whole, Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second))
    })
}

/** Times of the machine's own clock, which stashed files have. */
const today = new RegExp(`${new Date().toISOString().slice(0, 10)}T[\\d:]+Z`, 'g')

/** Tokens, keys and temporary names of stashed files, the caller's address, times of day in words, how long the parser took, how many jobs wait: another each time, or redacted. */
const plain = (text: string): string =>
  text
    .replace(/"jobs":\d+/, '"jobs":0')
    .replaceAll(today, 'NOW')
    .replace(/[0-9a-f]{32,64}\+\\\\/g, 'TOKEN')
    .replace(/(?<![\w.])[0-9a-z]{10,14}\.[0-9a-z]{5,7}\.\d+\.\w*/g, 'FILEKEY')
    .replace(/!php\w{6}\b/g, '!php')
    .replaceAll('127.0.0.1', '192.0.2.1')
    .replace(/(?<![\d:])\d\d:\d\d(?![\d:])/g, 'TIME')
    .replace(/<!--.*?-->/g, '')
    .replace(/"(\w*(?:token|lgtoken|secret))":"[0-9a-f]{32,64}"/g, '"$1":"TOKEN"')

const secretNames = /token|secret|password|sessionid|email/
const isToken = (text: string): boolean => /TOKEN|^[0-9a-f]{32,}$/.test(text)
const isRedacted = (text: string): boolean => /TOKEN|redacted-|^0{16,}$/.test(text)
