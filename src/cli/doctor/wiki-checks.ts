/** Checks of a wiki: does it answer, who may read, does it describe its modules. */
import { adviceFor } from '../../engine/record/advice.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { whyUnusable } from '../../upstream/answers/recordable.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { type DoctorFinding, fine, warning, wrong } from './doctor-finding.ts'

/** @throws UpstreamError if nobody answers */
export async function checkWiki(api: ApiUrl, upstream: Upstream): Promise<readonly DoctorFinding[]> {
  const request = { method: 'GET', headers: {}, body: new Uint8Array(), isRepeatable: true } as const
  const ask = (query: string): Promise<WikiAnswer> =>
    upstream.ask({ ...request, target: `${api.path}?${query}&format=json` })
  const siteinfo = 'action=query&meta=siteinfo&siprop=general'
  const site = await ask(siteinfo)
  const refused = refusalFinding(site)
  if (refused !== undefined) return [refused]
  const described = await ask('action=paraminfo&modules=query')
  return [
    softwareFinding(readTree(bodyText(site))),
    ...descriptionFindings(readTree(bodyText(described))),
    loadFinding(await ask(`${siteinfo}&maxlag=5`)),
  ]
}

/** Undefined if the wiki answers. */
function refusalFinding(answer: WikiAnswer): DoctorFinding | undefined {
  const advice = adviceFor(answer, true, {})
  if (advice !== undefined) return wrong('who asks', 'the wiki refuses to answer', advice)
  const why = whyUnusable(answer)
  if (why === undefined) return undefined
  const waits = answer.headers.get('retry-after')
  return waits === undefined
    ? wrong('the API', why, 'name the address of api.php as Special:Version of the wiki tells it')
    : wrong('rate limit', why, `wait ${waits} s; a contact (--contact) or a login raises the limit`)
}

function softwareFinding(tree: JsonTree | undefined): DoctorFinding {
  const generator = textOf(memberAt(tree, 'query', 'general', 'generator'))
  if (generator !== undefined) return fine('the API', `${generator} answers, and takes our User-Agent`)
  const next = 'look at the answer to action=query&meta=siteinfo'
  return warning('the API', 'answers, but does not say what it is', next)
}

function descriptionFindings(tree: JsonTree | undefined): readonly DoctorFinding[] {
  const modules = memberAt(tree, 'paraminfo', 'modules')
  const next = 'wikitape’s own descriptions are used; what they do not know stays part of the key'
  const hasDebuginfo = memberOf(tree, 'debuginfo') !== undefined
  return [
    itemsOf(modules).length > 0
      ? fine('paraminfo', 'the wiki describes its own modules')
      : warning('paraminfo', 'the wiki does not describe its modules', next),
    fine('debuginfo', hasDebuginfo ? 'on; it is stripped from everything that is recorded' : 'off'),
  ]
}

function loadFinding(answer: WikiAnswer): DoctorFinding {
  const why = whyUnusable(answer)
  if (why === undefined) return fine('load', 'no limit met, replicas not behind')
  return warning('load', `the wiki is busy: ${why}`, 'capture and refresh wait and retry; or come back later')
}
