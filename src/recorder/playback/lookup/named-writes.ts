/** The epoch in the key of a recording: the writes that it was recorded after. */

import {
  type CanonicalRequest,
  parseRequestKey,
  type RequestKey,
  requestKey,
} from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { withoutParams } from '../../wiki/parameters/request-params.ts'

/** The key of the same request before any write. */
export const keyBeforeWrites = (request: CanonicalRequest): RequestKey =>
  requestKey(withoutParams(request, epochParam))

/** The writes of a recording's epoch, in order; undefined if they are too many to be named. */
export function namedWrites(
  recorded: CanonicalRequest,
): readonly RequestKey[] | undefined {
  const named = (recorded.get(epochParam) ?? '').split(' ').filter((one) => one !== '')
  const keys = named.flatMap((one) => parseRequestKey(one) ?? [])
  return keys.length === named.length ? keys : undefined
}
