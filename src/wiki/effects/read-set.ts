/**
 * What the answer to a request depends on. With what a write may change (`write-set.ts`) it decides whether an answer from
 * before the write is still valid. A module that is in no table here depends on everything (docs/sessions.md).
 */
import { wordSet } from '../../text/words.ts'
import { splitValues } from '../parameters/request-params.ts'
import type { SiteFacts } from '../site/site-facts.ts'
import { isStaticPath, type RequestEffect, sessionModules } from './request-effect.ts'
import { namedTitles, type WriteSet, writeSetOf } from './write-set.ts'

export type ReadSet =
  /** No write changes the answer: logins, tokens. */
  | { readonly kind: 'nothing' }
  /** The wiki's configuration, which only messages (`MediaWiki:…`) can change. */
  | { readonly kind: 'site' }
  /** The named pages, by title or by id, and accounts; either may be absent. */
  | {
      readonly kind: 'named'
      readonly titles: ReadonlySet<string>
      readonly ids: ReadonlySet<string>
      readonly account: boolean
      /** Whether the caller's talk page has news. */
      readonly talk: boolean
      /** Which files exist: a file's page may redirect to another file, an upload may be a duplicate. */
      readonly files: boolean
      /** All that the pages include, or that is in them as categories, which may be any page. */
      readonly included: boolean
    }
  | { readonly kind: 'everything'; readonly reason: string }

/** Why the write may have changed the answer; undefined where it cannot have. */
export function whyAffected(written: WriteSet, read: ReadSet): string | undefined {
  if (read.kind === 'nothing') return undefined
  if (written.kind === 'everything') return written.reason
  if (read.kind === 'site') return undefined
  if (read.kind === 'everything') return read.reason
  if (written.kind === 'account') return read.account ? 'it shows accounts' : undefined
  const page = [...read.titles].find((one) => written.titles.has(one))
  if (page !== undefined) return `${page} was written since`
  if (written.titles.size === 0 && read.titles.size > 0) return 'a page was written since'
  const id = [...read.ids].find((one) => written.ids.size === 0 || written.ids.has(one))
  if (id !== undefined) return `page ${id} may have been written since`
  if (read.talk && written.talk) return 'a talk page of a user was written since'
  if (read.files && written.file) return 'a file was written since'
  return read.included ? 'a page was written since, which others may include' : undefined
}

/** Logins and tokens. */
const isIndependent = (path: string): boolean => sessionModules.test(path)
/** Modules whose answers do not depend on pages and users. */
const siteModules = wordSet(
  'help paraminfo sitematrix languagesearch streamconfigs query+siteinfo query+filerepoinfo query+languageinfo ' +
    'query+allmessages',
)
/** Modules whose answers depend on users, not on what they wrote. */
const accountModules = wordSet('query+userinfo query+users query+globaluserinfo query+blocks')
/** Modules whose answers depend on files; they follow redirects from one file to another. */
const fileModules = wordSet('query+imageinfo query+videoinfo query+stashimageinfo')
/** Modules whose answers the wiki knows from rendering a page, with all the pages that it includes. */
const renderedModules = wordSet(
  'query+categories query+links query+templates query+images query+extlinks query+iwlinks query+langlinks ' +
    'query+pageprops query+coordinates query+pageterms query+description query+wbentityusage',
)
/** Modules whose answers depend on the named pages. */
const pageModules: ReadonlySet<string> = new Set([
  ...wordSet(
    'query+revisions query+deletedrevisions query+info query+contributors query+flagged query+categoryinfo',
  ),
  ...fileModules,
  ...renderedModules,
])
/** Parameters that bring other things into an answer. */
const wideningParams = wordSet(
  'generator revids redirects converttitles export exportnowrap amenableparser intestactions',
)
/** Parameters that have revisions rendered, or compared with a text. */
const renderingParams = /^(?:d?rv)(?:parse|expandtemplates|generatexml|difftotext|difftotextpst)$/
/** Values of `…prop` parameters that depend on more than the module does. A page is watched with its talk page. */
const wideningValues: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['siprop', wordSet('statistics')],
  ['uiprop', wordSet('editcount latestcontrib unreadcount')],
  ['usprop', wordSet('editcount')],
  [
    'inprop',
    wordSet(
      'talkid subjectid associatedpage preloadcontent editintro watched watchers visitingwatchers notificationtimestamp',
    ),
  ],
  ['rvprop', wordSet('parsetree')],
  ['drvprop', wordSet('parsetree')],
])

