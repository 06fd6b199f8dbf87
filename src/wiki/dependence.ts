/**
 * What the answer to a request depends on, and what a write may change: together they say whether an answer from before
 * a write still holds. What neither table knows depends on everything, and changes everything (docs/sessions.md).
 */
import type { Effect } from './effects.ts'
import { splitValues } from './params.ts'
import type { SiteFacts } from './site.ts'
import { parseTitle, writeTitle } from './titles.ts'

export type Dependence =
  /** On no write at all: logins, tokens. */
  | { readonly kind: 'nothing' }
  /** On the wiki's set-up, which only messages (`MediaWiki:…`) can change. */
  | { readonly kind: 'site' }
  /** On accounts and on the pages named, by title or by id; both may be absent. */
  | {
      readonly kind: 'named'
      readonly titles: ReadonlySet<string>
      readonly ids: ReadonlySet<string>
      readonly account: boolean
      /** Whether the caller's talk page has news. */
      readonly talk: boolean
    }
  | { readonly kind: 'everything'; readonly because: string }

/** What a write may have changed. */
export type Reach =
  | { readonly kind: 'account' }
  | {
      readonly kind: 'pages'
      readonly titles: ReadonlySet<string>
      /** Empty where the wiki did not say. */
      readonly ids: ReadonlySet<string>
      /** One of the pages is a talk page of a user. */
      readonly talk: boolean
    }
  | { readonly kind: 'everything'; readonly because: string }

/** Why a write with this reach may have changed such an answer; undefined where it cannot have. */
export function whyTouched(reach: Reach, on: Dependence): string | undefined {
  if (on.kind === 'nothing') return undefined
  if (reach.kind === 'everything') return reach.because
  if (on.kind === 'site') return undefined
  if (on.kind === 'everything') return on.because
  if (reach.kind === 'account') return on.account ? 'it tells of accounts' : undefined
  const page = [...on.titles].find((one) => reach.titles.has(one))
  if (page !== undefined) return `${page} was written since`
  if (reach.titles.size === 0 && on.titles.size > 0) return 'a page was written since'
  const id = [...on.ids].find((one) => reach.ids.size === 0 || reach.ids.has(one))
  if (id !== undefined) return `page ${id} may have been written since`
  return on.talk && reach.talk ? 'a talk page of a user was written since' : undefined
}

/** Logins and tokens. */
const ofNothing: ReadonlySet<string> = new Set([
  ...['login', 'clientlogin', 'logout', 'createaccount', 'acquiretempusername', 'tokens', 'checktoken'],
  ...['query+tokens', 'query+authmanagerinfo'],
])
/** Modules whose answers the wiki's pages and users do not change. */
const ofSite: ReadonlySet<string> = new Set([
  ...['help', 'paraminfo', 'sitematrix', 'languagesearch', 'streamconfigs'],
  ...['query+siteinfo', 'query+filerepoinfo', 'query+languageinfo', 'query+allmessages'],
])
/** Modules that tell of users, not of what they wrote. */
const ofAccounts: ReadonlySet<string> = new Set([
  'query+userinfo',
  'query+users',
  'query+globaluserinfo',
  'query+blocks',
])
/** Modules that tell of the very pages named. Templates are more than pages: see `isWide`. */
const ofPages: ReadonlySet<string> = new Set(
  [
    ...[
      'revisions',
      'deletedrevisions',
      'info',
      'pageprops',
      'contributors',
      'imageinfo',
      'videoinfo',
      'stashimageinfo',
    ],
    ...['categories', 'links', 'templates', 'images', 'extlinks', 'iwlinks', 'langlinks'],
    ...['coordinates', 'pageterms', 'description', 'flagged', 'wbentityusage'],
  ].map((name) => `query+${name}`),
)
/** Parameters that bring other things into an answer. */
const widening: ReadonlySet<string> = new Set([
  'generator',
  'revids',
  'redirects',
  'converttitles',
  'export',
  'exportnowrap',
])
/** Values of `…prop` parameters that look beyond what the module is about. */
const farSighted: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['siprop', new Set(['statistics'])],
  ['uiprop', new Set(['editcount', 'latestcontrib', 'unreadcount'])],
  ['usprop', new Set(['editcount'])],
  ['inprop', new Set(['talkid', 'subjectid', 'associatedpage', 'visitingwatchers'])],
])

export function dependenceOf(
  canonical: ReadonlyMap<string, string>,
  effect: Effect,
  site: SiteFacts | undefined,
): Dependence {
  const target = canonical.get('plain target')
  if (target !== undefined) return ofPlain(target)
  if (effect === 'write') return ofWrite(canonical, site)
  const modules = modulesOf(canonical).filter((one) => !ofNothing.has(one))
  if (modules.length === 0 && effect === 'session') return { kind: 'nothing' }
  for (const [name, values] of farSighted) {
    const far = splitValues(canonical.get(name) ?? '').find((one) => values.has(one))
    if (far !== undefined) return everything(`${far} tells of every write`)
  }
  const wide = [...widening].find((name) => canonical.has(name))
  const unknown = modules.find((one) => !ofSite.has(one) && !ofAccounts.has(one) && !ofPages.has(one))
  if (unknown !== undefined) return everything(`${unknown.replace('query+', '')} may tell of every write`)
  if (wide !== undefined) return everything(`${wide} brings other pages in`)
  return ofNamed(canonical, modules, site)
}

