/**
 * Titles in the wiki's canonical form: spaces, local namespace prefix, capital where the wiki wants one.
 * Source: spec, Conventions; https://www.mediawiki.org/wiki/Manual:Title.php
 */
import type { Namespace, SiteFacts } from './site-facts.ts'

/** A title taken apart; `text` is without the prefix, with spaces. */
export interface Title {
  readonly namespace: Namespace
  readonly text: string
}

/** Characters that make a title invalid or are not part of it (sections, entities, percent signs, bidi marks). */
const uncertainTitle =
  /&[^\s;&]*;|[\u0000-\u001f\u007f#<>[\]{}|%~\ufeff\ufffd\u200e\u200f\u202a-\u202e]|^\s*:/
/** Parts of a title that browsers would read as steps in a path. */
const relativePathStep = /(?:^|\/)\.\.?(?:\/|$)/
const blanks = /[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g
/** Letters whose capital is one letter and the same in every version of Unicode that wikis run on. */
const plainLetter = /^[a-zà-öø-þα-ωа-яѐ-џ]$/
/** Languages with a dotted capital of `i`. */
const dottedILanguage = /^(?:az|crh|gag|kaa|kk|lzz|tr|tt|tly)\b/

/** Takes a title apart, or undefined where its canonical form is not certain from what the wiki says of itself. */
export function parseTitle(given: string, site: SiteFacts): Title | undefined {
  if (given === '' || uncertainTitle.test(given) || given.normalize('NFC') !== given || !given.isWellFormed())
    return undefined
  const spaced = given.replace(blanks, ' ').trim()
  const colon = spaced.indexOf(':')
  const main = site.namespaces.find(({ id }) => id === 0)
  if (colon < 0) return withCapital(main, spaced, site.lang)
  const namespace = namespaceNamed(spaced.slice(0, colon).trimEnd(), site)
  const text = spaced.slice(colon + 1).trimStart()
  // An unknown prefix may be another wiki's (interwiki) or part of the title: only the wiki can tell.
  if (namespace === undefined) return undefined
  if ((namespace.id === 2 || namespace.id === 3) && ipAddress.test(text)) return undefined
  // `Talk:File:X` is no title; whether another prefix follows, only the wiki can tell.
  if (namespace.id === 1 && text.includes(':')) return undefined
  return withCapital(namespace, text, site.lang)
}

/** Pages of users' addresses have spellings of their own: `127.000.000.001`, `2001:db8::1`. */
const ipAddress = /^[0-9a-f:.]*[:.][0-9a-f:.]*(?:\/|$)/i

/** The title as the wiki writes it, e.g. `Файл:Map 07.png`. */
export const writeTitle = ({ namespace, text }: Title): string =>
  namespace.name === '' ? text : `${namespace.name}:${text}`

/** The canonical form, or undefined where it is not certain. */
export function canonicalTitle(given: string, site: SiteFacts): string | undefined {
  const title = parseTitle(given, site)
  return title && writeTitle(title)
}

function withCapital(namespace: Namespace | undefined, text: string, lang: string): Title | undefined {
  if (namespace === undefined || text === '' || text.startsWith(':') || relativePathStep.test(text))
    return undefined
  const [first = ''] = text
  if (!namespace.firstLetter) return { namespace, text }
  if (first === first.toUpperCase() && !/\p{Ll}/u.test(first)) return { namespace, text }
  if (first === 'i' && dottedILanguage.test(lang)) return undefined
  return plainLetter.test(first) ? { namespace, text: first.toUpperCase() + text.slice(1) } : undefined
}

function namespaceNamed(name: string, site: SiteFacts): Namespace | undefined {
  const wanted = name.toLowerCase()
  return site.namespaces.find(
    (one) => one.id !== 0 && [one.name, ...one.aliases].some((alias) => alias.toLowerCase() === wanted),
  )
}
