/** What a write may have changed. What the tables here do not know changes everything (docs/sessions.md). */

import { splitValues } from '../parameters/request-params.ts'
import { titlesIn } from '../site/named-titles.ts'
import type { SiteFacts } from '../site/site-facts.ts'

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
      /** One of them is a file's. */
      readonly file: boolean
    }
  | { readonly kind: 'everything'; readonly because: string }

const reachesAll = (because: string): Reach => ({ kind: 'everything', because })

const pageActions: ReadonlySet<string> = new Set([
  ...['edit', 'move', 'delete', 'undelete', 'protect', 'rollback', 'upload', 'purge', 'watch'],
  ...['changecontentmodel', 'setpagelanguage', 'filerevert', 'visualeditoredit', 'mergehistory'],
])
/** Not `options` and `userrights`: what language a user reads and what a user may shows in every answer. */
const accountActions: ReadonlySet<string> = new Set([
  ...['createaccount', 'block', 'unblock', 'clearhasmsg', 'emailuser', 'thank'],
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
    'forcerecursivelinkupdate',
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
    return reachesAll(`${spread ?? (action || 'a write')} may change anything`)
  const values = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => splitValues(canonical.get(name) ?? ''))
  const files = values('filename').map((name) => `File:${name}`)
  const titles = titlesIn([...values('title', 'titles', 'page', 'from', 'to'), ...files, ...named], site)
  const ids = new Set([...values('pageid', 'pageids', 'fromid'), ...numbered])
  if (titles === undefined || titles.names.size + ids.size === 0)
    return reachesAll(`${action} of a page that is not certain`)
  if (titles.wide !== undefined) return reachesAll(`${titles.wide} was written since, which other pages show`)
  // An id may stand for another page than the titles only where both are many.
  return {
    kind: 'pages',
    titles: titles.names,
    ids: titles.names.size > 1 ? new Set() : ids,
    talk: titles.talk || titles.names.size === 0,
    file: titles.file || titles.names.size === 0,
  }
}
