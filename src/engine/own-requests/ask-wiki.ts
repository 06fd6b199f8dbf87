/** Questions of wikitape's own: what a wiki's modules and pages are like. Nobody's session is touched by them. */

import type { IncomingHeaders } from '../../http/incoming-request.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { whyNoAnswer, whyNoJson } from '../../upstream/answers/recordable.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import { bodyText } from '../../wiki/answers/wiki-answer.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import type { Summary } from '../run-summary.ts'

export type AskWiki = (
  params: Readonly<Record<string, string>>,
  headers: IncomingHeaders,
) => Promise<{ readonly text: string; readonly tree: JsonTree } | undefined>

/** Longer queries go as a POST: web servers refuse long request lines. */
const longestQuery = 6000

/**
 * The way to ask one wiki, in `format=json` and `formatversion=2`; undefined where it gives something else than JSON.
 * @param apiPath path of the wiki's api.php. @throws UpstreamError, NotNow where a later answer may be better
 */
export function ownQuestions(upstream: Upstream, apiPath: string, summary: Summary): AskWiki {
  return async (params, headers) => {
    summary.liveRequests += 1
    const query = writeQuery(Object.entries({ ...params, format: 'json', formatversion: '2' }))
    const short = query.length <= longestQuery
    const answer = await upstream.ask({
      method: short ? 'GET' : 'POST',
      target: short ? `${apiPath}?${query}` : apiPath,
      // Whoever may read a private wiki may also have it described.
      headers: {
        cookie: headers['cookie'],
        authorization: headers['authorization'],
        'user-agent': headers['user-agent'],
        ...(short ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: short ? new Uint8Array() : Buffer.from(query),
      repeatable: true,
      whyForeign: whyNoJson,
    })
    const why = whyNoAnswer(answer)
    if (why !== undefined) throw new NotNow(why)
    const text = bodyText(answer)
    const tree = readTree(text)
    return text !== undefined && tree !== undefined ? { text, tree } : undefined
  }
}

/** The wiki, or what stands in front of it, may answer better another time: nothing is concluded from this. */
export class NotNow extends UpstreamError {
  constructor(why: string) {
    super('undecodable', why)
  }
}
