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
import { type Batch, cursorFrom, cursorPosition, positionAfter } from './batch.ts'
import type { ContinueCursor, ListingRequest } from './listing-request.ts'
import type { ListingRow } from './row.ts'
import { coreOf, headOf, isOnlyPages } from './split-answer.ts'

/** Answers of which each goes on inside of a generator's batch, or began there: one batch of each whole chain of them. */
export function joinChains(batches: readonly Batch[]): readonly Batch[] {
  const inner = new Map(batches.map((batch) => [chainName(batch, batch.request.inner), batch]))
  return batches.flatMap((batch) => {
    if (batch.request.inner.size > 0) return []
    const chain = follow(batch, inner)
    return (chain && joinChain(chain)) ?? []
  })
}

const chainName = ({ request, startsAt }: Batch, inner: ContinueCursor): string =>
  JSON.stringify([startsAt, request.limit.sent, request.dialect === 'raw', cursorPosition(inner)])

/** The answers of one generator batch in their order; undefined where the last is not recorded. */
function follow(first: Batch, inner: ReadonlyMap<string, Batch>): readonly [Batch, ...Batch[]] | undefined {
  const chain: [Batch, ...Batch[]] = [first]
  for (let at = first; at.answer.inner !== undefined; ) {
    const next = inner.get(chainName(first, cursorFrom(at.answer.inner)))
    if (next === undefined || chain.includes(next)) return undefined
    chain.push(next)
    at = next
  }
  return chain
}

function joinChain(chain: readonly [Batch, ...Batch[]]): Batch | undefined {
  const [first] = chain
  const last = chain.at(-1) ?? first
  const { rows } = first.answer
  const repeated = chain.every(({ answer }) => {
    return answer.rows.length === rows.length && rows.every((row, at) => samePage(row, answer.rows[at]))
  })
  if (!repeated) return undefined
  const before = precedence(chain)
  const whole = rows.map((row, at) => ({
    ...row,
    item: chain.reduce((page, { answer }) => addPart(page, answer.rows[at]?.item, before), row.item),
  }))
  const answer = { ...last.answer, frame: wholeFrame(first, last), rows: whole, inner: undefined }
  return { ...first, answer, continuesAt: positionAfter(answer), answers: chain }
}

/** The head of the last answer, which completes the batch, and what stands around the pages of the first, in which all modules ran. */
const wholeFrame = (first: Batch, last: Batch): JsonTree =>
  objectOf([...headOf(last.answer.frame), ...coreOf(first.answer.frame)])

/**
 * True where answers that go on inside of a batch have the same around their pages as its first one: modules that were
 * done with that one (`meta=userinfo`) are not in them.
 */
export function repeatsSurroundings(batches: readonly Batch[]): boolean {
  if (batches.every(({ answer }) => isOnlyPages(coreOf(answer.frame)))) return true
  const chains = batches.flatMap(({ answers }) => (answers === undefined ? [] : [answers]))
  const around = ({ answer }: Batch): JsonTree => objectOf(coreOf(answer.frame))
  return (
    chains.length > 0 &&
    chains.every((answers) =>
      answers.every((answer) => sameTree(around(answer), around(answers[0] ?? answer))),
    )
  )
}

const samePage = (a: ListingRow, b: ListingRow | undefined): boolean =>
  a.slot === b?.slot && textOf(memberOf(a.item, 'title')) === textOf(memberOf(b.item, 'title'))

/** Pairs of members of a page that were seen in this order. */
function precedence(chain: readonly Batch[]): ReadonlySet<string> {
  const pages = chain.flatMap(({ answer }) => answer.rows.map(({ item }) => membersOf(item)))
  const pairs = pages.flatMap((members) =>
    members.flatMap(({ key }, at) => members.slice(at + 1).map((later) => `${key}\n${later.key}`)),
  )
  return new Set(pairs)
}

/** A page with what a later answer says of it: arrays grow, new members come where other pages have them. */
function addPart(page: JsonTree, later: JsonTree | undefined, before: ReadonlySet<string>): JsonTree {
  if (later === undefined || later === page) return page
  const members: JsonMember[] = [...membersOf(page)]
  for (const { key, value } of membersOf(later)) {
    const at = members.findIndex((member) => member.key === key)
    const existing = members[at]
    if (existing === undefined) {
      const follower = members.findIndex((member) => before.has(`${key}\n${member.key}`))
      members.splice(follower < 0 ? members.length : follower, 0, { key, value })
    } else if (existing.value.kind === 'array' && value.kind === 'array' && !identityMembers.has(key)) {
      members[at] = { key, value: { kind: 'array', items: [...existing.value.items, ...value.items] } }
    }
  }
  return objectOf(members)
}

const identityMembers: ReadonlySet<string> = new Set(['pageid', 'ns', 'title'])

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
    const wanted = sent === 'max' ? (limit.max ?? 0) : Number(sent)
    return [{ module, prefix: description.prefix, rows: Math.min(wanted, limit.max ?? wanted) }]
  })
}

/**
 * True where the props of these pages fit into one answer, so that no `continue` inside the batch comes about.
 * @param except a prop that need not fit
 */
export function propsFit(
  request: ListingRequest,
  rows: readonly ListingRow[],
  recorded: readonly Batch[],
  lookup: ModuleLookup,
  except?: string,
): boolean {
  if (request.driver.kind !== 'generator') return true
  return limitedProps(request, lookup).every(({ module, rows: limit }) => {
    const count = countRows(rows, module)
    // Some limits are for each page, some only known to the wiki: what one answer has held, another will hold. Pages
    // without any rows of the prop show no room for some.
    const showedAsMany = ({ answers, answer }: Batch): boolean =>
      answers === undefined &&
      countRows(answer.rows, module) >= count &&
      (hasRows(answer.rows, module) || !hasRows(rows, module))
    return module === except || count <= limit || recorded.some(showedAsMany)
  })
}

const hasRows = (rows: readonly ListingRow[], module: string): boolean =>
  rows.some((row) => memberOf(row.item, module) !== undefined)

/** Rows that a prop has on these pages; as many as there are pages where it does not keep rows in an array. */
function countRows(rows: readonly ListingRow[], module: string): number {
  const members = rows.map((row) => memberOf(row.item, module))
  if (!members.some((value) => value?.kind === 'array')) return members.length
  return members.reduce((sum, value) => sum + (value?.kind === 'array' ? value.items.length : 0), 0)
}
