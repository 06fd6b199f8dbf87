/** Members that stand under another parent of the same item, e.g. log details that went into `params`. */

import type { JsonMember, JsonTree } from '../../json/json-tree.ts'
import { grouped } from '../../text/group-by.ts'
import { memberPath, type Path, writePath } from '../changes/path.ts'
import { canonicalText, isTelling } from './canonical-text.ts'
import { type Delta, unsampledPlace, type Walk } from './tree-walk.ts'

/** A member that may have moved, of the object itself or inside of another such member. */
interface Atom {
  readonly path: Path
  readonly text: string
  readonly key: string
  readonly value: JsonTree
  /** Levels below the member that is gone or new. */
  readonly level: number
}

/** How deep below a new or gone object a moved member is looked for. */
const depth = 2

/** Paths that moved away (`-`) or here (`+`), and those above them that moved in part. */
interface Taken {
  readonly whole: Set<string>
  readonly part: Set<string>
}

/** Tells moves and returns what is left; an object whose members all moved is not told by itself. */
export function foldMoves(deltas: readonly Delta[], walk: Walk): readonly Delta[] {
  const taken: Taken = { whole: new Set(), part: new Set() }
  for (const group of grouped(deltas, ({ place }) => itemOf(place.path)).values()) {
    if (!group.some((one) => one.removed.length > 0) || !group.some((one) => one.added.length > 0)) continue
    const gone = group.flatMap(({ place, removed }) => removed.flatMap((one) => atomsOf(one, place.path, 0)))
    const fresh = group.flatMap(({ place, added }) => added.flatMap((one) => atomsOf(one, place.path, 0)))
    for (const move of possibleMoves(gone, fresh)) tellMove(move, taken, walk)
  }
  return taken.whole.size === 0 ? deltas : deltas.flatMap((delta) => remainder(delta, taken))
}

function itemOf(path: Path): Path {
  let at = path
  while (at.kind === 'member' && at.parent !== undefined) at = at.parent
  return at
}

function atomsOf({ key, value }: JsonMember, parent: Path, level: number): readonly Atom[] {
  const path = memberPath(parent, key)
  const inside =
    level < depth && value.kind === 'object'
      ? value.members.flatMap((one) => atomsOf(one, path, level + 1))
      : []
  return [{ path, text: writePath(path), key, value, level }, ...inside]
}

interface Move {
  readonly from: Atom
  readonly to: Atom
}

/** Equal values under another parent; the likeliest first, and in an order that both directions share. */
function possibleMoves(gone: readonly Atom[], fresh: readonly Atom[]): readonly Move[] {
  const byValue = grouped(fresh, ({ value }) => canonicalText(value))
  const moves = gone.flatMap((from) =>
    (byValue.get(canonicalText(from.value)) ?? [])
      .filter((to) => isElsewhere(from.path, to.path) && isAlike(from, to))
      .map((to) => ({ from, to })),
  )
  return moves.sort(
    (a, b) => weight(a) - weight(b) || (pairText(a) < pairText(b) ? -1 : pairText(a) > pairText(b) ? 1 : 0),
  )
}

const isElsewhere = (a: Path, b: Path): boolean => writePath(a.parent ?? a) !== writePath(b.parent ?? b)
const isAlike = (a: Atom, b: Atom): boolean => a.key === b.key || (isTelling(a.value) && isTelling(b.value))

/** Under the same name before under another, wholes before their parts. */
const weight = ({ from, to }: Move): number =>
  from.level + to.level + (from.key === to.key ? 0 : 2 * depth + 1)
const pairText = ({ from, to }: Move): string => [from.text, to.text].sort().join(' ')

function tellMove({ from, to }: Move, taken: Taken, walk: Walk): void {
  if (isTaken(from.path, '-', taken) || isTaken(to.path, '+', taken)) return
  take(from.path, '-', taken)
  take(to.path, '+', taken)
  walk.emit('field.moved', from.path, { before: from.value, after: to.value, note: `→ ${to.text}` })
}

/** The member itself moved already, or what it is in, or a part of it. */
function isTaken(path: Path, mark: '-' | '+', taken: Taken): boolean {
  if (taken.part.has(mark + writePath(path))) return true
  for (let at: Path | undefined = path; at !== undefined; at = at.parent) {
    if (taken.whole.has(mark + writePath(at))) return true
  }
  return false
}

function take(path: Path, mark: '-' | '+', taken: Taken): void {
  taken.whole.add(mark + writePath(path))
  for (let at = path.parent; at !== undefined; at = at.parent) taken.part.add(mark + writePath(at))
}

/** What is left of a delta: members that did not move, and the unmoved parts of those that did in part. */
function remainder(delta: Delta, taken: Taken): readonly Delta[] {
  const parts: Delta[] = []
  const left = (members: readonly JsonMember[], mark: '-' | '+', path: Path): readonly JsonMember[] =>
    members.filter((member) => {
      const own = `${mark}${writePath(memberPath(path, member.key))}`
      if (taken.whole.has(own)) return false
      if (!taken.part.has(own)) return true
      const inside = member.value.kind === 'object' ? member.value.members : []
      const inner = memberPath(path, member.key)
      const rest = left(inside, mark, inner)
      const place = unsampledPlace(inner)
      parts.push({ place, removed: mark === '-' ? rest : [], added: mark === '+' ? rest : [] })
      return false
    })
  const { place } = delta
  const removed = left(delta.removed, '-', place.path)
  const added = left(delta.added, '+', place.path)
  return [{ place, removed, added }, ...parts]
}
