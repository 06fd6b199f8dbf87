/** The change of a MediaWiki release that a finding comes from, and what the author of a client does about it. */
import { textOf } from '../../json/json-tree.ts'
import { minorOf } from '../../knowledge/versions.ts'
import type { Change } from '../changes/change.ts'
import { adviceRows, knownChangeRows } from './known-changes-table.ts'

/** One change of one release; all findings that come from it are one cause. */
export interface KnownChange {
  /** The release that made it, e.g. `1.37`; or the two that it lies between, as seen. */
  readonly since: string
  /** What changed, as a heading. */
  readonly what: string
  /** What the author of a client does about it. */
  readonly advice: string
}

const knownChanges = knownChangeRows.map(([since, what, kinds, about, advice]) => ({
  change: { since, what, advice },
  pattern: { kinds, about },
}))

/** Every change that causes are named by, for the table of docs/known-changes.md. */
export const allKnownChanges: readonly KnownChange[] = knownChanges.map(({ change }) => change)

/** The change of a release that a finding comes from; undefined where no release explains it. */
export type KnownChangeLookup = (change: Change, place: string) => KnownChange | undefined

/**
 * Only changes between the two sides: a parameter that is missing on both 1.43 was not lost in 1.37. Where a version is
 * unknown, all changes count.
 * @param engineA of the earlier side, e.g. `1.35.13`; empty where unknown
 * @param engineB of the later side
 */
export function knownChangesBetween(engineA: string, engineB: string): KnownChangeLookup {
  const [from, to] = [engineA, engineB].map((engine) => minorOf(engine))
  const candidates = knownChanges.filter(
    ({ change }) => from === undefined || to === undefined || isBetween(change, from, to),
  )
  return (change, place) => {
    if (change.axis === 'data') return undefined
    const text = changeText(change, place)
    return candidates.find(({ pattern: { kinds, about } }) => kinds.test(change.kind) && about.test(text))
      ?.change
  }
}

/** A row that names two releases was made in one of them, or between. */
function isBetween({ since }: KnownChange, from: number, to: number): boolean {
  const [first, last] = since.split('–').map((one) => minorOf(one) ?? 0)
  return (last ?? first ?? 0) > from && (first ?? 0) <= to
}

/** What to do about a change that no release explains; undefined where there is nothing to advise. */
export function hintOf(change: Change, place: string): string | undefined {
  const { kind, before } = change
  if (kind === 'param.default-changed' && before !== undefined)
    return 'send the old default explicitly to keep the old behaviour'
  const text = changeText(change, place)
  return adviceRows.find(([kinds, about]) => kinds.includes(kind) && about.test(text))?.[2]
}

/** All that a change says, one line each. */
const changeText = ({ kind, scope, note, mark, before, after }: Change, place: string): string =>
  [kind, scope, place, note, mark, textOf(before), textOf(after)]
    .filter((one) => one !== undefined)
    .join('\n')
