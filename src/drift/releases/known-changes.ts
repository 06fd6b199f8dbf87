/** The change of a MediaWiki release that a finding comes from, and what the author of a client does about it. */
import { textOf } from '../../recorder/json/json-tree.ts'
import { dataFile, minorOf } from '../../recorder/knowledge/data-file.ts'
import { lazy } from '../../recorder/text/group-by.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { type Change, noteText } from '../changes/change.ts'
import { familyOf, type Kind } from '../changes/kinds.ts'

/** One change of one release; all findings that come from it are one cause. */
export interface KnownChange {
  /** The release that made it, e.g. `1.37`; or the two that it lies between, as seen. */
  readonly since: string
  readonly what: string
  /** What the author of a client does about it. */
  readonly advice: string
}

interface Conditions {
  /** Kinds, `field.*` for all of a family; or a name in the file's `kinds`, which has such words. */
  readonly kinds: string
  /** Names of modules that are values elsewhere (`checktoken type=createaccount`). */
  readonly modules?: string
  /** A pattern of what the change says (`changeText`); anything unless given. */
  readonly about?: string
  readonly ignoreCase?: boolean
}

interface KnownChangeData {
  readonly kinds: Readonly<Record<string, string>>
  readonly changes: readonly (Conditions & KnownChange)[]
  /** What to do about a change that no release explains. */
  readonly advice: readonly (Conditions & Pick<KnownChange, 'advice'>)[]
}

const data = () => dataFile('known-changes') as KnownChangeData

const tables = lazy(() => ({
  changes: data().changes.map(withPattern),
  advice: data().advice.map(withPattern)
}))

/** The row, with what tells whether a change fits its conditions. */
function withPattern<Row extends Conditions>(row: Row) {
  const { modules, about = '', ignoreCase = false } = row
  const scoped =
    modules === undefined
      ? ''
      : `(?<![\\s\\S]).*\\n(?:action=)?(?:${modules})\\n[\\s\\S]*`
  const pattern = new RegExp(scoped + about, ignoreCase ? 'im' : 'm')
  const kinds = wordSet(data().kinds[row.kinds] ?? row.kinds)
  const fits = (kind: Kind, text: string) =>
    (kinds.has(kind) || kinds.has(`${familyOf(kind)}.*`)) && pattern.test(text)
  return { row, fits }
}

/** The change of a release that a finding comes from; undefined if no release explains it. */
export type KnownChangeLookup = (change: Change, place: string) => KnownChange | undefined

/**
 * Only changes between the two sides: a parameter that is missing on both 1.43 was not lost in 1.37. Where a version is
 * unknown, all changes count.
 * @param engineA of the earlier side, e.g. `1.35.13`; empty if unknown
 * @param engineB of the later side
 */
export function knownChangesBetween(engineA: string, engineB: string): KnownChangeLookup {
  const from = minorOf(engineA)
  const to = minorOf(engineB)
  const candidates = tables().changes.filter(
    ({ row }) => from === undefined || to === undefined || isBetween(row, from, to)
  )
  return (change, place) => {
    if (change.axis === 'data') return undefined
    const text = changeText(change, place)
    return candidates.find(({ fits }) => fits(change.kind, text))?.row
  }
}

/** A row that names two releases was made in one of them, or between. */
function isBetween({ since }: KnownChange, from: number, to: number) {
  const [first, last] = since.split('–').map((one) => minorOf(one) ?? 0)
  return (last ?? first ?? 0) > from && (first ?? 0) <= to
}

/** What to do about a change that no release explains; undefined if there is nothing to advise. */
export function hintOf(change: Change, place: string): string | undefined {
  const { kind, before } = change
  if (kind === 'param.default-changed' && before)
    return 'send the old default explicitly to keep the old behaviour'
  const text = changeText(change, place)
  return tables().advice.find(({ fits }) => fits(kind, text))?.row.advice
}

/** All that a change says, one line each. */
const changeText = ({ kind, scope, note, mark, before, after }: Change, place: string) =>
  [kind, scope, place, noteText(note), mark, textOf(before), textOf(after)]
    .filter((one) => one !== undefined)
    .join('\n')
