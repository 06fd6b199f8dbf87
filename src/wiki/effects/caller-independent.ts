/**
 * Requests that get the same answer whoever sends them. Only what is certain: nothing that depends on rights, on the reader's
 * language, or on limits that some users have higher.
 */
import { wordSet } from '../../text/word-set.ts'
import { splitValues } from '../parameters/request-params.ts'

/** Values of `siprop` that depend neither on the reader's language nor on the moment. */
const callerIndependentSiprops = wordSet(
  'general namespaces namespacealiases specialpagealiases magicwords interwikimap rightsinfo restrictions ' +
    'extensiontags functionhooks variables protocols fileextensions',
)

/** A multi-value of these words. */
const valuesOf = (first: string, more = first): RegExp => new RegExp(`^(?:${first})(?:\\|(?:${more}))*$`)

/** Parameters that such a request may have, each with its values. */
const callerIndependentParams: ReadonlyMap<string, RegExp> = new Map([
  ['action', /^query$/],
  ['meta', /^siteinfo$/],
  [
    'prop',
    valuesOf(
      'revisions|info|pageprops|categories|links|templates|images|extlinks|langlinks|iwlinks',
      'revisions|info|pageprops',
    ),
  ],
  ['rvprop', valuesOf('ids|timestamp|size|content|sha1|contentmodel|comment|user|userid|flags|tags')],
  ['rvslots', /^main$/],
  ['formatversion', /^[12]$/],
  ['continue', /^$/],
  ...['titles', 'pageids', 'siprop', 'indexpageids', 'as user', 'after writes'].map(
    (name) => [name, /^/] as const,
  ),
])

export const isCallerIndependent = (canonical: ReadonlyMap<string, string>): boolean =>
  canonical.has('prop') !== canonical.has('meta') &&
  [...canonical].every(([name, value]) => callerIndependentParams.get(name)?.test(value) === true) &&
  splitValues(canonical.get('siprop') ?? '').every((one) => callerIndependentSiprops.has(one))
