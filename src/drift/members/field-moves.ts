/** Members that moved under another parent of the same item, e.g. log details that went into `params`. */
import { type JsonMember, membersOf } from '../../recorder/json/json-tree.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { memberPath, type Path, turn, writePath } from '../changes/change.ts'
import { canonicalText, isTelling } from '../content/same-state.ts'
import { type OneSidedMembers, TreePosition } from './tree-walk.ts'

/** A member that may have moved, of the object itself or inside of another such member. */
interface MoveCandidate extends JsonMember {
  readonly path: Path
  readonly text: string
  /** Levels below the member that is gone or new. */
  readonly level: number
}

/** Levels below a new or gone object in which a moved member is searched. */
const maxMoveDepth = 2

/** Emits moves and returns what is left; an object whose members all moved is no change of its own. */
export const extractMoves = (
  deferred: readonly OneSidedMembers[]
): readonly OneSidedMembers[] =>
  [...groupBy(deferred, ({ place }) => itemOf(place.path)).values()].flatMap((group) => {
    const gone = group.flatMap(({ place, removed }) => candidatesIn(removed, place.path))
    const fresh = group.flatMap(({ place, added }) => candidatesIn(added, place.path))
    const moved: Moved = { gone: [], fresh: [] }
    for (const { from, to } of possibleMoves(gone, fresh)) {
      // The member itself moved already, or what it is in, or a part of it.
      if (moved.gone.some(isWithin(from.text)) || moved.fresh.some(isWithin(to.text)))
        continue
      moved.gone.push(from.text)
      moved.fresh.push(to.text)
      const detail = { before: from.value, after: to.value, note: turn('', to.text) }
      group[0].place.emit('field.moved', detail, from.path)
    }
    return moved.gone.length === 0 ? group : group.flatMap((one) => remainder(one, moved))
  })

type Moved = Readonly<Record<'gone' | 'fresh', string[]>>
const sideNames = { gone: 'removed', fresh: 'added' } as const

/** True for the path itself, one above it, and one below it. */
const isWithin = (a: string) => (b: string) =>
  a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

const itemOf = (path: Path): Path =>
  path.kind === 'member' && path.parent ? itemOf(path.parent) : path

const candidatesIn = (
  members: readonly JsonMember[],
  parent: Path,
  level = 0
): readonly MoveCandidate[] =>
  members.flatMap(({ key, value }) => {
    const path = memberPath(parent, key)
    const isOpen = level < maxMoveDepth && value.kind === 'object'
    const inside = isOpen ? candidatesIn(value.members, path, level + 1) : []
    return [{ path, text: writePath(path), key, value, level }, ...inside]
  })

type Move = Readonly<Record<'from' | 'to', MoveCandidate>>

/** Equal values under another parent; the likeliest first, and in an order that both directions share. */
function possibleMoves(gone: readonly MoveCandidate[], fresh: readonly MoveCandidate[]) {
  const byValue = groupBy(fresh, ({ value }) => canonicalText(value))
  const moves = gone.flatMap((from) =>
    (byValue.get(canonicalText(from.value)) ?? [])
      .filter((to) => haveOtherParents(from.path, to.path) && isAlike(from, to))
      .map((to) => ({ from, to }))
  )
  return moves.sort(
    (a, b) => weight(a) - weight(b) || (pairText(a) < pairText(b) ? -1 : 1)
  )
}

const haveOtherParents = (a: Path, b: Path) =>
  writePath(a.parent ?? a) !== writePath(b.parent ?? b)
const isAlike = (a: MoveCandidate, b: MoveCandidate) =>
  a.key === b.key || (isTelling(a.value) && isTelling(b.value))

/** Under the same name before under another, wholes before their parts. */
const weight = ({ from, to }: Move) =>
  from.level + to.level + (from.key === to.key ? 0 : 2 * maxMoveDepth + 1)
const pairText = ({ from, to }: Move) => [from.text, to.text].sort().join(' ')

/** The members that did not move, and the unmoved parts of those that moved in part. */
function remainder({ place, removed, added }: OneSidedMembers, moved: Moved) {
  const parts: OneSidedMembers[] = []
  const left = (members: readonly JsonMember[], side: keyof Moved, parent: Path) =>
    members.filter(({ key, value }) => {
      const path = memberPath(parent, key)
      const text = writePath(path)
      if (moved[side].includes(text)) return false
      if (!moved[side].some((one) => one.startsWith(`${text}.`))) return true
      const rest = left(membersOf(value), side, path)
      const found = { removed: [], added: [], [sideNames[side]]: rest }
      parts.push({ place: new TreePosition(path, place.walk), ...found })
      return false
    })
  const rest = {
    place,
    removed: left(removed, 'gone', place.path),
    added: left(added, 'fresh', place.path)
  }
  return [rest, ...parts]
}
