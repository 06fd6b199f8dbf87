/**
 * The answer to several `prop` in another order: a page has the members of each module in the request's order of modules.
 * Source: ApiQuery::instantiateModules; measured on 1.35, 1.39 and 1.43 (test/live/props.test.ts).
 */
import { type JsonMember, type JsonTree, memberAt, membersOf } from '../../json/json-tree.ts'
import { mapFramePages } from '../../paging/reading/row.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { hasOnlyQuery } from './page-siblings.ts'

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
const sameNameModules: ReadonlySet<string> = new Set([
  ...['categories', 'links', 'templates', 'images', 'extlinks', 'iwlinks', 'langlinks', 'pageprops'],
  ...['revisions', 'deletedrevisions', 'duplicatefiles', 'categoryinfo', 'coordinates'],
  ...['fileusage', 'linkshere', 'redirects', 'transcludedin'],
])
/** Page members that no module adds. */
const baseMembers: ReadonlySet<string> = new Set([
  ...['pageid', 'ns', 'title', 'missing', 'known', 'invalid', 'invalidreason', 'special'],
])

export const sameModules = (recorded: string, requested: string): boolean =>
  [...new Set(splitValues(recorded))].join() === [...new Set(splitValues(requested))].join()

/** @returns undefined where it is not certain which module added which member */
export function reorderProps(body: JsonTree, recorded: string, requested: string): JsonTree | undefined {
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
  const base = members.filter(({ key }) => baseMembers.has(key))
  const fromModules = members.filter(({ key }) => !baseMembers.has(key))
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
