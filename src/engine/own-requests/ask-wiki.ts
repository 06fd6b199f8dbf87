/** Questions of wikitape's own: what a wiki's modules and pages are like. Nobody's session is touched by them. */

import type { IncomingHeaders } from '../../http/incoming-request.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { whyNotApiJson, whyUnusable } from '../../upstream/answers/recordable.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import { bodyText } from '../../wiki/answers/wiki-answer.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import type { RunSummary } from '../run-summary.ts'

export type AskWiki = (
  params: Readonly<Record<string, string>>,
  headers: IncomingHeaders,
) => Promise<{ readonly text: string; readonly tree: JsonTree } | undefined>

/** Longer queries go as a POST: web servers refuse long request lines. */
const maxQueryLength = 6000

/**
 * The way to ask one wiki, in `format=json` and `formatversion=2`; undefined where it gives something else than JSON.
 * @param apiPath path of the wiki's api.php. @throws UpstreamError, NotNow where a later answer may be better
 */
export function createAskWiki(upstream: Upstream, apiPath: string, summary: RunSummary): AskWiki {
  return async (params, headers) => {
    summary.liveRequests += 1
    const query = writeQuery(Object.entries({ ...params, format: 'json', formatversion: '2' }))
    const isShort = query.length <= maxQueryLength
    const answer = await upstream.ask({
      method: isShort ? 'GET' : 'POST',
      target: isShort ? `${apiPath}?${query}` : apiPath,
      // Whoever may read a private wiki may also have it described.
      headers: {
        cookie: headers['cookie'],
        authorization: headers['authorization'],
        'user-agent': headers['user-agent'],
        ...(isShort ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: isShort ? new Uint8Array() : Buffer.from(query),
      isRepeatable: true,
      whyNotApiAnswer: whyNotApiJson,
    })
    const why = whyUnusable(answer)
    if (why !== undefined) throw new RetryLater(why)
    const text = bodyText(answer)
    const tree = readTree(text)
    return text !== undefined && tree !== undefined ? { text, tree } : undefined
  }
}

/** The wiki, or what stands in front of it, may answer better another time: nothing is concluded from this. */
export class RetryLater extends UpstreamError {
  constructor(why: string) {
    super('undecodable', why)
  }
}
