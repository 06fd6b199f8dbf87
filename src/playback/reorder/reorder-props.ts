/**
 * The answer to several `prop` in another order: each page has what one module says of it behind what another says, in the
 * order of the request. Source: ApiQuery::instantiateModules; measured on 1.35, 1.39 and 1.43 (test/live/props.test.ts).
 */
import {
  type JsonMember,
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  replaceMember,
} from '../../json/json-tree.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** What modules call what they say of a page, where that is not their own name. */
const moduleMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['contributors', ['anoncontributors', 'contributors']],
  ['imageinfo', ['imagerepository', 'imageinfo']],
  ['videoinfo', ['imagerepository', 'videoinfo']],
  ['extracts', ['extract']],
  ['pageimages', ['thumbnail', 'original', 'pageimage']],
  ['pageterms', ['terms']],
])
/** Modules that say one thing, under their own name. */
const sameNameModules: ReadonlySet<string> = new Set([
  ...['categories', 'links', 'templates', 'images', 'extlinks', 'iwlinks', 'langlinks', 'pageprops'],
  ...['revisions', 'deletedrevisions', 'duplicatefiles', 'categoryinfo', 'coordinates'],
  ...['fileusage', 'linkshere', 'redirects', 'transcludedin'],
])
/** What a page says of itself before any module does. */
const baseMembers: ReadonlySet<string> = new Set([
  ...['pageid', 'ns', 'title', 'missing', 'known', 'invalid', 'invalidreason', 'special'],
])

/** True where the order of the modules cannot show: there is one, or they are the same in the same order. */
export const sameModules = (recorded: string, requested: string): boolean =>
  [...new Set(splitValues(recorded))].join() === [...new Set(splitValues(requested))].join()

/** @returns undefined where it is not certain which module said what */
export function reorderProps(body: JsonTree, recorded: string, requested: string): JsonTree | undefined {
  const [from, to] = [recorded, requested].map((value) => [...new Set(splitValues(value))])
  const pages = memberAt(body, 'query', 'pages')
  const whole = membersOf(body).every(({ key }) => key === 'query' || key === 'batchcomplete')
  if (from === undefined || to === undefined || pages === undefined || !whole) return undefined
  let certain = true
  const reorderPage = (page: JsonTree): JsonTree => {
    const members = reorderMembers(membersOf(page), from, to)
    if (members === undefined) certain = false
    return { kind: 'object', members: members ?? [] }
  }
  const reorderedPages: JsonTree =
    pages.kind === 'array'
      ? { kind: 'array', items: pages.items.map(reorderPage) }
      : {
          kind: 'object',
          members: membersOf(pages).map(({ key, value }) => ({ key, value: reorderPage(value) })),
        }
  const rebuilt = replaceMember(body, 'query', (query) => replaceMember(query, 'pages', () => reorderedPages))
  return certain && memberOf(rebuilt, 'query') !== undefined ? rebuilt : undefined
}

/** A page's members, those of each module where the request names it. */
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
  // It stood as it should where the recorded order gives what was recorded.
  const recordedOrder = arrange(from)
  return recordedOrder.length === members.length && recordedOrder.every((one, at) => one === members[at])
    ? arrange(to)
    : undefined
}
