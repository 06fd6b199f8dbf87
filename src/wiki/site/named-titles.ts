/** Titles that a request or an answer names, and whether other pages depend on them. */
import type { SiteFacts } from './site-facts.ts'
import { parseTitle, type Title, writeTitle } from './titles.ts'

/** Titles that a request names, in the wiki's own spelling. */
export interface NamedTitles {
  readonly names: ReadonlySet<string>
  /** One of them is a talk page of a user. */
  readonly talk: boolean
  /** One of them is a file's. */
  readonly file: boolean
  /** One of them is a category's. */
  readonly category: boolean
  /** One that other pages show: a template, a module, a message. */
  readonly sharedTitle: string | undefined
}

/** Undefined where the canonical form of one is not certain. */
export function parseNamedTitles(
  given: readonly string[],
  site: SiteFacts | undefined,
): NamedTitles | undefined {
  if (given.length > 0 && site === undefined) return undefined
  const titles = given.map((one) => site && parseTitle(one, site))
  const parsed = titles.filter((one) => one !== undefined)
  if (parsed.length < given.length) return undefined
  const sharedTitle = parsed.find(isSharedPage)
  return {
    names: new Set(parsed.map(writeTitle)),
    talk: parsed.some(({ namespace }) => namespace.id === 3),
    file: parsed.some(({ namespace }) => namespace.id === 6),
    category: parsed.some(({ namespace }) => namespace.id === 14),
    sharedTitle: sharedTitle && writeTitle(sharedTitle),
  }
}

/** MediaWiki, Template, Module: what stands there shows in other pages, and in the wiki's own words. */
const sharedNamespaces: ReadonlySet<number> = new Set([8, 10, 828])

/** A user's own styles and scripts come with every page that the user sees. */
const isSharedPage = ({ namespace, text }: Title): boolean =>
  sharedNamespaces.has(namespace.id) || (namespace.id === 2 && /\.(?:css|js|json)$/.test(text))
