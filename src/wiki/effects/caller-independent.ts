/**
 * Questions whose answer does not depend on who asks: what the wiki says to a caller without a name, it says to all.
 * Only what is certain: no rights, no language of the reader, no limits that some have higher.
 */
import { splitValues } from '../parameters/request-params.ts'

/** Of `siteinfo`: what is neither in the reader's language nor about the moment. */
const callerIndependentSiprops: ReadonlySet<string> = new Set([
  ...['general', 'namespaces', 'namespacealiases', 'specialpagealiases', 'magicwords', 'interwikimap'],
  ...[
    'rightsinfo',
    'restrictions',
    'extensiontags',
    'functionhooks',
    'variables',
    'protocols',
    'fileextensions',
  ],
])
/** Parameters that may stand beside, each with the values that are certain. */
const callerIndependentParams: ReadonlyMap<string, RegExp> = new Map([
  ['action', /^query$/],
  ['meta', /^siteinfo$/],
  [
    'prop',
    /^(?:revisions|info|pageprops|categories|links|templates|images|extlinks|langlinks|iwlinks)(?:\|(?:revisions|info|pageprops))*$/,
  ],
  ['titles', /^/],
  ['pageids', /^/],
  ['siprop', /^/],
  [
    'rvprop',
    /^(?:ids|timestamp|size|content|sha1|contentmodel|comment|user|userid|flags|tags)(?:\|(?:ids|timestamp|size|content|sha1|contentmodel|comment|user|userid|flags|tags))*$/,
  ],
  ['rvslots', /^main$/],
  ['indexpageids', /^/],
  ['formatversion', /^[12]$/],
  ['continue', /^$/],
  ['as user', /^/],
  ['after writes', /^/],
])

export const isCallerIndependent = (canonical: ReadonlyMap<string, string>): boolean =>
  canonical.has('prop') !== canonical.has('meta') &&
  [...canonical].every(([name, value]) => callerIndependentParams.get(name)?.test(value) === true) &&
  splitValues(canonical.get('siprop') ?? '').every((one) => callerIndependentSiprops.has(one))
