/** The epoch in the key of a recording: the writes that it was recorded after. */

import {
  type CanonicalRequest,
  parseRequestKey,
  type RequestKey,
  requestKey
} from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { mapAll } from '../../text/group-by.ts'
import { withoutParams } from '../../wiki/parameters/request-params.ts'

/** The key of the same request before any write. */
export const keyBeforeWrites = (request: CanonicalRequest): RequestKey =>
  requestKey(withoutParams(request, epochParam))

/** The writes of a recording's epoch, in order; undefined if they are too many to be named. */
export function namedWrites(
  recorded: CanonicalRequest
): readonly RequestKey[] | undefined {
  const epoch = recorded.get(epochParam) ?? ''
  return epoch === '' ? [] : mapAll(epoch.split(' '), parseRequestKey)
}
