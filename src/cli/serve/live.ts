/** The live side of a rack, from an api-url and flags. */
import type { ApiUrl } from '../../proxy/api-url.ts'
import type { RackOptions } from '../../proxy/rack.ts'
import { httpProxyUpstream } from '../../upstream/http-proxy-upstream.ts'
import { timeoutOf } from '../flags.ts'
import type { Given } from '../verb.ts'

/** Bytes of an answer that are accepted at most. */
const maxAnswer = 256 * 1024 * 1024

export function liveSide(api: ApiUrl, given: Given): NonNullable<RackOptions['live']> {
  const options = { timeout: timeoutOf(given), maxBytes: maxAnswer, authorization: api.authorization }
  return { api, upstream: () => httpProxyUpstream(api.origin, options) }
}
