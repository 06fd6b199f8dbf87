/** Members that stand under another parent of the same item, e.g. log details that went into `params`. */
import type { JsonMember, JsonTree } from '../../json/tree.ts'
import { memberPath, type Path, writePath } from '../path.ts'
import { canonicalText, isTelling } from './canonical.ts'
import type { Delta, Walk } from './walk.ts'

/** A member that may have moved, with those inside of it. */
interface Atom {
  readonly path: Path
  readonly key: string
  readonly value: JsonTree
  readonly inside: readonly Atom[]
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
  for (const group of byItem(deltas).values()) {
    if (!group.some((one) => one.removed.length > 0) || !group.some((one) => one.added.length > 0)) continue
    const gone = group.flatMap(({ place, removed }) => removed.map((one) => atomOf(one, place.path, depth)))
    const fresh = group.flatMap(({ place, added }) => added.map((one) => atomOf(one, place.path, depth)))
    for (const atom of gone) matchAtom(atom, fresh, taken, walk)
  }
  return taken.whole.size === 0 ? deltas : deltas.flatMap((delta) => remainder(delta, taken))
}

function byItem(deltas: readonly Delta[]): ReadonlyMap<Path, readonly Delta[]> {
  const groups = new Map<Path, Delta[]>()
  for (const delta of deltas) {
    const item = itemOf(delta.place.path)
    groups.set(item, [...(groups.get(item) ?? []), delta])
  }
  return groups
}

function itemOf(path: Path): Path {
  let at = path
  while (at.kind === 'member' && at.parent !== undefined) at = at.parent
  return at
}

function atomOf({ key, value }: JsonMember, parent: Path, levels: number): Atom {
  const path = memberPath(parent, key)
  const inside =
    levels > 0 && value.kind === 'object' ? value.members.map((one) => atomOf(one, path, levels - 1)) : []
  return { path, key, value, inside }
}

/** The whole first; only where it is nowhere to be found, its parts. */
function matchAtom(atom: Atom, fresh: readonly Atom[], taken: Taken, walk: Walk): void {
  const target = findTarget(atom, fresh, taken)
  if (target === undefined) {
    for (const one of atom.inside) matchAtom(one, fresh, taken, walk)
    return
  }
  take(atom.path, '-', taken)
  take(target.path, '+', taken)
  const note = `→ ${writePath(target.path)}`
  walk.emit('field.moved', atom.path, { before: atom.value, after: target.value, note })
}

function take(path: Path, mark: '-' | '+', taken: Taken): void {
  taken.whole.add(mark + writePath(path))
  for (let at = path.parent; at !== undefined; at = at.parent) taken.part.add(mark + writePath(at))
}

function findTarget(atom: Atom, among: readonly Atom[], taken: Taken): Atom | undefined {
  const text = canonicalText(atom.value)
  for (const one of among) {
    if (taken.whole.has(`+${writePath(one.path)}`)) continue
    const isElsewhere = writePath(one.path.parent ?? one.path) !== writePath(atom.path.parent ?? atom.path)
    const isSame =
      canonicalText(one.value) === text &&
      (one.key === atom.key || (isTelling(atom.value) && isTelling(one.value)))
    if (isElsewhere && isSame) return one
    const inside = findTarget(atom, one.inside, taken)
    if (inside !== undefined) return inside
  }
  return undefined
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
      const place = { path: inner, shapeA: undefined, shapeB: undefined }
      parts.push({ place, removed: mark === '-' ? rest : [], added: mark === '+' ? rest : [] })
      return false
    })
  const { place } = delta
  const removed = left(delta.removed, '-', place.path)
  const added = left(delta.added, '+', place.path)
  return [{ place, removed, added }, ...parts]
}
