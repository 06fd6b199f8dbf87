/** Members that moved under another parent of the same item, e.g. log details that went into `params`. */
import { type JsonMember, type JsonTree, membersOf } from '../../json/json-tree.ts'
import { groupBy } from '../../text/group-by.ts'
import { memberPath, type Path, writePath } from '../changes/path.ts'
import { canonicalText, isDistinctive } from './canonical-text.ts'
import { type OneSidedMembers, type TreeWalk, unsampledPosition } from './tree-walk.ts'

/** A member that may have moved, of the object itself or inside of another such member. */
interface MoveCandidate {
  readonly path: Path
  readonly text: string
  readonly key: string
  readonly value: JsonTree
  /** Levels below the member that is gone or new. */
  readonly level: number
}

/** Levels below a new or gone object in which a moved member is searched. */
const maxMoveDepth = 2

/** Paths that moved away (`-`) or here (`+`), and the paths above them, which moved in part. */
interface MovedPaths {
  readonly whole: Set<string>
  readonly part: Set<string>
}

/** Emits moves and returns what is left; an object whose members all moved is no change of its own. */
export function extractMoves(
  deferred: readonly OneSidedMembers[],
  walk: TreeWalk,
): readonly OneSidedMembers[] {
  const moved: MovedPaths = { whole: new Set(), part: new Set() }
  for (const group of groupBy(deferred, ({ place }) => itemOf(place.path)).values()) {
    const gone = group.flatMap(({ place, removed }) => candidatesIn(removed, place.path))
    const fresh = group.flatMap(({ place, added }) => candidatesIn(added, place.path))
    for (const move of possibleMoves(gone, fresh)) emitMove(move, moved, walk)
  }
  return moved.whole.size === 0 ? deferred : deferred.flatMap((one) => remainder(one, moved))
}

function itemOf(path: Path): Path {
  let at = path
  while (at.kind === 'member' && at.parent !== undefined) at = at.parent
  return at
}

const candidatesIn = (members: readonly JsonMember[], parent: Path, level = 0): readonly MoveCandidate[] =>
  members.flatMap(({ key, value }) => {
    const path = memberPath(parent, key)
    const isOpen = level < maxMoveDepth && value.kind === 'object'
    const inside = isOpen ? candidatesIn(value.members, path, level + 1) : []
    return [{ path, text: writePath(path), key, value, level }, ...inside]
  })

interface Move {
  readonly from: MoveCandidate
  readonly to: MoveCandidate
}

/** Equal values under another parent; the likeliest first, and in an order that both directions share. */
function possibleMoves(gone: readonly MoveCandidate[], fresh: readonly MoveCandidate[]): readonly Move[] {
  const byValue = groupBy(fresh, ({ value }) => canonicalText(value))
  const moves = gone.flatMap((from) =>
    (byValue.get(canonicalText(from.value)) ?? [])
      .filter((to) => haveOtherParents(from.path, to.path) && isAlike(from, to))
      .map((to) => ({ from, to })),
  )
  return moves.sort(
    (a, b) => weight(a) - weight(b) || (pairText(a) < pairText(b) ? -1 : pairText(a) > pairText(b) ? 1 : 0),
  )
}

const haveOtherParents = (a: Path, b: Path): boolean => writePath(a.parent ?? a) !== writePath(b.parent ?? b)
const isAlike = (a: MoveCandidate, b: MoveCandidate): boolean =>
  a.key === b.key || (isDistinctive(a.value) && isDistinctive(b.value))

/** Under the same name before under another, wholes before their parts. */
const weight = ({ from, to }: Move): number =>
  from.level + to.level + (from.key === to.key ? 0 : 2 * maxMoveDepth + 1)
const pairText = ({ from, to }: Move): string => [from.text, to.text].sort().join(' ')

function emitMove({ from, to }: Move, moved: MovedPaths, walk: TreeWalk): void {
  if (isMoved(from.path, '-', moved) || isMoved(to.path, '+', moved)) return
  markMoved(from.path, '-', moved)
  markMoved(to.path, '+', moved)
  walk.emit('field.moved', from.path, { before: from.value, after: to.value, note: `→ ${to.text}` })
}

/** The member itself moved already, or what it is in, or a part of it. */
function isMoved(path: Path, mark: '-' | '+', moved: MovedPaths): boolean {
  if (moved.part.has(mark + writePath(path))) return true
  for (let at: Path | undefined = path; at !== undefined; at = at.parent) {
    if (moved.whole.has(mark + writePath(at))) return true
  }
  return false
}

function markMoved(path: Path, mark: '-' | '+', moved: MovedPaths): void {
  moved.whole.add(mark + writePath(path))
  for (let at = path.parent; at !== undefined; at = at.parent) moved.part.add(mark + writePath(at))
}

/** The members that did not move, and the unmoved parts of those that moved in part. */
function remainder(
  { place, removed, added }: OneSidedMembers,
  moved: MovedPaths,
): readonly OneSidedMembers[] {
  const parts: OneSidedMembers[] = []
  const left = (members: readonly JsonMember[], mark: '-' | '+', parent: Path): readonly JsonMember[] =>
    members.filter(({ key, value }) => {
      const path = memberPath(parent, key)
      const text = mark + writePath(path)
      if (moved.whole.has(text)) return false
      if (!moved.part.has(text)) return true
      const rest = left(membersOf(value), mark, path)
      const inner = unsampledPosition(path)
      parts.push({ place: inner, removed: mark === '-' ? rest : [], added: mark === '+' ? rest : [] })
      return false
    })
  const rest = { place, removed: left(removed, '-', place.path), added: left(added, '+', place.path) }
  return [rest, ...parts]
}
