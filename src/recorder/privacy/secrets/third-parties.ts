/** Answers that tell private data of people other than the caller: a warning names the modules that gave them. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { mapStrings } from '../../json/map-strings.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { wordSet } from '../../text/words.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { isOfCaller } from '../sources/answer-source.ts'
import { emailPlaceholder } from './secret.ts'

/** Sources: extensions CheckUser (Api/), AbuseFilter (Api/QueryAbuseLog: `details`, `ip`; Api/AbuseLogPrivateDetails), IPInfo. */
const modules = wordSet('checkuser checkuserlog abuselog abuselogprivatedetails')
const pages = wordSet('CheckUser CheckUserLog Investigate IPInfo')
const restPath = /\/rest\.php\/((?:checkuser|ipinfo)\/)/

/**
 * The modules and pages of a request with such data.
 * @param page special page that was asked for. @param responses those in which e-mail addresses may be replaced
 */
export function thirdPartyModules(
  request: CanonicalRequest,
  page: string,
  responses: readonly RecordedResponse[]
): readonly string[] {
  const target = request.get('plain target')
  if (target !== undefined) {
    const rest = restPath.exec(target)?.[1]
    return pages.has(page)
      ? [`Special:${page}`]
      : rest === undefined
        ? []
        : [`rest.php/${rest}`]
  }
  const named = ['action', 'list', 'prop', 'meta'].flatMap((name) =>
    splitValues(request.get(name) ?? '')
  )
  const found = named.filter((one) => modules.has(one) && isDetailed(one, request))
  if (found.length > 0 || !responses.some(holdsMailOfOthers)) return found
  const [action = '', ...submodules] = named
  return submodules.length === 0 ? [action] : submodules
}

const isDetailed = (module: string, request: CanonicalRequest) =>
  module !== 'abuselog' ||
  splitValues(request.get('aflprop') ?? '').some((one) => /^(?:details|ip)$/.test(one))

/** True where an e-mail was replaced in a field that is not about the caller. */
function holdsMailOfOthers({ body }: RecordedResponse) {
  if (body.kind === 'binary') return false
  if (body.kind === 'text')
    return body.text.includes(emailPlaceholder) && !/userinfo/.test(body.text)
  let holds = false
  mapStrings(body.tree, (value, { path }) => {
    holds ||= value === emailPlaceholder && !isOfCaller(path)
    return value
  })
  return holds
}
