/** What a request does beside answering: it changes the wiki, or who the caller is to it. */
import { type JsonTree, memberAt, memberOf, textOf } from '../json/tree.ts'
import type { ModuleInPlay } from './modules.ts'
import { type Params, splitValues } from './params.ts'

/** `session`: its answer hands out, changes or ends what the wiki knows a caller by (tokens, login, logout). */
export type Effect = 'read' | 'write' | 'session'

/** Source: https://www.mediawiki.org/wiki/API:Tokens, API:Login, API:Account_creation; spec, Authentication. */
const sessionModules =
  /^(?:login|clientlogin|logout|createaccount|acquiretempusername|tokens|query\+tokens|query\+authmanagerinfo)$/
/** Until 1.36 these handed out tokens beside other things. */
const tokenParams: ReadonlySet<string> = new Set(['intoken', 'rctoken', 'rvtoken', 'ustoken'])
/** Posted, and yet no read shows it. */
const withoutTrace: ReadonlySet<string> = new Set(['validatepassword', 'cspreport', 'stashedit'])

export function effectOf(modules: readonly ModuleInPlay[], params: Params): Effect {
  if (modules.some(({ path }) => sessionModules.test(path)) || givesTokens(params)) return 'session'
  return modules.some((one) => writes(one, params)) ? 'write' : 'read'
}

const givesTokens = (params: Params): boolean => [...tokenParams].some((name) => params.has(name))

/** Where nobody described them: these read, whatever token clients send along. */
const reading: ReadonlySet<string> = new Set([
  'compare',
  'expandtemplates',
  'help',
  'opensearch',
  'paraminfo',
  'parse',
  'query',
  'rsd',
  'sitematrix',
  'templatedata',
  'wbgetclaims',
  'wbgetentities',
  'wbsearchentities',
])

/** Modules that take only POST change something (`purge` needs no right for it); one unknown shows it by its token. */
function writes({ path, description }: ModuleInPlay, params: Params): boolean {
  if (withoutTrace.has(path)) return false
  if (description === undefined)
    return params.get('action') === path && params.has('token') && !reading.has(path)
  return description.writes || description.mustBePosted
}

/**
 * True where a write that was answered so has changed something. An edit can say `Failure` (captcha) or `nochange`, an
 * upload `Warning`.
 * @param tree the answer; undefined where it is not JSON, which then counts
 */
export const hasChanged = (action: string, tree: JsonTree | undefined): boolean =>
  tree === undefined || (hasSucceeded(action, tree) && memberAt(tree, action, 'nochange') === undefined)

/** True where the module did what it was asked to. */
export function hasSucceeded(action: string, tree: JsonTree): boolean {
  if (memberOf(tree, 'error') !== undefined || memberOf(tree, 'errors') !== undefined) return false
  const told = memberOf(tree, action)
  const result = textOf(memberOf(told, 'result')) ?? textOf(memberOf(told, 'status'))
  return result === undefined || result === 'Success' || result === 'PASS'
}

/** Who is logged in by this answer; undefined where nobody is. */
export function loggedIn(tree: JsonTree): string | undefined {
  if (textOf(memberAt(tree, 'login', 'result')) === 'Success')
    return textOf(memberAt(tree, 'login', 'lgusername'))
  for (const action of ['clientlogin', 'createaccount'])
    if (textOf(memberAt(tree, action, 'status')) === 'PASS') return textOf(memberAt(tree, action, 'username'))
  return undefined
}

/** Lists of what was done: every write is in them. */
const histories: ReadonlySet<string> = new Set([
  'recentchanges',
  'usercontribs',
  'watchlist',
  'logevents',
  'allrevisions',
  'deletedrevs',
  'alldeletedrevisions',
  'feedrecentchanges',
  'feedcontributions',
  'feedwatchlist',
])

/** Parameters that name pages: `titles`, `cmtitle`, `page`, `pageids`; in a write also `from` and `to`. */
const pageParam = /(?:titles?|pages?|pageids?)$/
const writeParam = /(?:titles?|pages?|pageids?)$|^(?:from|to)$/

/** The pages that a write names, in its request and in its answer (an edit by title tells the page id). */
export function pagesWritten(
  canonical: ReadonlyMap<string, string>,
  tree: JsonTree | undefined,
): ReadonlySet<string> {
  const told = memberOf(tree, canonical.get('action') ?? '')
  const inAnswer = ['title', 'pageid', 'from', 'to'].flatMap((name) => {
    const member = memberOf(told, name)
    return member === undefined ? [] : [member.kind === 'literal' ? member.text : (textOf(member) ?? '')]
  })
  return new Set([...namedBy(canonical, writeParam), ...inAnswer])
}

/** Why a request cannot be answered as before such a write; undefined where nothing it names was written. */
export function whyStale(
  canonical: ReadonlyMap<string, string>,
  written: ReadonlySet<string>,
): string | undefined {
  const page = namedBy(canonical, pageParam).find((one) => written.has(one))
  if (page !== undefined) return `${page} was written since`
  const lists = ['action', 'list', 'generator'].flatMap((name) => splitValues(canonical.get(name) ?? ''))
  const history = lists.find((one) => histories.has(one))
  return history === undefined ? undefined : `${history} tells of every write`
}

const namedBy = (canonical: ReadonlyMap<string, string>, names: RegExp): readonly string[] =>
  [...canonical].flatMap(([name, value]) => (names.test(name) ? splitValues(value) : []))
