/** The walk through two answers to one request: its place, what is known of both sides, and the changes found. */
import type { JsonMember, JsonTree } from '../../recorder/json/json-tree.ts'
import {
  type Change,
  type ChangeDetail,
  fieldOf,
  newChange,
  type Path,
  type RequestRef
} from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { fields } from '../content/field-names.ts'
import { restRouteOf, type StripOwnHost } from '../inputs/cassette-side.ts'
import { SampleShape } from './sample-shape.ts'

type LazyShape = () => SampleShape
const unseen = new SampleShape()

/** A place in both trees. Its shapes, empty if a side was never sampled there, are seldom looked up. */
export class TreePosition {
  readonly path: Path
  readonly walk: TreeWalk
  readonly shapeA: LazyShape
  readonly shapeB: LazyShape

  constructor(
    path: Path,
    walk: TreeWalk,
    shapeA: LazyShape = () => unseen,
    shapeB: LazyShape = () => unseen
  ) {
    this.path = path
    this.walk = walk
    this.shapeA = shapeA
    this.shapeB = shapeB
  }

  /** @param path of what changed at or below this place */
  emit(kind: Kind, detail: ChangeDetail, path: Path = this.path): void {
    this.walk.emit(kind, path, detail)
  }

  /** Compares the values at this place. */
  compare(a: JsonTree, b: JsonTree): void {
    this.walk.compare(a, b, this)
  }

  member(path: Path, key: string): TreePosition {
    return this.#inner(path, ({ members }) => members.get(key))
  }

  item(path: Path, variant: string): TreePosition {
    return this.#inner(path, ({ items }) => items.get(variant))
  }

  #inner(path: Path, pick: (shape: SampleShape) => SampleShape | undefined) {
    return new TreePosition(
      path,
      this.walk,
      () => pick(this.shapeA()) ?? unseen,
      () => pick(this.shapeB()) ?? unseen
    )
  }
}

/** Members that only one of two aligned objects has. */
export interface OneSidedMembers {
  readonly place: TreePosition
  readonly removed: readonly JsonMember[]
  readonly added: readonly JsonMember[]
}

/** What is known of both sides beyond the two answers. */
export interface AnswerContext {
  readonly requestRef: RequestRef
  /** What the answers of this class of requests have in common, on each side. */
  readonly shapeA: LazyShape
  readonly shapeB: LazyShape
  readonly stripHostA: StripOwnHost
  readonly stripHostB: StripOwnHost
  /** The two requests ask for different encodings (formatversion), so flags will be spelled differently. */
  readonly encodingDiffers: boolean
  /** Where items are that are compared as a whole listing. */
  readonly listingPath: readonly string[] | undefined
  /** Both sides are one wiki, by its id or else its address. */
  readonly isSameWiki: boolean
  /** True if the two wikis give the same pages other ids. */
  readonly renumbered: () => boolean
  /** What was emitted already for this class of requests, by name. */
  readonly emittedNames: Set<string>
}

export class TreeWalk {
  readonly context: AnswerContext
  readonly changes: Change[] = []
  /** Kept until the whole answer is walked: renames and moves need both ends. */
  readonly deferred: OneSidedMembers[] = []
  /** The entry to all rules: compares the values at one place. */
  readonly compare: (a: JsonTree, b: JsonTree, place: TreePosition) => void
  /** Whether A's and B's answers say that there is more. */
  hasMoreA = false
  hasMoreB = false
  /** True for answers of rest.php. */
  readonly isRest: boolean
  /** True if the request names a page by a number that is another page on the other side. */
  aboutOtherPage = false

  constructor(context: AnswerContext, compare: TreeWalk['compare']) {
    this.context = context
    this.compare = compare
    this.isRest = restRouteOf(context.requestRef.request) !== undefined
  }

  emit(kind: Kind, path: Path, detail: ChangeDetail): void {
    const isNull =
      /null/.test(kind) ||
      (typeof detail.note === 'object' && detail.note.from === 'null')
    const isByNature = this.isRest && isNull && fields.nullable.has(fieldOf(path))
    this.changes.push(
      newChange(isByNature ? 'value.changed' : kind, path, {
        requests: [this.context.requestRef],
        ...detail
      })
    )
  }

  /** True once for each name in a class of requests, for changes of a place as a whole. */
  isFirstTime(name: string): boolean {
    const names = this.context.emittedNames
    return names.size < names.add(name).size
  }
}
