/** Answers composed of a frame, rows and continue values. */

import {
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  mapMembers,
  replaceMember,
} from '../../json/json-tree.ts'
import { groupBy } from '../../text/group-by.ts'
import type { Driver } from '../reading/driver.ts'
import { type Followers, fillPage, groupRows, type ListingRows, mapFramePages } from '../reading/row.ts'
import {
  arrayHole,
  type ContinueValues,
  groupsHole,
  pageKeysHole,
  rowsHole,
} from '../reading/split-answer.ts'

/** The answer. `next` must be given exactly where the frame has a hole for it. */
export function fillFrame(
  frame: JsonTree,
  driver: Driver,
  rows: ListingRows,
  next: ContinueValues | undefined,
  followers: Followers,
): JsonTree {
  const filled = next === undefined ? frame : fillContinue(frame, driver, next)
  if (driver.kind === 'prop') return fillProp(filled, driver.module, rows, followers)
  return replaceHole(filled, rows, followers)
}

function fillContinue(frame: JsonTree, driver: Driver, { values, companion }: ContinueValues): JsonTree {
  const said = companion === undefined ? [] : [['continue', jsonString(companion)] as const]
  const modern = replaceMember(frame, 'continue', () => jsonObject([...values, ...said]))
  const legacy = jsonObject([[driver.module, jsonObject([...values])]])
  return replaceMember(modern, 'query-continue', () => legacy)
}

function fillProp(frame: JsonTree, module: string, rows: ListingRows, followers: Followers): JsonTree {
  const bySlot = groupBy(rows, ({ slot }) => slot)
  return mapFramePages(frame, (page, at) => fillPage(page, module, bySlot.get(String(at)) ?? [], followers))
}

function replaceHole(tree: JsonTree, rows: ListingRows, followers: Followers): JsonTree {
  if (tree === groupsHole) return jsonArray(groupRows(rows, followers))
  if (tree === arrayHole) return jsonArray(rows.map(({ item }) => item))
  if (tree === pageKeysHole) return jsonArray(rows.map(({ slot }) => jsonString(slot)))
  if (tree === rowsHole) return jsonObject(rows.map(({ slot, item }) => [slot, item]))
  if (tree.kind !== 'object') return tree
  return mapMembers(tree, (value) => replaceHole(value, rows, followers))
}
