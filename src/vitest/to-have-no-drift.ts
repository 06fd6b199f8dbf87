/** `expect(cassette).toHaveNoDrift(other)`: what `wikitape diff` compares and says, as a matcher. */
import path from 'node:path'
import { expect } from 'vitest'
import { compareNamed } from '../cli/drift/run.ts'
import { readAcceptances } from '../cli/files/drift-files.ts'
import { parseGiven, type Shell } from '../cli/verb.ts'
import { diff } from '../cli/verbs/diff.ts'
import { exitCode, type FailOn, failing } from '../drift/gate.ts'
import type { DriftReport } from '../drift/report.ts'
import { pastCassettes } from '../nock/interception.ts'
import { terminalReport } from '../report/terminal.ts'
import { readSettings } from '../settings/settings.ts'
import { CassetteStore } from '../store/cassette-store.ts'

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

interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

/** Only a comparison that was made whole says that there is no drift. @throws UsageError, StoreError */
export async function toHaveNoDrift(
  subject: unknown,
  other?: DriftSubject,
  options: DriftOptions = {},
): Promise<Verdict> {
  const a = folderOf(subject)
  const b = other === undefined ? CassetteStore.open(a).manifest.upstream : nameOf(other)
  const { failOn = 'breaking' } = options
  const [report] = await pastCassettes(() => compare(a, b, options))
  if (report === undefined) throw new Error('there is nothing to compare')
  const code = exitCode(report, failOn)
  const text = terminalReport(report, { columns: 100, colour: false, failOn, show: 'some' })
  if (code === 2)
    throw new Error(`the comparison is not whole, so nobody can say whether there is drift:\n\n${text}`)
  return { pass: code === 0, message: () => tell(report, failOn, text) }
}

function compare(a: string, b: string, options: DriftOptions): Promise<readonly DriftReport[]> {
  const { accept, allowLive = false, timeout } = options
  const given = parseGiven(diff, [
    a,
    b,
    ...(accept === undefined ? [] : ['--accept', accept]),
    ...(allowLive ? ['--allow-live'] : []),
    ...(timeout === undefined ? [] : ['--timeout', String(timeout)]),
  ])
  return compareNamed([a, b], readAcceptances(given, 'accept'), given, shell())
}

/** A terminal that nobody looks at. */
const shell = (): Shell => ({
  out: () => undefined,
  err: () => undefined,
  env: process.env,
  settings: readSettings(process.cwd()),
  terminal: false,
  color: false,
  now: Date.now,
  stdin: async () => '',
  interactive: false,
  stopped: new Promise(() => undefined),
})

function tell(report: DriftReport, failOn: FailOn, text: string): string {
  const count = failing(report, failOn).length
  return count === 0
    ? `expected drift from ${report.a.name} to ${report.b.name}, and found none that counts:\n\n${text}`
    : `expected no drift from ${report.a.name} to ${report.b.name}:\n\n${text}`
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
