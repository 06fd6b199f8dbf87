/** Fingerprints of findings and causes, by which they are accepted. */
import { digest } from '../../request/request-key.ts'

/**
 * Twelve hex digits: six of what changed (kind, scope, place, extent), six of where. The same in every run, whatever the
 * wording; a change that goes further has other ones, of which the last six stay.
 */
export type Fingerprint = string & { readonly __brand: 'Fingerprint' }

/** @param where stays when the change goes further */
export const fingerprintOf = (what: readonly string[], where: readonly string[]): Fingerprint =>
  [what, where].map((one) => digest(JSON.stringify(one), 6)).join('') as Fingerprint

/** True for fingerprints of one place or cause, whatever changed there. */
export const isSamePlace = (a: Fingerprint, b: Fingerprint): boolean => a.slice(6) === b.slice(6)

/** True for twelve hex digits. */
export const isFingerprint = (text: string): text is Fingerprint => /^[0-9a-f]{12}$/.test(text)
