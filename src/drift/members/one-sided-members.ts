/** Members that one side lacks, judged on all samples: once the whole answer is walked, and of items that one list has. */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberOf,
  textOf,
} from '../../recorder/json/json-tree.ts'
import { getOrAdd, groupBy } from '../../recorder/text/group-by.ts'
import {
  type ChangeDetail,
  itemPath,
  memberPath,
  type Path,
  templateOf,
} from '../changes/change.ts'
import { familyOf, type Kind } from '../changes/kinds.ts'
import type { Note } from '../changes/note.ts'
import { isInDictionary } from '../content/field-names.ts'
import { canonicalText, isFlag, isSet, isTelling } from '../content/same-state.ts'
import { extractMoves } from './field-moves.ts'
import {
  isAbsent,
  isRequired,
  presence,
  type SampleShape,
  typeOf,
} from './sample-shape.ts'
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
function extractFalse(
  { place, removed, added }: OneSidedMembers,
  all: boolean,
): OneSidedMembers {
  const emit = (key: string, detail: ChangeDetail): void =>
    place.emit('encoding.flag', detail, memberPath(place.path, key))
  const isLost = (one: JsonMember): boolean =>
    !isSet(one.value) &&
    (all || (isRequired(place.shapeA(), one.key) && !isAbsent(place.shapeB(), one.key)))
  const isNew = (one: JsonMember): boolean => all && !isSet(one.value)
  for (const { key, value } of removed.filter(isLost))
    emit(key, { before: value, note: { from: 'false', to: 'absent' } })
  for (const { key, value } of added.filter(isNew))
    emit(key, { after: value, note: { from: 'absent', to: 'false' } })
  return {
    place,
    removed: removed.filter((one) => !isLost(one)),
    added: added.filter((one) => !isNew(one)),
  }
}

/** Emits members with another name and the same value: decided for all items of a list together. */
const extractRenames = (
  deferred: readonly OneSidedMembers[],
): readonly OneSidedMembers[] =>
  [...groupBy(deferred, ({ place }) => templateOf(place.path)).values()].flatMap(
    (group) => {
      const names = bestNames(countVotes(group))
      return names.size === 0 ? group : group.map((one) => extractNamed(one, names))
    },
  )

function extractNamed(
  all: OneSidedMembers,
  names: ReadonlyMap<string, string>,
): OneSidedMembers {
  const { place, removed, added } = all
  const paired = new Set<JsonMember>()
  for (const one of removed) {
    const other = added.find(({ key }) => key === names.get(one.key))
    if (!other) continue
    paired.add(one).add(other)
    const detail = {
      before: one.value,
      after: other.value,
      note: {
        from: one.key,
        to: other.key,
      },
    }
    place.emit('field.renamed', detail, memberPath(place.path, one.key))
  }
  const isLeft = (member: JsonMember): boolean => !paired.has(member)
  return {
    place,
    removed: removed.filter(isLeft),
    added: added.filter(isLeft),
  }
}

/** How often one old and one new name have the same value. */
interface RenameVotes {
  readonly from: string
  readonly to: string
  readonly values: Set<string>
  equal: number
  seen: number
  distinctive: boolean
}

/** The most votes first. */
function countVotes(group: readonly OneSidedMembers[]): readonly RenameVotes[] {
  const table = new Map<string, RenameVotes>()
  for (const { place, removed, added } of group) {
    // Only a name that one side never uses can have been replaced.
    const fresh = added.filter(({ key }) => isAbsent(place.shapeA(), key))
    for (const { key: from, value } of removed.filter(({ key }) =>
      isAbsent(place.shapeB(), key),
    )) {
      for (const { key: to, value: other } of fresh) {
        const none = {
          from,
          to,
          values: new Set<string>(),
          equal: 0,
          seen: 0,
          distinctive: false,
        }
        const votes = getOrAdd(table, JSON.stringify([from, to]), () => none)
        votes.seen += 1
        const text = canonicalText(value)
        if (text !== canonicalText(other)) continue
        votes.equal += 1
        votes.values.add(text)
        votes.distinctive ||= isTelling(value) && isTelling(other)
      }
    }
  }
  return [...table.values()].sort((a, b) => b.equal - a.equal)
}

