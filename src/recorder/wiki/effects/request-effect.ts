/** The effect of a request: it reads, writes, or changes the session. */
import {
  hasMember,
  itemsOf,
  type JsonTree,
  memberOf,
  scalarTextOf,
  textAt,
  textOf
} from '../../json/json-tree.ts'
import { wordSet } from '../../text/words.ts'
import type { ActiveModule } from '../modules/active-modules.ts'
import { type Params, splitValues } from '../parameters/request-params.ts'
import { entitiesInAnswer, writesEntities } from './entities.ts'

/** `session`: the answer issues, changes, ends or judges what identifies the caller (tokens, login, logout). */
export type RequestEffect = 'read' | 'write' | 'session'

/** Source: https://www.mediawiki.org/wiki/API:Tokens, API:Login, API:Account_creation; spec, Authentication. */
export const sessionModules: RegExp =
  /^(?:login|clientlogin|logout|createaccount|acquiretempusername|tokens|checktoken|query\+tokens|query\+authmanagerinfo)$/
/** Until 1.36 other modules issued tokens too, by these parameters. */
const tokenParams = wordSet('intoken rctoken rvtoken ustoken')
/** Posted, but no read shows an effect. */
const tracelessModules = wordSet('validatepassword cspreport stashedit')

export function effectOf(
  modules: readonly ActiveModule[],
  params: Params
): RequestEffect {
  if (modules.some(({ path }) => sessionModules.test(path)) || requestsTokens(params))
    return 'session'
  return modules.some((one) => writes(one, params)) ? 'write' : 'read'
}

/** Tokens can also be requested by a value: `uiprop=preferencestoken`. */
const requestsTokens = (params: Params) =>
  [...params].some(
    ([name, value]) =>
      tokenParams.has(name) ||
      (name.endsWith('prop') && splitValues(value).some((one) => one.endsWith('token')))
  )

/** Without a description: these read, even if the client sends a token. */
const knownReadModules = wordSet(
  'compare expandtemplates help opensearch paraminfo parse query rsd sitematrix templatedata wbgetclaims wbgetentities ' +
    'wbsearchentities'
)

/** Modules that must be posted write (`purge` needs no right for it); so does an unknown module with a token. */
function writes({ path, description }: ActiveModule, params: Params) {
  if (tracelessModules.has(path)) return false
  if (!description)
    return (
      params.get('action') === path && params.has('token') && !knownReadModules.has(path)
    )
  return description.writes || description.mustBePosted
}

/** True of what is sent with a body to a path outside of api.php, unless REST only converts it. */
export const postWrites = (target: string, posted: boolean): boolean =>
  posted && !/\/rest\.php\/[^?]*\/transform\//.test(target)

/** True of a page that a user views: it clears notifications (WikiPage::doViewUpdates, MediaWiki 1.35 to 1.43). */
export const isPageView = (target: string, isAnonymous: boolean): boolean =>
  !isAnonymous && !isStaticPath(target) && !target.includes('/rest.php/')

/** Styles, scripts and images of skins depend on the site only. */
export const isStaticPath = (target: string): boolean =>
  /\/load\.php\?|\/(?:skins|resources|extensions)\//.test(target)

/**
 * Errors that a wiki raises before the module is run, so that nothing has changed. Source: ApiMain::executeAction and
 * ::setupModule, MediaWiki 1.35 to 1.43
 */
const earlyErrors =
  /^(?:badtoken|notoken|mustbeposted|mustpostparams|assert\w*failed|readonly|maxlag|unknown_action|writeapidenied|noapiwrite)$/

/** @param code of the API's error; empty if there is none */
export const isEarlyError = (code: string): boolean => earlyErrors.test(code)

export function hasSucceeded(action: string, tree: JsonTree): boolean {
  if (hasMember(tree, 'error') || hasMember(tree, 'errors')) return false
  const result = textAt(tree, action, 'result') ?? textAt(tree, action, 'status')
  return result === undefined || result === 'Success' || result === 'PASS'
}

/** How a login ended, and for whom; the rest may differ from one login to the next. Undefined for other answers. */
export function loginOutcome(tree: JsonTree): string | undefined {
  const result = textAt(tree, 'login', 'result') ?? textAt(tree, 'clientlogin', 'status')
  return result === undefined ? undefined : `${result} ${loggedInUser(tree) ?? ''}`
}

/** The user who is logged in by this answer, if any. (Creating an account does not log in.) */
export function loggedInUser(tree: JsonTree): string | undefined {
  if (textAt(tree, 'login', 'result') === 'Success')
    return textAt(tree, 'login', 'lgusername')
  return textAt(tree, 'clientlogin', 'status') === 'PASS'
    ? textAt(tree, 'clientlogin', 'username')
    : undefined
}

/** `created`, `edited`: one page, by an edit. `watched`: neither text nor history of pages. */
export type PageWrite = 'created' | 'edited' | 'watched'

/** What the answer to a write says of it. */
export interface WriteOutcome {
  readonly titles: readonly string[]
  readonly ids: readonly string[]
  /** Undefined for other writes, and for refused ones. */
  readonly how: PageWrite | undefined
  /** When, of an edit. */
  readonly at: string | undefined
  /** A move to a page that there was. */
  readonly overwrites: boolean
}

export function writeOutcome(action: string, tree: JsonTree | undefined): WriteOutcome {
  const outcome = memberOf(tree, action)
  const entries = [outcome, ...itemsOf(outcome)]
  const texts = (...names: readonly string[]) =>
    entries
      .flatMap((entry) => names.flatMap((name) => memberOf(entry, name) ?? []))
      .map((member) => scalarTextOf(member) ?? '')
  const files = texts('filename').map((name) => `File:${name}`)
  const titles = texts('title', 'from', 'to', 'talkfrom', 'talkto')
  // What rest.php answers is not wrapped: a page's title, an entity's id.
  const inRest = action === '' ? [memberOf(tree, 'title'), memberOf(tree, 'id')] : []
  const restTitles = inRest.flatMap((one) => textOf(one) ?? [])
  return {
    titles: writesEntities(action)
      ? entitiesInAnswer(tree)
      : [...titles, ...files, ...restTitles],
    ids: texts('pageid'),
    how: howWritten(action, tree),
    at: textAt(outcome, 'newtimestamp'),
    overwrites: hasMember(outcome, 'moveoverredirect')
  }
}

/** Source: ApiEditPage, ApiWatch of MediaWiki 1.35 to 1.43. */
function howWritten(action: string, tree: JsonTree | undefined) {
  if (!tree || !hasSucceeded(action, tree)) return undefined
  if (action === 'watch') return 'watched'
  // An edit that changes nothing updates links.
  if (action !== 'edit' || hasMember(tree, 'edit', 'nochange')) return undefined
  return hasMember(tree, 'edit', 'new') ? 'created' : 'edited'
}
