/** Members that one side lacks, judged on all samples: once the whole answer is walked, and of items that one list has. */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberOf,
  textOf
} from '../../recorder/json/json-tree.ts'
import { getOrAdd, groupBy } from '../../recorder/text/group-by.ts'
import {
  type ChangeDetail,
  itemPath,
  memberPath,
  type Path,
  templateOf,
  turn
} from '../changes/change.ts'
import { familyOf } from '../changes/kinds.ts'
import { isInDictionary, patterns } from '../content/field-names.ts'
import { canonicalText, isFlag, isSet, isTelling } from '../content/same-state.ts'
import { extractMoves } from './field-moves.ts'
import type { OneSidedMembers, TreePosition, TreeWalk } from './tree-walk.ts'

/** Decides about deferred members; to be called once, at the end. */
export function settleMembers(walk: TreeWalk): void {
  const { context, changes, deferred } = walk
  // Where flags are spelled differently, `false` on one side may be absence on the other.
  const isDifferent =
    context.encodingDiffers ||
    changes.some(({ kind }) => familyOf(kind) === 'encoding' && kind !== 'encoding.empty')
  const flagged = deferred.map((one) => extractFalse(one, isDifferent))
  for (const { place, removed, added } of extractMoves(extractRenames(flagged))) {
    for (const member of removed) emitRemoved(member, place)
    for (const member of added) emitAdded(member, place)
  }
}

/** @param all false if only what A wrote out everywhere is spelled differently by being absent */
function extractFalse({ place, removed, added }: OneSidedMembers, all: boolean) {
  const emit = (key: string, detail: ChangeDetail) =>
    place.emit('encoding.flag', detail, memberPath(place.path, key))
  const isLost = ({ key, value }: JsonMember) =>
    !isSet(value) &&
    (all || (place.shapeA().isRequired(key) && place.shapeB().count(key) > 0))
  const isNew = ({ value }: JsonMember) => all && !isSet(value)
  for (const { key, value: before } of removed.filter(isLost))
    emit(key, { before, note: turn('false', 'absent') })
  for (const { key, value: after } of added.filter(isNew))
    emit(key, { after, note: turn('absent', 'false') })
  return {
    place,
    removed: removed.filter((one) => !isLost(one)),
    added: added.filter((one) => !isNew(one))
  }
}

/** Emits members with another name and the same value: decided for all items of a list together. */
const extractRenames = (deferred: readonly OneSidedMembers[]) =>
  [...groupBy(deferred, ({ place }) => templateOf(place.path)).values()].flatMap(
    (group) => {
      const names = bestNames(countVotes(group))
      return names.size === 0 ? group : group.map((one) => extractNamed(one, names))
    }
  )

function extractNamed(
  { place, removed, added }: OneSidedMembers,
  names: ReadonlyMap<string, string>
) {
  const paired = new Set<JsonMember>()
  for (const one of removed) {
    const other = added.find(({ key }) => key === names.get(one.key))
    if (!other) continue
    paired.add(one).add(other)
    const detail = {
      before: one.value,
      after: other.value,
      note: turn(one.key, other.key)
    }
    place.emit('field.renamed', detail, memberPath(place.path, one.key))
  }
  const isLeft = (member: JsonMember) => !paired.has(member)
  return { place, removed: removed.filter(isLeft), added: added.filter(isLeft) }
}

/** How often one old and one new name have the same value. */
class RenameVotes {
  readonly from: string
  readonly to: string
  readonly values = new Set<string>()
  equal = 0
  seen = 0
  distinctive = false

  constructor(from: string, to: string) {
    this.from = from
    this.to = to
  }

  count(a: JsonTree, b: JsonTree) {
    this.seen += 1
    const text = canonicalText(a)
    if (text !== canonicalText(b)) return
    this.equal += 1
    this.values.add(text)
    this.distinctive ||= isTelling(a) && isTelling(b)
  }

  isProven() {
    return (this.distinctive || this.values.size > 1) && this.equal * 2 >= this.seen
  }
}

