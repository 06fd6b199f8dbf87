/** The walk through two answers to one request: collects their changes, and the members that only one side has. */
import type { JsonTree } from '../../json/json-tree.ts'
import { type Change, type ChangeDetail, newChange, type RequestRef } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import type { Path } from '../changes/path.ts'
import { namesItems, namesNumbers } from '../inputs/cassette-side.ts'
import type { StripOwnHost } from '../inputs/strip-own-host.ts'
import { settleMembers } from '../members/one-sided-members.ts'
import type { SampleShape } from '../members/sample-shape.ts'
import type { OneSidedMembers, TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareTrees } from '../trees/compare-trees.ts'

/** What is known of both sides beyond the two answers. */
export interface AnswerContext {
  readonly requestRef: RequestRef
  /** What the answers of this class of requests have in common, on each side. */
  readonly shapeA: () => SampleShape | undefined
  readonly shapeB: () => SampleShape | undefined
  readonly stripHostA: StripOwnHost
  readonly stripHostB: StripOwnHost
  /** The two requests ask for different encodings (formatversion), so flags will be spelled differently. */
  readonly encodingDiffers: boolean
  /** Where items are that are compared as a whole listing. */
  readonly listingPath: readonly string[] | undefined
  /** True where the two wikis give the same pages other ids. */
  readonly renumbered: () => boolean
  /** What was emitted already for this class of requests, by name. */
  readonly emittedNames: Set<string>
}

export class AnswerWalk implements TreeWalk {
  readonly changes: Change[] = []
  readonly stripHostA: StripOwnHost
  readonly stripHostB: StripOwnHost
  readonly renumbered: () => boolean
  hasMoreA = false
  hasMoreB = false
  aboutOtherPage = false
  readonly #context: AnswerContext
  readonly #oneSided: OneSidedMembers[] = []
  #encodings = 0

  constructor(context: AnswerContext) {
    this.#context = context
    this.stripHostA = context.stripHostA
    this.stripHostB = context.stripHostB
    this.renumbered = context.renumbered
  }

  get namesItems(): boolean {
    const { request } = this.#context.requestRef
    return namesItems(request) && !(namesNumbers(request) && this.renumbered())
  }

  descend(a: JsonTree, b: JsonTree, place: TreePosition): void {
    compareTrees(a, b, place, this)
  }

  emit(kind: Kind, path: Path, detail: ChangeDetail): void {
    if (kind.startsWith('encoding.') && kind !== 'encoding.empty') this.#encodings += 1
    this.changes.push(newChange(kind, path, { requests: [this.#context.requestRef], ...detail }))
  }

  deferMembers(members: OneSidedMembers): void {
    if (members.removed.length + members.added.length > 0) this.#oneSided.push(members)
  }

  isFirstTime(name: string): boolean {
    const names = this.#context.emittedNames
    return names.size < names.add(name).size
  }

  /** Decides about deferred members; to be called once, at the end. */
  finish(): void {
    settleMembers(this.#oneSided, this, this.#context.encodingDiffers || this.#encodings > 0)
  }
}
