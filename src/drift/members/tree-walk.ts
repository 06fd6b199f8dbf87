/** What the parts of the comparison of two answers share while they walk both trees together. */
import type { JsonTree } from '../../json/json-tree.ts'
import type { Kind } from '../changes/kinds.ts'
import { type Path, rootPath } from '../changes/path.ts'
import type { SampleShape } from './sample-shape.ts'

/** A place in both trees; the shapes are undefined where a side was never sampled there. */
export interface TreePosition {
  readonly path: Path
  readonly shapeA: SampleShape | undefined
  readonly shapeB: SampleShape | undefined
}

/** What a change says beyond its kind and place. */
export interface ChangeDetail {
  readonly before?: JsonTree | undefined
  readonly after?: JsonTree | undefined
  readonly note?: string
  /** Takes the other rating of the kind's rule. */
  readonly other?: boolean
  /** What tells groups apart besides kind and place, e.g. an error's code. */
  readonly mark?: string
  /** `*` where one cause shows in requests of every class. */
  readonly scope?: string
}

/** Members that only one of two aligned objects has. */
export interface OneSidedMembers {
  readonly position: TreePosition
  readonly removed: readonly { readonly key: string; readonly value: JsonTree }[]
  readonly added: readonly { readonly key: string; readonly value: JsonTree }[]
}

export interface TreeWalk {
  /** Compares what stands at one place; all of the engine's rules start here. */
  descend(a: JsonTree, b: JsonTree, position: TreePosition): void
  emit(kind: Kind, path: Path, detail: ChangeDetail): void
  /** Held back until the whole answer is seen: renames and moves need both ends. */
  deferMembers(deferMembers: OneSidedMembers): void
  /** The text without what belongs to the side itself, such as its own host and port. */
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
  /** True once for each name: what is told of a place as a whole is told once. */
  isFirstTime(name: string): boolean
}

/** The place of a whole answer; shapes are worked out when the first of them is asked for. */
export const rootPosition = (
  shapeA: () => SampleShape | undefined,
  shapeB: () => SampleShape | undefined,
): TreePosition => ({
  path: rootPath,
  get shapeA() {
    return shapeA()
  },
  get shapeB() {
    return shapeB()
  },
})

/** A place that no sample is known of. */
export const unsampledPosition = (path: Path): TreePosition => ({
  path,
  shapeA: undefined,
  shapeB: undefined,
})

/** Shapes are looked up only where a member is missing, which is seldom. */
const innerPosition = (
  parent: TreePosition,
  path: Path,
  step: string,
  within: 'members' | 'items',
): TreePosition => ({
  path,
  get shapeA() {
    return parent.shapeA?.[within].get(step)
  },
  get shapeB() {
    return parent.shapeB?.[within].get(step)
  },
})

export const memberPosition = (position: TreePosition, path: Path, key: string): TreePosition =>
  innerPosition(position, path, key, 'members')

export const itemPosition = (position: TreePosition, path: Path, variant: string): TreePosition =>
  innerPosition(position, path, variant, 'items')
