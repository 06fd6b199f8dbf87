/** Frames filled again with rows and continue values. */

import { type JsonTree, jsonObject, jsonString, memberOf, replaceAt, replaceMember } from '../../json/tree.ts'
import { grouped } from '../grouped.ts'
import { arrayHole, groupsHole, keysHole, type Next, rowsHole } from '../reading/cut.ts'
import type { Driver } from '../reading/driver.ts'
import { fillPage, groupRows, mapPages, type Row } from '../reading/row.ts'

/** Fills a frame again. `next` must be there exactly where the frame has a hole for it. */
export function fillFrame(
  frame: JsonTree,
  driver: Driver,
  rows: readonly Row[],
  next: Next | undefined,
  followers: ReadonlySet<string>,
): JsonTree {
  const filled = next === undefined ? frame : fillContinue(frame, driver, next)
  if (driver.kind === 'prop') return fillProp(filled, driver.module, rows, followers)
  return replaceHole(filled, rows, followers)
}

function fillContinue(frame: JsonTree, driver: Driver, { values, companion }: Next): JsonTree {
  const said = companion === undefined ? [] : [['continue', jsonString(companion)] as const]
  const modern = replaceMember(frame, 'continue', () => jsonObject([...values, ...said]))
  const legacy = jsonObject([[driver.module, jsonObject([...values])]])
  return replaceMember(modern, 'query-continue', () => legacy)
}

function fillProp(
  frame: JsonTree,
  module: string,
  rows: readonly Row[],
  followers: ReadonlySet<string>,
): JsonTree {
  const bySlot = grouped(rows, ({ slot }) => slot)
  const pages = memberOf(memberOf(frame, 'query'), 'pages')
  if (pages === undefined) return frame
  const fill = (page: JsonTree, at: number): JsonTree =>
    fillPage(page, module, bySlot.get(String(at)) ?? [], followers)
  return replaceAt(frame, ['query', 'pages'], mapPages(pages, fill))
}

function replaceHole(tree: JsonTree, rows: readonly Row[], followers: ReadonlySet<string>): JsonTree {
  if (tree === groupsHole) return { kind: 'array', items: groupRows(rows, followers) }
  if (tree === arrayHole) return { kind: 'array', items: rows.map((row) => row.item) }
  if (tree === keysHole) return { kind: 'array', items: rows.map((row) => jsonString(row.slot)) }
  if (tree === rowsHole)
    return { kind: 'object', members: rows.map((row) => ({ key: row.slot, value: row.item })) }
  if (tree.kind !== 'object') return tree
  return {
    kind: 'object',
    members: tree.members.map(({ key, value }) => ({ key, value: replaceHole(value, rows, followers) })),
  }
}
