/**
 * Walks: recorded batches that differ in nothing but where they begin, in their rows, and in where they go on. One of
 * them is looked at as closely as any other answer; the others are put together with it, into one long batch.
 */
import { chainsOf, type Family, ListRow, type Member, startOf, WalkStep } from '../cassette/families.ts'
import type { Interaction } from '../cassette/interaction.ts'
import { heldTree } from '../json/held.ts'
import { isObject } from '../wiki/decode.ts'
import { grouped } from './grouped.ts'
import { type Batch, cursorPlace, isFull, type Step } from './reading/batch.ts'
import { groupMember, type Row } from './reading/row.ts'
import { isAllLinks } from './reading/unusable.ts'

/** The batches of a family, as long as they can be. @param read reads one recording by itself */
export function batchesOf(
  { interaction, members }: Family,
  read: (interaction: Interaction) => Batch | undefined,
): readonly Batch[] {
  const batch = read(interaction)
  const readAll = (all: readonly Member[]) => all.flatMap((one) => read(one.interaction) ?? [])
  if (batch === undefined || !isWalked(batch, members))
    return [...(batch === undefined ? [] : [batch]), ...readAll(members.slice(1))]
  const byKind = grouped(members, ({ onward }) => isLike(batch, onward.rows))
  const chains = chainsOf(byKind.get(true) ?? [])
  return [...chains.map((chain) => longBatch(batch, chain)), ...readAll(byKind.get(false) ?? [])]
}

/** True for a full batch of a plain list whose one continuation parameter names a place rather than counting rows. */
function isWalked(batch: Batch, [first, second]: readonly Member[]): boolean {
  const { request, cut } = batch
  const param = first?.onward.param ?? ''
  return (
    second !== undefined &&
    request.driver.kind === 'list' &&
    !isAllLinks(request.driver) &&
    request.limit.kind === 'number' &&
    !param.endsWith('offset') &&
    request.cursor.has(param) &&
    request.cursor.size === 1 &&
    request.inner.size === 0 &&
    cut.inner === undefined &&
    isFull(batch) &&
    cut.rows.every((row) => row.page === undefined)
  )
}

/** True for as many rows as that batch has, which are not gathered under their pages either. */
const isLike = ({ allowed }: Batch, rows: readonly unknown[]): boolean =>
  rows.length === allowed && !rows.some((row) => isObject(row) && Array.isArray(row[groupMember()]))

function longBatch(like: Batch, chain: readonly [Member, ...Member[]]): Batch {
  const [first] = chain
  const { key, request } = first.interaction
  const cursor = new Map([[first.onward.param, startOf(first)]])
  const start = cursorPlace(cursor)
  const rows: Row[] = []
  const steps: Step[] = []
  let values = like.cut.next?.values
  let to = start
  for (const one of chain) {
    const step = new WalkStep(one, to, cursorPlace([[one.onward.param, String(one.onward.value)]]))
    for (const row of one.onward.rows)
      rows.push(isObject(row) ? new ListRow(row, step) : { item: heldTree(row), slot: '' })
    steps.push(step)
    ;({ to, values } = step)
  }
  const next = values && { values, companion: like.cut.next?.companion }
  return {
    ...like,
    key,
    request: { ...like.request, cursor, params: request },
    cut: { ...like.cut, rows, next },
    at: start,
    to,
    steps,
  }
}
