/** Answers that are the same for all callers. Only what is certain: nothing that depends on rights, language or higher limits. */

import { itemsOf, type JsonTree, membersOf } from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { wordSet } from '../../text/words.ts'
import { hasValue, valuesOf } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'

/** Values of `siprop` that depend neither on the reader's language nor on the moment. */
const callerIndependentSiprops = wordSet(
  'general namespaces namespacealiases specialpagealiases magicwords interwikimap rightsinfo restrictions ' +
    'extensiontags functionhooks variables protocols fileextensions'
)

/** A multi-value of these words. */
const severalOf = (first: string, more = first) =>
  new RegExp(`^(?:${first})(?:\\|(?:${more}))*$`)

/** Props that have no limit, so that several may come together. */
const freeProps = 'revisions|info|pageprops'

/** Parameters that such a request may have, each with its values. */
const callerIndependentParams: ReadonlyMap<string, RegExp> = new Map([
  ['action', /^query$/],
  ['meta', /^siteinfo$/],
  [
    'prop',
    severalOf(
      `${freeProps}|categories|links|templates|images|extlinks|langlinks|iwlinks`,
      freeProps
    )
  ],
  [
    'rvprop',
    severalOf(
      'ids|timestamp|size|content|sha1|contentmodel|comment|user|userid|flags|tags'
    )
  ],
  ['rvslots', /^main$/],
  ['formatversion', /^[12]$/],
  ['continue', /^$/],
  ...['titles', 'pageids', 'siprop', 'indexpageids', 'as user', 'after writes'].map(
    (name) => [name, /^/] as const
  )
])

export const isCallerIndependent = (
  canonical: CanonicalRequest,
  site: SiteFacts | undefined
): boolean =>
  canonical.has('prop') !== canonical.has('meta') &&
  // A logo is that of the reader's language. Source: SkinModule::getAvailableLogos, ApiQuerySiteinfo::appendGeneralInfo of 1.43
  !(
    canonical.has('meta') &&
    site?.hasVariants === true &&
    hasValue(canonical.get('siprop') ?? 'general', 'general')
  ) &&
  [...canonical].every(
    ([name, value]) => callerIndependentParams.get(name)?.test(value) === true
  ) &&
  valuesOf(canonical, 'siprop').every((one) => callerIndependentSiprops.has(one))

/** Marks of what a revision, file or log entry hides from callers without a right, e.g. `userhidden`. Source: includes/api of 1.25 to 1.43. */
const hiddenMark = /\whidden$|^suppressed$/

/** True where the answer says that something is hidden, so that it belongs to its caller. */
export const hidesAnything = (tree: JsonTree): boolean =>
  membersOf(tree).some(({ key }) => hiddenMark.test(key)) ||
  itemsOf(tree).some(hidesAnything)