/** The strongest candidate for each old name; a new name is given once. */
function bestNames(candidates: readonly RenameVotes[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const given = new Set<string>()
  for (const { from, to, values, equal, seen, distinctive } of candidates) {
    const isProven = (distinctive || values.size > 1) && equal * 2 >= seen
    if (!isProven || names.has(from) || given.has(to)) continue
    names.set(from, to)
    given.add(to)
  }
  return names
}

function emitRemoved({ key, value: before }: JsonMember, place: TreePosition): void {
  const path = memberPath(place.path, key)
  // Only formatversion 1 says no by absence.
  const isAlwaysThere =
    before.kind === 'literal' || !isFlag(before) || isOnEveryAnswer(path)
  const required = isRequired(place.shapeA(), key) && isAlwaysThere
  const note = samplesNote(place, key)
  if (isOfTitles(path)) emitTitles('items.fewer', before, path, place)
  else if (isFlag(before) && isInDictionary(path)) emitPresence(path, { before }, place)
  else if (isAbsent(place.shapeB(), key)) {
    const scope = isOnEveryAnswer(path) ? { scope: '*' } : {}
    place.emit(
      'field.removed',
      {
        ...scope,
        before,
        note,
        other: !required,
      },
      path,
    )
  } else if (required) place.emit('field.became-optional', { before, note }, path)
  else emitPresence(path, { before }, place)
}

function emitAdded({ key, value: after }: JsonMember, place: TreePosition): void {
  const path = memberPath(place.path, key)
  const note = samplesNote(place, key)
  if (isOfTitles(path)) emitTitles('items.more', after, path, place)
  else if (isFlag(after) && isInDictionary(path)) emitPresence(path, { after }, place)
  else if (isAbsent(place.shapeA(), key))
    place.emit(
      'field.added',
      isOnEveryAnswer(path) ? { after, scope: '*' } : { after, note },
      path,
    )
  else if (isRequired(place.shapeB(), key) && !isFlag(after))
    place.emit('field.became-present', { after, note }, path)
  else emitPresence(path, { after }, place)
}

/** What became of the titles that the request names: there if any of them is a redirect, or spelled otherwise. */
const isOfTitles = (path: Path): boolean =>
  /^query\.(?:redirects|normalized|converted|interwiki)$/.test(templateOf(path))

function emitTitles(kind: Kind, list: JsonTree, path: Path, place: TreePosition): void {
  for (const item of itemsOf(list)) {
    const from = textOf(memberOf(item, 'from') ?? memberOf(item, 'title')) ?? ''
    const values = kind === 'items.fewer' ? { before: item } : { after: item }
    place.emit(kind, { ...values, other: true }, itemPath(path, `from=${from}`))
  }
}

/** Members that the main module puts at the top of every answer. */
const isOnEveryAnswer = (path: Path): boolean =>
  path.parent?.kind === 'root' &&
  ['batchcomplete', 'curtimestamp', 'servedby', 'limits'].includes(path.step)

/** A member that comes and goes on both sides: with the content, not with the version. */
const emitPresence = (path: Path, values: ChangeDetail, place: TreePosition): void =>
  place.emit(
    'value.changed',
    {
      ...values,
      note: 'comes and goes',
      other: true,
    },
    path,
  )

/** In how many samples a member is; empty if its place was never sampled. */
function samplesNote(place: TreePosition, key: string): Note {
  const a = place.shapeA()
  const b = place.shapeB()
  return a?.samples || b?.samples
    ? {
        from: `in ${presence(a, key)}`,
        to: presence(b, key),
      }
    : ''
}

/** Below this probability, an optional member that is never seen counts as gone. */
const maxChance = 0.05

/** Emits members that all comparable samples lost or won, once for each place and class of request. */
export function compareShapes(list: TreePosition): void {
  for (const variant of list.shapeA()?.items.keys() ?? []) {
    const place = list.item(
      itemPath(list.path, variant === '' ? '*' : variant, true),
      variant,
    )
    if (list.walk.isFirstTime(`sweep ${templateOf(place.path)} ${variant}`))
      compareMemberShapes(place)
  }
}

function compareMemberShapes(place: TreePosition): void {
  const shapeA = place.shapeA()
  const shapeB = place.shapeB()
  if (!shapeA || !shapeB) return
  for (const name of new Set([...shapeA.members.keys(), ...shapeB.members.keys()])) {
    const path = memberPath(place.path, name)
    if (isOptionalFlag(shapeA, name) && isOptionalFlag(shapeB, name)) continue
    const note = { from: presence(shapeA, name), to: presence(shapeB, name) }
    if (isAbsent(shapeA, name)) place.emit('field.added', { note }, path)
    else if (!isAbsent(shapeB, name)) compareMemberShapes(place.member(path, name))
    else if (
      isUnlikely(shapeA.members.get(name)?.samples ?? 0, shapeA.samples, shapeB.samples)
    )
      place.emit('field.removed', { note, other: !isRequired(shapeA, name) }, path)
  }
}

/** Absent, or in some samples as a mere flag: which of them are flagged is content. */
function isOptionalFlag(shape: SampleShape, name: string): boolean {
  const member = shape.members.get(name)
  return !member || (member.flags === member.samples && member.samples < shape.samples)
}

/** The chance that none of B's samples has what this share of A's samples had. */
const isUnlikely = (having: number, samplesA: number, samplesB: number): boolean =>
  (1 - having / samplesA) ** samplesB < maxChance

/** Emits members of B's item of types that no sample of A has. @param example an item of A, whose types need none */
export function compareNewTypes(
  item: JsonTree,
  example: JsonTree | undefined,
  place: TreePosition,
): void {
  if (item.kind !== 'object') return
  for (const { key, value } of item.members) {
    const path = memberPath(place.path, key)
    const other = memberOf(example, key)
    const at = place.member(path, key)
    if (value.kind === 'object') compareNewTypes(value, other, at)
    else if (value.kind !== 'array' && (!other || typeOf(value) !== typeOf(other)))
      compareNewType(value, at)
  }
}

function compareNewType(value: JsonTree, place: TreePosition): void {
  const path = place.path
  const shapeA = place.shapeA()
  const type = typeOf(value)
  const types = [...(shapeA?.types ?? [])]
  if (
    types.length === 0 ||
    types.includes(type) ||
    types.some((one) => one === 'array' || one === 'object')
  )
    return
  // Flags are spelled by the form of the answer, and settings are of any type.
  if (shapeA?.flags === shapeA?.samples || isInDictionary(path)) return
  const note = { from: types.sort().join(' or '), to: type }
  if (place.walk.isFirstTime(`type ${templateOf(path)} ${type}`))
    place.emit(type === 'null' ? 'field.nullable' : 'type.changed', {
      after: value,
      note,
    })
}