/** The most votes first. */
function countVotes(group: readonly OneSidedMembers[]) {
  const table = new Map<string, RenameVotes>()
  for (const { place, removed, added } of group) {
    // Only a name that one side never uses can have been replaced.
    const gone = removed.filter(({ key }) => place.shapeB().count(key) === 0)
    const fresh = added.filter(({ key }) => place.shapeA().count(key) === 0)
    for (const one of gone)
      for (const other of fresh) {
        const id = JSON.stringify([one.key, other.key])
        const votes = getOrAdd(table, id, () => new RenameVotes(one.key, other.key))
        votes.count(one.value, other.value)
      }
  }
  return [...table.values()].sort((a, b) => b.equal - a.equal)
}

/** The strongest candidate for each old name; a new name is given once. */
function bestNames(candidates: readonly RenameVotes[]) {
  const names = new Map<string, string>()
  const given = new Set<string>()
  for (const { from, to } of candidates.filter((one) => one.isProven())) {
    if (names.has(from) || given.has(to)) continue
    names.set(from, to)
    given.add(to)
  }
  return names
}

function emitRemoved(member: JsonMember, place: TreePosition) {
  const { key, value: before } = member
  const path = memberPath(place.path, key)
  if (emitByPlace(member, path, 'before', place)) return

  const isEverywhere = isOnEveryAnswer(path)
  // Only formatversion 1 says no by absence.
  const isAlwaysThere = before.kind === 'literal' || !isFlag(before) || isEverywhere
  const required = place.shapeA().isRequired(key) && isAlwaysThere
  const note = samplesNote(place, key)
  if (place.shapeB().count(key) === 0) {
    const scope = isEverywhere ? { scope: '*' } : {}
    place.emit('field.removed', { ...scope, before, note, other: !required }, path)
  } else if (required) place.emit('field.became-optional', { before, note }, path)
  else emitPresence(path, { before }, place)
}

function emitAdded(member: JsonMember, place: TreePosition) {
  const { key, value: after } = member
  const path = memberPath(place.path, key)
  if (emitByPlace(member, path, 'after', place)) return

  const note = samplesNote(place, key)
  if (place.shapeA().count(key) === 0) {
    const detail = isOnEveryAnswer(path) ? { scope: '*' } : { note }
    place.emit('field.added', { after, ...detail }, path)
  } else if (place.shapeB().isRequired(key) && !isFlag(after))
    place.emit('field.became-present', { after, note }, path)
  else emitPresence(path, { after }, place)
}

type Side = 'before' | 'after'

/** Emits what the place of the member says by itself. @returns false if it says nothing */
function emitByPlace(
  { key, value }: JsonMember,
  path: Path,
  side: Side,
  place: TreePosition
) {
  if (isEnd(path)) {
    const note = side === 'before' ? turn(key, '') : turn('', key)
    place.emit('continuation.format', { [side]: value, note, mark: 'end' }, path)
  } else if (patterns.titles.test(templateOf(path))) emitTitles(value, path, side, place)
  else if (isFlag(value) && isInDictionary(path))
    emitPresence(path, { [side]: value }, place)
  else return false
  return true
}

/** Says that there is more, outside of `continue`. Sources: API:REST_API, history; API:wbsearchentities. */
const isEnd = (path: Path) => /^(?:older|newer|search-continue)$/.test(templateOf(path))

function emitTitles(list: JsonTree, path: Path, side: Side, place: TreePosition) {
  const kind = side === 'before' ? 'items.fewer' : 'items.more'
  for (const item of itemsOf(list)) {
    const from = textOf(memberOf(item, 'from') ?? memberOf(item, 'title')) ?? ''
    place.emit(kind, { [side]: item, other: true }, itemPath(path, `from=${from}`))
  }
}

/** Members that the main module puts at the top of every answer. */
const isOnEveryAnswer = (path: Path) =>
  path.parent?.kind === 'root' &&
  ['batchcomplete', 'curtimestamp', 'servedby', 'limits'].includes(path.step)

/** A member that comes and goes on both sides: with the content, not with the version. */
const emitPresence = (path: Path, values: ChangeDetail, place: TreePosition) =>
  place.emit('value.changed', { ...values, note: 'comes and goes', other: true }, path)

/** In how many samples a member is; empty if its place was never sampled. */
function samplesNote(place: TreePosition, key: string) {
  const a = place.shapeA()
  const b = place.shapeB()
  if (a.samples + b.samples === 0) return ''
  return turn(`in ${a.presence(key)}`, b.presence(key))
}
