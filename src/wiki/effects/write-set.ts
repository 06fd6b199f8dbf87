/**
 * What a write may have changed. An action that is in no table here changes everything (docs/sessions.md). And the
 * titles that a request or an answer names.
 */
import { wordSet } from '../../text/words.ts'
import { splitValues } from '../parameters/request-params.ts'
import { parseTitle, type SiteFacts, type Title, writeTitle } from '../site/site-facts.ts'

export type WriteSet =
  | { readonly kind: 'account' }
  | {
      readonly kind: 'pages'
      readonly titles: ReadonlySet<string>
      /** Empty where the wiki did not say. */
      readonly ids: ReadonlySet<string>
      /** One of the pages is a talk page of a user. */
      readonly talk: boolean
      /** One of them is a file's. */
      readonly file: boolean
    }
  | { readonly kind: 'everything'; readonly reason: string }

export const writeSetToJson = (writeSet: WriteSet): Readonly<Record<string, unknown>> =>
  writeSet.kind === 'pages'
    ? { ...writeSet, titles: [...writeSet.titles], ids: [...writeSet.ids] }
    : { ...writeSet }

/** What is not understood counts as a write of everything: then no recording from before it is served. */
export function writeSetFromJson(json: Readonly<Record<string, unknown>>): WriteSet {
  const { kind, titles, ids, talk, file } = json
  if (kind === 'account') return { kind }
  if (kind === 'pages' && Array.isArray(titles) && Array.isArray(ids))
    return {
      kind,
      titles: new Set(titles.map(String)),
      ids: new Set(ids.map(String)),
      talk: talk === true,
      file: file === true,
    }
  return writesEverything(String(json['reason']))
}

const writesEverything = (reason: string): WriteSet => ({ kind: 'everything', reason })

const pageActions = wordSet(
  'edit move delete undelete protect rollback upload purge watch changecontentmodel setpagelanguage filerevert ' +
    'visualeditoredit mergehistory',
)
/** Not `options` and `userrights`: the language and the rights of a user show in every answer. */
const accountActions = wordSet(
  'createaccount block unblock clearhasmsg emailuser thank changeauthenticationdata linkaccount unlinkaccount ' +
    'removeauthenticationdata resetpassword',
)
/** Parameters with which an action changes pages that it does not name. */
const wideningParams = wordSet(
  'generator revids cascade forcerecursivelinkupdate movesubpages deletetalk undeletetalk entirewatchlist redirects ' +
    'converttitles',
)

/** @param answerTitles and answerIds: the pages that the answer names */
export function writeSetOf(
  canonical: ReadonlyMap<string, string>,
  answerTitles: readonly string[],
  answerIds: readonly string[],
  site: SiteFacts | undefined,
): WriteSet {
  const action = canonical.get('action') ?? ''
  if (accountActions.has(action)) return { kind: 'account' }
  const widening = [...wideningParams].find((name) => canonical.has(name))
  if (!pageActions.has(action) || widening !== undefined)
    return writesEverything(`${widening ?? (action || 'a write')} may change anything`)
  const values = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => splitValues(canonical.get(name) ?? ''))
  const files = values('filename').map((name) => `File:${name}`)
  const titles = namedTitles(
    [...values('title', 'titles', 'page', 'from', 'to'), ...files, ...answerTitles],
    site,
  )
  const ids = new Set([...values('pageid', 'pageids', 'fromid'), ...answerIds])
  if (titles === undefined || titles.names.size + ids.size === 0)
    return writesEverything(`${action} of a page that is not certain`)
  if (titles.sharedTitle !== undefined)
    return writesEverything(`${titles.sharedTitle} was written since, which other pages show`)
  // With one title, the ids are that page's: they may differ only where both are many.
  return {
    kind: 'pages',
    titles: titles.names,
    ids: titles.names.size > 1 ? new Set() : ids,
    talk: titles.talk || titles.names.size === 0,
    file: titles.file || titles.names.size === 0,
  }
}

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
export function namedTitles(given: readonly string[], site: SiteFacts | undefined): NamedTitles | undefined {
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
