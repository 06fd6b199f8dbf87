/** The walk through two trees together: its place, and the port by which all rules emit their changes. */
import type { JsonMember, JsonTree } from '../../json/json-tree.ts'
import type { ChangeDetail } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { type Path, rootPath } from '../changes/path.ts'
import type { SampleShape } from './sample-shape.ts'

/** A place in both trees; the shapes are undefined where a side was never sampled there. */
export interface TreePosition {
  readonly path: Path
  readonly shapeA: SampleShape | undefined
  readonly shapeB: SampleShape | undefined
}

/** Members that only one of two aligned objects has. */
export interface OneSidedMembers {
  readonly place: TreePosition
  readonly removed: readonly JsonMember[]
  readonly added: readonly JsonMember[]
}

export interface TreeWalk {
  /** Compares the values at one place; the entry to all rules. */
  descend(a: JsonTree, b: JsonTree, place: TreePosition): void
  emit(kind: Kind, path: Path, detail: ChangeDetail): void
  /** Keeps members until the whole answer is walked: renames and moves need both ends. */
  deferMembers(members: OneSidedMembers): void
  /** The text without the side's own host and port. */
  stripHostA(text: string): string
  stripHostB(text: string): string
  /** True where the request names the items of `query.pages`. */
  readonly namesItems: boolean
  /** True where the two wikis give the same pages other ids. */
  renumbered(): boolean
  /** True where the request names a page by a number that is another page on the other side. */
  readonly aboutOtherPage: boolean
  /** Whether A's and B's answers say that there is more. */
  readonly hasMoreA: boolean
  readonly hasMoreB: boolean
  /** True once for each name in a class of requests, for changes of a place as a whole. */
  isFirstTime(name: string): boolean
}

/** Shapes are looked up only where a member is missing, which is seldom. */
const positionAt = (path: Path, shapeA: LazyShape, shapeB: LazyShape): TreePosition => ({
  path,
  get shapeA() {
    return shapeA()
  },
  get shapeB() {
    return shapeB()
  },
})
type LazyShape = () => SampleShape | undefined

/**
 * The place of a whole answer.
 * @param touched whether what it is about is in another state; undefined where nothing shows it
 */
export const rootPosition = (shapeA: LazyShape, shapeB: LazyShape, touched?: boolean): TreePosition =>
  positionAt(touched === undefined ? rootPath : { ...rootPath, touched }, shapeA, shapeB)

/** A place that no sample is known of. */
export const unsampledPosition = (path: Path): TreePosition => ({
  path,
  shapeA: undefined,
  shapeB: undefined,
})

export const memberPosition = (parent: TreePosition, path: Path, key: string): TreePosition =>
  positionAt(
    path,
    () => parent.shapeA?.members.get(key),
    () => parent.shapeB?.members.get(key),
  )

export const itemPosition = (parent: TreePosition, path: Path, variant: string): TreePosition =>
  positionAt(
    path,
    () => parent.shapeA?.items.get(variant),
    () => parent.shapeB?.items.get(variant),
  )
