/** Continue values: what a client sends to continue at a position of a run. */

import { jsonString } from '../../json/json-tree.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Listing } from '../joining/listing.ts'
import type { RowRun, RunPosition } from '../joining/run-layout.ts'
import { ownValue } from '../placing/own-value.ts'
import type { ContinueValues } from '../reading/split-answer.ts'
import { predict } from '../rules/continue-rule.ts'

export interface NextValues {
  readonly values: ContinueValues['values']
  readonly key: RequestKey | undefined
  readonly own: boolean
}

/** The recorded value, else the predicted one, else a value of wikitape's own. */
export function nextValues(listing: Listing, run: RowRun, to: RunPosition): NextValues | undefined {
  const emitted = run.continues.get(to.at)
  if (emitted !== undefined) return { values: emitted.values, key: emitted.key, own: false }
  const known = run.rows[to.at]
  const param = continuationParam(listing)
  if (known === undefined || param === undefined) return undefined
  const offset = run.start ? to.at : undefined
  const predicted = listing.rule && predict(listing.rule, known.row, offset)
  if (predicted !== undefined) return { values: new Map([[param, predicted]]), key: known.key, own: false }
  const own = ownValue(listing, to)
  return own === undefined
    ? undefined
    : { values: new Map([[param, jsonString(own)]]), key: known.key, own: true }
}

/** The listing's continuation parameter; where no recorded batch shows it, the one that the module describes. */
export function continuationParam({ param, driver }: Listing): string | undefined {
  if (param !== undefined) return param
  const name = ['continue', 'offset'].find((one) => driver.description.parameters.has(one))
  return name && driver.prefix + name
}

export const hasMore = (run: RowRun, at: number): boolean => !(run.end && at === run.rows.length)
