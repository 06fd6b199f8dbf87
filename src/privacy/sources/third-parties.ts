/** Answers that tell private data of people other than the caller: they are recorded as the wiki says them, with a warning. */
import type { CanonicalRequest } from '../../request/request-key.ts'
import { wordSet } from '../../text/words.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** Sources: extensions CheckUser (Api/), AbuseFilter (QueryAbuseLog: `details`, `ip`), IPInfo (REST handlers). */
const modules = wordSet('checkuser checkuserlog abuselog')
const pages = wordSet('checkuser checkuserlog investigate ipinfo')

/** The modules and pages of a request with such data. @param page special page that was asked for */
export function thirdPartyModules(request: CanonicalRequest, page: string): readonly string[] {
  const named = ['action', 'list', 'prop', 'meta'].flatMap((name) =>
    splitValues(request.get(name) ?? ''),
  )
  const isDetailed = (module: string): boolean =>
    module !== 'abuselog' ||
    splitValues(request.get('aflprop') ?? '').some((one) => /^(?:details|ip)$/.test(one))
  const found = named.filter((one) => modules.has(one) && isDetailed(one))
  return pages.has(page) ? [...found, `Special:${page}`] : found
}
