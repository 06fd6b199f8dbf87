/** `expect(cassette).toHaveNoDrift(other)`: `wikitape diff` as a matcher. */
import path from 'node:path'
import { expect } from 'vitest'
import { isPlainObject } from '../../recorder/json/plain-json.ts'
import type { DriftOptions, DriftSubject, MatcherResult } from './compare-drift.ts'

declare global {
  // The same in vitest 4 and 5, whose own `Matchers` have different type parameters.
  namespace Chai {
    interface Assertion {
      /**
       * The subject is a cassette: its folder, or what `useCassette` or `insertCassette` gave.
       * @param other another cassette, or an api-url that is asked the same now; the wiki that was recorded unless given
       */
      toHaveNoDrift(other?: DriftSubject, options?: DriftOptions): Promise<void>
    }
  }
}

expect.extend({ toHaveNoDrift })

/**
 * Passes only if the whole comparison was made. The comparison is imported here, since it is most of the package, and
 * few test files need it.
 * @throws TypeError for a wrong option, UsageError, StoreError
 */
export async function toHaveNoDrift(
  subject: unknown,
  other?: DriftSubject,
  options: DriftOptions = {}
): Promise<MatcherResult> {
  const a = folderOf(subject)
  const b = other === undefined ? undefined : folderOf(other)
  const { compareDrift } = await import('./compare-drift.ts')
  return compareDrift(a, b, options)
}

function folderOf(subject: unknown) {
  if (typeof subject === 'string') return subject
  if (isPlainObject(subject) && typeof subject['folder'] === 'string')
    return path.relative('', subject['folder']) || '.'
  throw new TypeError(
    'toHaveNoDrift expects a cassette: its folder, or what useCassette or insertCassette gave, e.g. expect("cassettes/mine").toHaveNoDrift()'
  )
}