const everything = (because: string): Extract<Dependence & Reach, { kind: 'everything' }> => ({
  kind: 'everything',
  because,
})

/** Styles, scripts and the skins' own pictures are of the site; any other path may show anything. */
const ofPlain = (target: string): Dependence =>
  /\/load\.php\?|\/(?:skins|resources|extensions)\//.test(target)
    ? { kind: 'site' }
    : everything('any page or file may show a write')

/** The action, or for `query` what it asks for. */
function modulesOf(canonical: ReadonlyMap<string, string>): readonly string[] {
  const action = canonical.get('action') ?? 'help'
  if (action !== 'query') return [action]
  return ['prop', 'list', 'meta'].flatMap((name) =>
    splitValues(canonical.get(name) ?? '').map((value) => `query+${value}`),
  )
}

function ofNamed(
  canonical: ReadonlyMap<string, string>,
  modules: readonly string[],
  site: SiteFacts | undefined,
): Dependence {
  const sent = splitValues(canonical.get('titles') ?? '')
  const titles = titlesIn(sent, site)
  if (titles === undefined) return everything('its titles are not certain')
  const ids = new Set(splitValues(canonical.get('pageids') ?? ''))
  const account = modules.some((one) => ofAccounts.has(one))
  if (titles.names.size === 0 && ids.size === 0 && !account) return { kind: 'site' }
  const talk = splitValues(canonical.get('uiprop') ?? '').includes('hasmsg')
  return { kind: 'named', titles: titles.names, ids, account, talk }
}

/** What a write says of itself (new revision, no change) depends on the pages that it names. */
function ofWrite(canonical: ReadonlyMap<string, string>, site: SiteFacts | undefined): Dependence {
  const reach = reachOf(canonical, [], [], site)
  switch (reach.kind) {
    case 'everything':
      return everything(reach.because)
    case 'account':
      return { kind: 'named', titles: new Set(), ids: new Set(), account: true, talk: false }
    case 'pages':
      return { kind: 'named', titles: reach.titles, ids: reach.ids, account: false, talk: false }
  }
}

const pageActions: ReadonlySet<string> = new Set([
  ...['edit', 'move', 'delete', 'undelete', 'protect', 'rollback', 'upload', 'purge', 'watch'],
  ...['changecontentmodel', 'setpagelanguage', 'filerevert', 'visualeditoredit', 'mergehistory'],
])
const accountActions: ReadonlySet<string> = new Set([
  ...['options', 'globalpreferences', 'userrights', 'block', 'unblock', 'clearhasmsg', 'emailuser', 'thank'],
  ...[
    'changeauthenticationdata',
    'linkaccount',
    'unlinkaccount',
    'removeauthenticationdata',
    'resetpassword',
  ],
])
/** Parameters by which an action changes pages that it does not name. */
const spreading: ReadonlySet<string> = new Set([
  ...[
    'generator',
    'revids',
    'cascade',
    'movesubpages',
    'deletetalk',
    'undeletetalk',
    'entirewatchlist',
    'redirects',
    'converttitles',
  ],
])

/**
 * @param named titles that the answer tells of
 * @param numbered page ids that the answer tells of
 */
export function reachOf(
  canonical: ReadonlyMap<string, string>,
  named: readonly string[],
  numbered: readonly string[],
  site: SiteFacts | undefined,
): Reach {
  const action = canonical.get('action') ?? ''
  if (accountActions.has(action)) return { kind: 'account' }
  const spread = [...spreading].find((name) => canonical.has(name))
  if (!pageActions.has(action) || spread !== undefined)
    return everything(`${spread ?? (action || 'a write')} may change anything`)
  const values = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => splitValues(canonical.get(name) ?? ''))
  const files = values('filename').map((name) => `File:${name}`)
  const titles = titlesIn([...values('title', 'titles', 'page', 'from', 'to'), ...files, ...named], site)
  const ids = new Set([...values('pageid', 'pageids', 'fromid'), ...numbered])
  if (titles === undefined || titles.names.size + ids.size === 0)
    return everything(`${action} of a page that is not certain`)
  if (titles.wide !== undefined) return everything(`${titles.wide} was written since, which other pages show`)
  // An id may stand for another page than the titles only where both are many.
  return {
    kind: 'pages',
    titles: titles.names,
    ids: titles.names.size > 1 ? new Set() : ids,
    talk: titles.talk || titles.names.size === 0,
  }
}

interface Titles {
  readonly names: ReadonlySet<string>
  readonly talk: boolean
  /** One that other pages show: a template, a module, a message. */
  readonly wide: string | undefined
}

/** Undefined where the canonical form of one is not certain. */
function titlesIn(given: readonly string[], site: SiteFacts | undefined): Titles | undefined {
  if (given.length > 0 && site === undefined) return undefined
  const titles = given.map((one) => site && parseTitle(one, site))
  const certain = titles.filter((one) => one !== undefined)
  if (certain.length < given.length) return undefined
  const wide = certain.find(({ namespace }) => wideNamespaces.has(namespace.id))
  return {
    names: new Set(certain.map(writeTitle)),
    talk: certain.some(({ namespace }) => namespace.id === 3),
    wide: wide && writeTitle(wide),
  }
}

/** MediaWiki, Template, Module: what stands there shows in other pages, and in the wiki's own words. */
const wideNamespaces: ReadonlySet<number> = new Set([8, 10, 828])
