/** `expect(cassette).toHaveNoDrift(other)`: what `wikitape diff` compares and says, as a matcher. */
import path from 'node:path'
import { expect } from 'vitest'
import type { FailOn } from '../../drift/findings/fail-on.ts'

/** A cassette: its folder, or what `useCassette` or `insertCassette` gave. */
export type DriftSubject = string | { readonly folder: string }

export interface DriftOptions {
  /** From which severity on drift fails; `breaking` unless given. */
  readonly failOn?: FailOn
  /** File of drift that was agreed to; `drift.accept.json` unless given. */
  readonly accept?: string
  /** Lets a wiki be asked although CI=true. */
  readonly allowLive?: boolean
  /** Seconds that the wiki may stay silent. */
  readonly timeout?: number
}

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

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * Only a comparison that was made whole says that there is no drift. What compares is read first here: it is most of
 * the package, and few of the files of tests that import it compare anything.
 * @throws TypeError where an option is none, UsageError, StoreError
 */
export async function toHaveNoDrift(
  subject: unknown,
  other?: DriftSubject,
  options: DriftOptions = {},
): Promise<MatcherResult> {
  const a = folderOf(subject)
  const b = other === undefined ? undefined : nameOf(other)
  const { compareDrift: driftVerdict } = await import('./compare-drift.ts')
  return driftVerdict(a, b, options)
}

function folderOf(subject: unknown): string {
  if (typeof subject === 'string') return subject
  if (
    typeof subject === 'object' &&
    subject !== null &&
    'folder' in subject &&
    typeof subject.folder === 'string'
  )
    return path.relative('', subject.folder) || '.'
  throw new TypeError(
    'toHaveNoDrift expects a cassette: its folder, or what useCassette or insertCassette gave, e.g. expect("cassettes/mine").toHaveNoDrift()',
  )
}

const nameOf = (other: DriftSubject): string => (typeof other === 'string' ? other : folderOf(other))
