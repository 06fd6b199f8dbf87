/** A recorded answer in another order or spelling of values. What cannot be rebuilt exactly is impossible, never approximated. */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { type JsonMember, type JsonTree, memberAt, membersOf, textOf } from '../../json/json-tree.ts'
import { basePageMembers } from '../../paging/reading/page-members.ts'
import { mapFramePages } from '../../paging/reading/row.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { wordSet } from '../../text/words.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { responseAt } from '../session/session.ts'
import { hasOnlyQuery } from './page-siblings.ts'
import { multiTitleActions, reorderAction } from './reorder-action.ts'
import { reorderIds, reorderTitles } from './reorder-pages.ts'

export type Reordering =
  | { readonly kind: 'same' | 'reordered'; readonly response: RecordedResponse }
  | { readonly kind: 'impossible'; readonly why: string }

const impossible = (why: string): Reordering => ({ kind: 'impossible', why })

/** @param position which of the recorded answers, from 0; the last repeats */
export function reorderResponse(
  interaction: Interaction,
  derivation: Derivation,
  site: SiteFacts | undefined,
  position = 0,
): Reordering {
  const response = responseAt(interaction.responses, position)
  const names = new Set([...interaction.sentValues.keys(), ...derivation.sentValues.keys()])
  const differing = [...names].filter(
    (name) => interaction.sentValues.get(name) !== derivation.sentValues.get(name),
  )
  if (differing.length === 0) return { kind: 'same', response }
  const { body } = response
  if (body.kind !== 'json' || mentionsValues(body.tree))
    return impossible('the recorded answer has warnings or an error, which list values in the order sent')
  // `continue` names the finished modules behind `||`.
  if (/\|\|.*\|/.test(textOf(memberAt(body.tree, 'continue', 'continue')) ?? ''))
    return impossible('the recorded answer continues, and lists modules in the order sent')
  const values = (name: string): SentValues => ({
    recorded: interaction.sentValues.get(name) ?? interaction.request.get(name) ?? '',
    requested: derivation.sentValues.get(name) ?? derivation.canonical.get(name) ?? '',
  })
  const { canonical, orderless } = derivation
  const hasOtherModules = canonical.get('action') === 'query' && !sameModules(values('prop'))
  const significant = differing.filter((name) => !orderless.has(name))
  const visible = hasOtherModules ? ['prop', ...significant] : significant
  const [name, second] = visible
  if (name === undefined) return { kind: 'reordered', response }
  const tree = second === undefined ? reorderBy(name, body.tree, values(name), canonical, site) : undefined
  if (tree !== undefined) return { kind: 'reordered', response: { ...response, body: { ...body, tree } } }
  return impossible(`the order or spelling of "${visible.join('", "')}" can show in the answer`)
}

/** The values of a parameter as sent. */
interface SentValues {
  readonly recorded: string
  readonly requested: string
}

/** The body for the order of values in `name`; undefined where that order can show in other ways. */
function reorderBy(
  name: string,
  body: JsonTree,
  values: SentValues,
  canonical: CanonicalRequest,
  site: SiteFacts | undefined,
): JsonTree | undefined {
  const { recorded, requested } = values
  const action = canonical.get('action') ?? ''
  if (name === 'prop') return action === 'query' ? reorderProps(body, values) : undefined
  if (canonical.has('generator')) return undefined
  if (action === 'query' && (name === 'pageids' || name === 'revids'))
    return reorderIds(body, name, requested)
  if (name !== 'titles' || site === undefined) return undefined
  if (action === 'query') return reorderTitles(body, recorded, requested, site)
  return multiTitleActions.has(action) ? reorderAction(body, action, recorded, requested, site) : undefined
}

/** Warnings and errors may quote values as they were sent. */
const mentionsValues = (body: JsonTree): boolean =>
  membersOf(body).some(({ key }) => ['warnings', 'error', 'errors'].includes(key))

/*
 * Several `prop` in another order: a page has the members of each module in the request's order of modules.
 * Source: ApiQuery::instantiateModules; measured on 1.35, 1.39 and 1.43 (test/live/props.test.ts).
 */

/** Page members of modules whose members are not named after them. */
const moduleMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['contributors', ['anoncontributors', 'contributors']],
  ['imageinfo', ['imagerepository', 'imageinfo']],
  ['videoinfo', ['imagerepository', 'videoinfo']],
  ['extracts', ['extract']],
  ['pageimages', ['thumbnail', 'original', 'pageimage']],
  ['pageterms', ['terms']],
])
/** Modules with one page member, of the same name. */
const sameNameModules = wordSet(`
  categories links templates images extlinks iwlinks langlinks pageprops revisions deletedrevisions duplicatefiles
  categoryinfo coordinates fileusage linkshere redirects transcludedin`)

export const sameModules = ({ recorded, requested }: SentValues): boolean =>
  [...new Set(splitValues(recorded))].join() === [...new Set(splitValues(requested))].join()

/** @returns undefined where it is not certain which module added which member */
export function reorderProps(body: JsonTree, { recorded, requested }: SentValues): JsonTree | undefined {
  const [from, to] = [recorded, requested].map((value) => [...new Set(splitValues(value))])
  if (from === undefined || to === undefined || !hasOnlyQuery(body) || !memberAt(body, 'query', 'pages'))
    return undefined
  let certain = true
  const reorderPage = (page: JsonTree): JsonTree => {
    const members = reorderMembers(membersOf(page), from, to)
    if (members === undefined) certain = false
    return { kind: 'object', members: members ?? [] }
  }
  const rebuilt = mapFramePages(body, reorderPage)
  return certain ? rebuilt : undefined
}

/** A page's members in the order of modules `to`; undefined where a member's module is not certain. */
function reorderMembers(
  members: readonly JsonMember[],
  from: readonly string[],
  to: readonly string[],
): readonly JsonMember[] | undefined {
  const others = from.filter((one) => !sameNameModules.has(one) && !moduleMembers.has(one))
  if (others.length > 1) return undefined
  const moduleOf = (key: string): string | undefined =>
    from.find((one) => (moduleMembers.get(one) ?? (sameNameModules.has(one) ? [one] : [])).includes(key)) ??
    others[0]
  const base = members.filter(({ key }) => basePageMembers.has(key))
  const fromModules = members.filter(({ key }) => !basePageMembers.has(key))
  const membersFrom = (module: string): readonly JsonMember[] =>
    fromModules.filter(({ key }) => moduleOf(key) === module)
  const arrange = (modules: readonly string[]): readonly JsonMember[] => [
    ...base,
    ...modules.flatMap(membersFrom),
  ]
  // The recorded order must reproduce the recorded members.
  const recordedOrder = arrange(from)
  return recordedOrder.length === members.length && recordedOrder.every((one, at) => one === members[at])
    ? arrange(to)
    : undefined
}
