/** Which parameters are secret, and what of them may stand in a key: that they are there, and of which kind. */
import type { ParamDescription } from '../wiki/modules.ts'

/** Names that carried no mark in the descriptions of older wikis. */
const secretNames = /password|retype$|token$|secret$|^oauth_|^(?:wp)?e-?mail(?:address)?$/i
/** Parameters that end like a secret and are none. */
const harmless: ReadonlySet<string> = new Set(['intoken', 'rctoken', 'rvtoken', 'ustoken', 'captchaword'])

/** True where the value must reach neither a key nor a disk. */
export function isSecretParam(name: string, description: ParamDescription | undefined): boolean {
  if (description?.sensitive === true || description?.tokenType !== undefined) return true
  // PHP's array form (`token[]`) holds the same secret.
  const [stem = ''] = name.split('[', 1)
  return secretNames.test(stem) && !harmless.has(stem)
}

/** What `tokenKind` can say. */
export const tokenKinds = ['(token)', '(anonymous token)', '(secret)', '(empty)'] as const

/** The kind of a secret: an answer may depend on it (`badtoken`), on its characters never. */
export function tokenKind(value: string): (typeof tokenKinds)[number] {
  if (value === '') return '(empty)'
  if (value === '+\\') return '(anonymous token)'
  return /^[0-9a-f]{32,48}\+\\$/.test(value) ? '(token)' : '(secret)'
}
