/** Checks of a wiki: does it answer, whom does it let read, does it describe its modules. */

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
  const ask = (query: string): Promise<WikiAnswer> =>
    upstream.ask({
      method: 'GET',
      target: `${api.path}?${query}&format=json`,
      headers: {},
      body: new Uint8Array(),
      isRepeatable: true,
    })
  const site = await ask('action=query&meta=siteinfo&siprop=general')
  const refused = refusalFinding(site)
  if (refused !== undefined) return [refused]
  const described = await ask('action=paraminfo&modules=query')
  return [
    softwareFinding(site),
    descriptionFinding(described),
    debuginfoFinding(described),
    loadFinding(await ask('action=query&meta=siteinfo&siprop=general&maxlag=5')),
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

function softwareFinding(answer: WikiAnswer): DoctorFinding {
  const generator = textOf(memberAt(treeOf(answer), 'query', 'general', 'generator'))
  return generator === undefined
    ? warning(
        'the API',
        'answers, but does not say what it is',
        'look at the answer to action=query&meta=siteinfo',
      )
    : fine('the API', `${generator} answers, and takes our User-Agent`)
}

function descriptionFinding(answer: WikiAnswer): DoctorFinding {
  const modules = memberOf(memberOf(treeOf(answer), 'paraminfo'), 'modules')
  return itemsOf(modules).length > 0
    ? fine('paraminfo', 'the wiki describes its own modules')
    : warning(
        'paraminfo',
        'the wiki does not describe its modules',
        'descriptions that come with wikitape stand in; what they do not know stays part of the key',
      )
}

function debuginfoFinding(answer: WikiAnswer): DoctorFinding {
  return memberOf(treeOf(answer), 'debuginfo') === undefined
    ? fine('debuginfo', 'off')
    : fine('debuginfo', 'on; it is stripped from everything that is recorded')
}

function loadFinding(answer: WikiAnswer): DoctorFinding {
  const why = whyUnusable(answer)
  return why === undefined
    ? fine('load', 'no limit met, replicas not behind')
    : warning(
        'load',
        `the wiki is busy: ${why}`,
        'capture and refresh wait by themselves; or come back later',
      )
}

const treeOf = (answer: WikiAnswer): JsonTree | undefined => readTree(bodyText(answer))
