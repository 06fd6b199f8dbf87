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
const names: ReadonlyMap<string, readonly string[]> = new Map([
  ['contributors', ['anoncontributors', 'contributors']],
  ['imageinfo', ['imagerepository', 'imageinfo']],
  ['videoinfo', ['imagerepository', 'videoinfo']],
  ['extracts', ['extract']],
  ['pageimages', ['thumbnail', 'original', 'pageimage']],
  ['pageterms', ['terms']],
])
/** Modules that say one thing, under their own name. */
const plain: ReadonlySet<string> = new Set([
  ...['categories', 'links', 'templates', 'images', 'extlinks', 'iwlinks', 'langlinks', 'pageprops'],
  ...['revisions', 'deletedrevisions', 'duplicatefiles', 'categoryinfo', 'coordinates'],
  ...['fileusage', 'linkshere', 'redirects', 'transcludedin'],
])
/** What a page says of itself before any module does. */
const frame: ReadonlySet<string> = new Set([
  ...['pageid', 'ns', 'title', 'missing', 'known', 'invalid', 'invalidreason', 'special'],
])

/** True where the order of the modules cannot show: there is one, or they are the same in the same order. */
export const sameModules = (recorded: string, asked: string): boolean =>
  [...new Set(splitValues(recorded))].join() === [...new Set(splitValues(asked))].join()

/** @returns undefined where it is not certain which module said what */
export function reprojectProps(body: JsonTree, recorded: string, asked: string): JsonTree | undefined {
  const [from, to] = [recorded, asked].map((value) => [...new Set(splitValues(value))])
  const pages = memberAt(body, 'query', 'pages')
  const whole = membersOf(body).every(({ key }) => key === 'query' || key === 'batchcomplete')
  if (from === undefined || to === undefined || pages === undefined || !whole) return undefined
  let certain = true
  const turned = (page: JsonTree): JsonTree => {
    const members = inOrder(membersOf(page), from, to)
    if (members === undefined) certain = false
    return { kind: 'object', members: members ?? [] }
  }
  const again: JsonTree =
    pages.kind === 'array'
      ? { kind: 'array', items: pages.items.map(turned) }
      : { kind: 'object', members: membersOf(pages).map(({ key, value }) => ({ key, value: turned(value) })) }
  const rebuilt = replaceMember(body, 'query', (query) => replaceMember(query, 'pages', () => again))
  return certain && memberOf(rebuilt, 'query') !== undefined ? rebuilt : undefined
}

/** A page's members, those of each module where the request names it. */
function inOrder(
  members: readonly JsonMember[],
  from: readonly string[],
  to: readonly string[],
): readonly JsonMember[] | undefined {
  const others = from.filter((one) => !plain.has(one) && !names.has(one))
  if (others.length > 1) return undefined
  const sayer = (key: string): string | undefined =>
    from.find((one) => (names.get(one) ?? (plain.has(one) ? [one] : [])).includes(key)) ?? others[0]
  const own = members.filter(({ key }) => frame.has(key))
  const said = members.filter(({ key }) => !frame.has(key))
  const of = (module: string): readonly JsonMember[] => said.filter(({ key }) => sayer(key) === module)
  const arranged = (modules: readonly string[]): readonly JsonMember[] => [...own, ...modules.flatMap(of)]
  // It stood as it should where the recorded order gives what was recorded.
  const asIs = arranged(from)
  return asIs.length === members.length && asIs.every((one, at) => one === members[at])
    ? arranged(to)
    : undefined
}