export function readSetOf(
  canonical: ReadonlyMap<string, string>,
  effect: RequestEffect,
  site: SiteFacts | undefined,
): ReadSet {
  const target = canonical.get('plain target')
  if (target !== undefined) return plainReadSet(target)
  if (effect === 'write') return writeReadSet(canonical, site)
  const modules = requestedModules(canonical).filter((one) => !isIndependent(one))
  if (modules.length === 0 && effect === 'session') return { kind: 'nothing' }
  for (const [name, values] of wideningValues) {
    const far = splitValues(canonical.get(name) ?? '').find((one) => values.has(one))
    if (far !== undefined) return readsEverything(`${far} shows every write`)
  }
  const wide = [...canonical.keys()].find((name) => wideningParams.has(name) || renderingParams.test(name))
  const unknown = modules.find(
    (one) => !siteModules.has(one) && !accountModules.has(one) && !pageModules.has(one),
  )
  if (unknown !== undefined) return readsEverything(`${unknown.replace('query+', '')} may show every write`)
  if (wide !== undefined) return readsEverything(`${wide} brings other pages in`)
  return namedReadSet(canonical, modules, site)
}

const readsEverything = (reason: string): ReadSet => ({ kind: 'everything', reason })

const plainReadSet = (target: string): ReadSet =>
  isStaticPath(target) ? { kind: 'site' } : readsEverything('any page or file may show a write')

/** The action, or for `query` what it asks for. */
function requestedModules(canonical: ReadonlyMap<string, string>): readonly string[] {
  const action = canonical.get('action') ?? 'help'
  if (action !== 'query') return [action]
  return ['prop', 'list', 'meta'].flatMap((name) =>
    splitValues(canonical.get(name) ?? '').map((value) => `query+${value}`),
  )
}

function namedReadSet(
  canonical: ReadonlyMap<string, string>,
  modules: readonly string[],
  site: SiteFacts | undefined,
): ReadSet {
  const sent = splitValues(canonical.get('titles') ?? '')
  const titles = namedTitles(sent, site)
  if (titles === undefined) return readsEverything('its titles are not certain')
  const ids = new Set(splitValues(canonical.get('pageids') ?? ''))
  const account = modules.some((one) => accountModules.has(one))
  if (titles.names.size === 0 && ids.size === 0 && !account) return { kind: 'site' }
  const talk = splitValues(canonical.get('uiprop') ?? '').includes('hasmsg')
  const files = modules.some((one) => fileModules.has(one))
  const shown = splitValues(canonical.get('inprop') ?? '').some((one) => /^(?:display|variant)/.test(one))
  // It counts the members of a category, and says nothing of other pages.
  const counted = modules.includes('query+categoryinfo') && (titles.category || ids.size > 0)
  const included = shown || counted || modules.some((one) => renderedModules.has(one))
  return { kind: 'named', titles: titles.names, ids, account, talk, files, included }
}

/** The answer to a write (new revision, no change) depends on the pages that it names. */
function writeReadSet(canonical: ReadonlyMap<string, string>, site: SiteFacts | undefined): ReadSet {
  const written = writeSetOf(canonical, [], [], site)
  // The answer to an upload warns of duplicates, unless warnings are ignored.
  const files =
    canonical.get('action') === 'upload' && (canonical.has('stash') || !canonical.has('ignorewarnings'))
  if (written.kind === 'everything') return readsEverything(written.reason)
  const account = written.kind === 'account'
  const { titles, ids } = account ? { titles: new Set<string>(), ids: new Set<string>() } : written
  return { kind: 'named', titles, ids, account, talk: false, files, included: false }
}
