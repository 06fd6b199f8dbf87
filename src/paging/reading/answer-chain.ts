/**
 * Batches of a generator whose props took several answers: all of them repeat the pages, each carries a part of
 * what the props say. Put together they are the answer that a higher limit of the props would have given.
 */

import {
  type JsonMember,
  type JsonTree,
  memberOf,
  membersOf,
  objectOf,
  sameTree,
  textOf,
} from '../../json/json-tree.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { asSent, type Batch, cursorPlace, placeAfter } from './batch.ts'
import type { Cursor, ListingRequest } from './listing-request.ts'
import type { Row } from './row.ts'
import { coreOf, headOf, isOnlyPages } from './split-answer.ts'

/** Answers of which each goes on inside of a generator's batch, or began there: one batch of each whole chain of them. */
export function assemble(batches: readonly Batch[]): readonly Batch[] {
  const inner = new Map(batches.map((batch) => [chainName(batch, batch.request.inner), batch]))
  return batches.flatMap((batch) => {
    if (batch.request.inner.size > 0) return []
    const chain = follow(batch, inner)
    return (chain && joinChain(chain)) ?? []
  })
}

const chainName = ({ request, at }: Batch, inner: Cursor): string =>
  JSON.stringify([at, request.limit.sent, request.dialect === 'raw', cursorPlace(inner)])

/** The answers of one generator batch in their order; undefined where the last is not recorded. */
function follow(first: Batch, inner: ReadonlyMap<string, Batch>): readonly [Batch, ...Batch[]] | undefined {
  const chain: [Batch, ...Batch[]] = [first]
  for (let at = first; at.cut.inner !== undefined; ) {
    const next = inner.get(chainName(first, asSent(at.cut.inner)))
    if (next === undefined || chain.includes(next)) return undefined
    chain.push(next)
    at = next
  }
  return chain
}

function joinChain(chain: readonly [Batch, ...Batch[]]): Batch | undefined {
  const [first] = chain
  const last = chain.at(-1) ?? first
  const { rows } = first.cut
  const repeated = chain.every(({ cut }) => {
    return cut.rows.length === rows.length && rows.every((row, at) => samePage(row, cut.rows[at]))
  })
  if (!repeated) return undefined
  const before = precedence(chain)
  const whole = rows.map((row, at) => ({
    ...row,
    item: chain.reduce((page, { cut }) => addPart(page, cut.rows[at]?.item, before), row.item),
  }))
  const cut = { ...last.cut, frame: wholeFrame(first, last), rows: whole, inner: undefined }
  return { ...first, cut, to: placeAfter(cut), parts: chain }
}

/** The head of the last answer, which completes the batch, and what stands around the pages of the first, in which all modules ran. */
const wholeFrame = (first: Batch, last: Batch): JsonTree =>
  objectOf([...headOf(last.cut.frame), ...coreOf(first.cut.frame)])

/**
 * True where answers that go on inside of a batch have the same around their pages as its first one: modules that were
 * done with that one (`meta=userinfo`) are not in them.
 */
export function repeatsSurroundings(batches: readonly Batch[]): boolean {
  if (batches.every(({ cut }) => isOnlyPages(coreOf(cut.frame)))) return true
  const chains = batches.flatMap(({ parts }) => (parts === undefined ? [] : [parts]))
  const around = ({ cut }: Batch): JsonTree => objectOf(coreOf(cut.frame))
  return (
    chains.length > 0 &&
    chains.every((parts) => parts.every((part) => sameTree(around(part), around(parts[0] ?? part))))
  )
}

const samePage = (a: Row, b: Row | undefined): boolean =>
  a.slot === b?.slot && textOf(memberOf(a.item, 'title')) === textOf(memberOf(b.item, 'title'))

/** Pairs of members of a page that were seen in this order. */
function precedence(chain: readonly Batch[]): ReadonlySet<string> {
  const pages = chain.flatMap(({ cut }) => cut.rows.map(({ item }) => membersOf(item)))
  const pairs = pages.flatMap((members) =>
    members.flatMap(({ key }, at) => members.slice(at + 1).map((later) => `${key}\n${later.key}`)),
  )
  return new Set(pairs)
}

/** A page with what a later answer says of it: arrays grow, new members come where other pages have them. */
function addPart(page: JsonTree, part: JsonTree | undefined, before: ReadonlySet<string>): JsonTree {
  if (part === undefined || part === page) return page
  const members: JsonMember[] = [...membersOf(page)]
  for (const { key, value } of membersOf(part)) {
    const at = members.findIndex((member) => member.key === key)
    const held = members[at]
    if (held === undefined) {
      const follower = members.findIndex((member) => before.has(`${key}\n${member.key}`))
      members.splice(follower < 0 ? members.length : follower, 0, { key, value })
    } else if (held.value.kind === 'array' && value.kind === 'array' && !baseMembers.has(key)) {
      members[at] = { key, value: { kind: 'array', items: [...held.value.items, ...value.items] } }
    }
  }
  return objectOf(members)
}

const baseMembers: ReadonlySet<string> = new Set(['pageid', 'ns', 'title'])

/** A prop of a generator with a limit of its own. */
export interface LimitedProp {
  readonly module: string
  /** Prefix of its parameters. */
  readonly prefix: string
  readonly rows: number
}

export function limitedProps({ params }: ListingRequest, lookup: ModuleLookup): readonly LimitedProp[] {
  return splitValues(params.get('prop') ?? '').flatMap((module) => {
    const description = lookup(`query+${module}`)
    const limit = description?.parameters.get('limit')
    if (description === undefined || limit === undefined) return []
    const sent = params.get(`${description.prefix}limit`) ?? limit.default ?? '0'
    const asked = sent === 'max' ? (limit.max ?? 0) : Number(sent)
    return [{ module, prefix: description.prefix, rows: Math.min(asked, limit.max ?? asked) }]
  })
}

/**
 * True where the props of these pages fit into one answer, so that no `continue` inside the batch comes about.
 * @param except a prop that need not fit
 */
export function propsFit(
  request: ListingRequest,
  rows: readonly Row[],
  recorded: readonly Batch[],
  lookup: ModuleLookup,
  except?: string,
): boolean {
  if (request.driver.kind !== 'generator') return true
  return limitedProps(request, lookup).every(({ module, rows: limit }) => {
    const count = countRows(rows, module)
    // Some limits are for each page, some only known to the wiki: what one answer has held, another will hold. Pages
    // without any rows of the prop show no room for some.
    const heldAsMuch = ({ parts, cut }: Batch): boolean =>
      parts === undefined &&
      countRows(cut.rows, module) >= count &&
      (hasRows(cut.rows, module) || !hasRows(rows, module))
    return module === except || count <= limit || recorded.some(heldAsMuch)
  })
}

const hasRows = (rows: readonly Row[], module: string): boolean =>
  rows.some((row) => memberOf(row.item, module) !== undefined)

/** Rows that a prop has on these pages; as many as there are pages where it does not keep rows in an array. */
function countRows(rows: readonly Row[], module: string): number {
  const held = rows.map((row) => memberOf(row.item, module))
  if (!held.some((value) => value?.kind === 'array')) return held.length
  return held.reduce((sum, value) => sum + (value?.kind === 'array' ? value.items.length : 0), 0)
}
