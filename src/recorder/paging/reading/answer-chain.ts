/** Chains of answers: a generator's batch whose props took several, joined to what a higher limit would have given. */
import {
  hasMember,
  type JsonTree,
  jsonArray,
  memberOf,
  membersOf,
  objectOf,
  sameTree,
  textAt
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'
import {
  type Batch,
  type Batches,
  cursorFrom,
  cursorPosition,
  positionAfter
} from './batch.ts'
import { isCostly, namesOnePage } from './driver.ts'
import { sentLimit } from './limits.ts'
import type { ContinueCursor, ListingRequest } from './listing-request.ts'
import type { ListingRows } from './row.ts'
import { coreOf, headOf, isOnlyPages, withHead } from './split-answer.ts'

export function joinChains(
  batches: readonly Batch[],
  lookup: ModuleLookup
): readonly Batch[] {
  const inner = new Map(
    batches.map((batch) => [chainName(batch, batch.request.inner), batch])
  )
  return batches.flatMap((batch) => {
    if (batch.request.inner.size > 0) return []
    const chain = follow(batch, inner)
    return (chain && joinChain(chain, lookup)) ?? []
  })
}

const chainName = ({ request, startsAt }: Batch, inner: ContinueCursor) =>
  JSON.stringify([
    startsAt,
    request.limit.sent,
    request.dialect === 'raw',
    cursorPosition(inner)
  ])

/** The answers of one generator batch in their order; undefined where the last is not recorded. */
function follow(first: Batch, inner: ReadonlyMap<string, Batch>) {
  const chain: [Batch, ...Batch[]] = [first]
  for (let at = first; at.answer.inner; ) {
    const next = inner.get(chainName(first, cursorFrom(at.answer.inner)))
    if (!next || chain.includes(next)) return undefined
    chain.push(next)
    at = next
  }
  return chain
}

function joinChain(chain: Batches, lookup: ModuleLookup) {
  const [first] = chain
  const last = chain.at(-1) ?? first
  const { rows } = first.answer
  const isRepeated = chain.every(
    ({ answer }) =>
      answer.rows.length === rows.length &&
      rows.every(({ slot, item }, at) => {
        const other = answer.rows[at]
        return (
          slot === other?.slot && textAt(item, 'title') === textAt(other.item, 'title')
        )
      })
  )
  if (!isRepeated) return undefined
  const before = precedence(chain)
  const whole = rows.map((row, at) => ({
    ...row,
    item: chain.reduce(
      (page, { answer, request }) =>
        addPart(page, answer.rows[at]?.item, before, repeatedProps(request, lookup)),
      row.item
    )
  }))
  // The head of the last answer completes the batch; all modules ran for the first answer.
  const core = coreOf(first.answer.frame)
  const { frame: end } = last.answer
  const frame = withHead(headOf(end), core, end) ?? objectOf(core)
  const answer = { ...last.answer, frame, rows: whole, inner: undefined }
  const continuesAt = positionAfter(answer, first.request, first.allowedRows)
  return { ...first, answer, continuesAt, answers: chain }
}

/** True where later answers repeat the members around the pages: no module (`meta=userinfo`) finished with the first. */
export function repeatsSurroundings(batches: readonly Batch[]): boolean {
  if (batches.every(({ answer }) => isOnlyPages(coreOf(answer.frame)))) return true
  const chains = batches.flatMap(({ answers }) => (answers ? [answers] : []))
  const around = chains.map((answers) =>
    answers.map(({ answer }) => objectOf(coreOf(answer.frame)))
  )
  return (
    chains.length > 0 &&
    around.every(([first, ...others]) =>
      others.every((one) => sameTree(one, first ?? one))
    )
  )
}

/** Pairs of members that some page has in this order. */
function precedence(chain: readonly Batch[]) {
  const rows = chain.flatMap(({ answer }) => answer.rows)
  const pairs = rows.flatMap(({ item }) =>
    membersOf(item).flatMap(({ key }, at, members) =>
      members.slice(at + 1).map((later) => `${key}\n${later.key}`)
    )
  )
  return new Set(pairs)
}

/** With `rawcontinue` each answer has all props: those that it does not continue begin anew. */
function repeatedProps({ params, dialect, inner }: ListingRequest, lookup: ModuleLookup) {
  const props = dialect === 'raw' ? valuesOf(params, 'prop') : []
  return props.filter((module) => {
    const { prefix, parameters } = lookup(`query+${module}`) ?? {}
    const continues = (name: string) =>
      prefix !== undefined &&
      name.startsWith(prefix) &&
      parameters?.has(name.slice(prefix.length)) === true
    return ![...inner.keys()].some(continues)
  })
}

/** A page joined with that of a later answer: arrays grow, new members find their place. @param repeated are skipped */
function addPart(
  page: JsonTree,
  later: JsonTree | undefined,
  before: ReadonlySet<string>,
  repeated: readonly string[]
) {
  if (!later || later === page) return page
  const members = [...membersOf(page)]
  for (const { key, value } of membersOf(later)) {
    if (repeated.includes(key)) continue
    const at = members.findIndex((member) => member.key === key)
    const existing = members[at]
    if (!existing) {
      const behind = members.findIndex((member) => before.has(`${key}\n${member.key}`))
      members.splice(behind < 0 ? members.length : behind, 0, { key, value })
    } else if (existing.value.kind === 'array' && value.kind === 'array') {
      members[at] = { key, value: jsonArray([...existing.value.items, ...value.items]) }
    }
  }
  return objectOf(members)
}

export interface LimitedProp {
  readonly module: string
  readonly prefix: string
  /** Rows that one answer has room for in any case. */
  readonly rows: number
  /** True where it has room for no more. */
  readonly isExact: boolean
}

export function limitedProps(
  { params, mayExceed }: ListingRequest,
  lookup: ModuleLookup
): readonly LimitedProp[] {
  return valuesOf(params, 'prop').flatMap((module) => {
    const description = lookup(`query+${module}`)
    const limit = description?.parameters.get('limit')
    if (!description || !limit) return []
    const { prefix } = description
    const sent = sentLimit(params, { module, prefix, description })
    const used = { module, prefix }
    const isNewest = hasQuirk('newest-of-each', module) && !namesOnePage(params, used)
    const wanted = sent === 'max' || isNewest ? (limit.max ?? 0) : Number(sent ?? 0)
    const rows = isCostly(params, used) ? 0 : Math.min(wanted, limit.max ?? wanted)
    // A user may have another maximum.
    const isExact =
      sent !== undefined && rows > 0 && (rows === Number(sent) || !mayExceed)
    return [{ module, prefix, rows, isExact }]
  })
}

/** True where the props of these pages fit into one answer without `continue`. @param except a prop that need not fit */
export function propsFit(
  request: ListingRequest,
  rows: ListingRows,
  recorded: readonly Batch[],
  lookup: ModuleLookup,
  except?: string
): boolean {
  if (request.driver.kind !== 'generator') return true
  return limitedProps(request, lookup).every(({ module, rows: limit }) => {
    const count = countRows(rows, module)
    // Some limits count per page, some only the wiki knows: what fitted into one answer fits into another. Pages
    // without rows of the prop prove no room for rows.
    const showedAsMany = ({ answers, answer }: Batch) =>
      !answers &&
      countRows(answer.rows, module) >= count &&
      (hasRows(answer.rows, module) || !hasRows(rows, module))
    return module === except || count <= limit || recorded.some(showedAsMany)
  })
}

const hasRows = (rows: ListingRows, module: string) =>
  rows.some((row) => hasMember(row.item, module))

/** Rows that a prop has on these pages; one a page where they are no array. */
function countRows(rows: ListingRows, module: string) {
  const arrays = rows.flatMap(({ item }) => {
    const value = memberOf(item, module)
    return value?.kind === 'array' ? [value.items.length] : []
  })
  return arrays.length === 0 ? rows.length : arrays.reduce((sum, count) => sum + count, 0)
}
