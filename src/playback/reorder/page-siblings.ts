/**
 * What stands in an answer beside its pages: lists of their ids, and what `meta` modules say, which is the same in
 * whatever order pages are asked for.
 * Source: ApiQuery::outputGeneralPageInfo of MediaWiki 1.25 to 1.43; measured on 1.35 and 1.43 (test/live/reproject.test.ts).
 */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonString,
  memberOf,
  membersOf,
  replaceMember,
  sameTree,
  textOf,
} from '../../json/json-tree.ts'

/** Members of `query` that tell of the pages asked for, and how they were found. */
const pageMembers: ReadonlySet<string> = new Set([
  'normalized',
  'converted',
  'redirects',
  'badrevids',
  'pages',
])

/**
 * Rebuilds the pages of an answer with the rest around them as it was.
 * @param rebuild given the answer with nothing but its pages; undefined where it cannot be rebuilt exactly
 */
export function withRebuiltPages(
  body: JsonTree,
  rebuild: (pagesOnly: JsonTree) => JsonTree | undefined,
): JsonTree | undefined {
  const members = membersOf(memberOf(body, 'query'))
  const siblings = pageSiblings(body)
  if (siblings === undefined) return undefined
  const idList = members.find(({ key }) => key === 'pageids')
  const listed = members.find(({ key }) => key === 'pages')?.value
  const count = itemsOf(listed).length
  if (idList !== undefined && itemsOf(idList.value).length !== count) return undefined
  const onlyPages = replaceMember(body, 'query', () => ({
    kind: 'object',
    members: members.filter(({ key }) => pageMembers.has(key)),
  }))
  const rebuiltBody = rebuild(onlyPages)
  const rebuilt = membersOf(memberOf(rebuiltBody, 'query'))
  const pages = rebuilt.find(({ key }) => key === 'pages')?.value
  if (pages === undefined) return idList === undefined ? rebuiltBody : undefined
  const ids = idList && pageIdList(pages, itemsOf(idList.value))
  if (idList !== undefined && ids === undefined) return undefined
  const whole = rebuilt.flatMap((member) =>
    member.key === 'pages' && ids !== undefined ? [{ key: 'pageids', value: ids }, member] : [member],
  )
  return replaceMember(body, 'query', () => ({ kind: 'object', members: [...whole, ...siblings] }))
}

/** What `meta` modules and lists have said; undefined where it stands elsewhere than behind the pages, or tells of other wikis. */
export function pageSiblings(body: JsonTree | undefined): readonly JsonMember[] | undefined {
  const members = membersOf(memberOf(body, 'query'))
  const end = members.findIndex(({ key }) => key === 'pages') + 1
  const behind = members.slice(end === 0 ? members.length : end)
  const siblings = members.filter(({ key }) => !pageMembers.has(key) && key !== 'pageids')
  const inPlace =
    siblings.length === behind.length && siblings.every(({ key }, at) => behind[at]?.key === key)
  return inPlace && !siblings.some(({ key }) => key === 'interwiki') ? siblings : undefined
}

/** True where two answers say the same beside their pages. */
export function haveSameSiblings(a: JsonTree | undefined, b: JsonTree | undefined): boolean {
  const [one, other] = [pageSiblings(a), pageSiblings(b)]
  return (
    one !== undefined &&
    other !== undefined &&
    sameTree({ kind: 'object', members: one }, { kind: 'object', members: other })
  )
}

/** Pages as they were found: those that are missing, then the others as the database gave them. */
function pageIdList(pages: JsonTree, recorded: readonly JsonTree[]): JsonTree | undefined {
  if (pages.kind === 'object') return jsonArray(pages.members.map(({ key }) => jsonString(key)))
  const missing = itemsOf(pages).filter((page) => memberOf(page, 'missing') !== undefined)
  // By `pageids` a missing page keeps its number, and its place is the request's.
  if (missing.some((page) => memberOf(page, 'pageid') !== undefined)) return undefined
  const existing = itemsOf(pages).filter((page) => memberOf(page, 'missing') === undefined)
  const spaces = new Set(existing.map((page) => JSON.stringify(memberOf(page, 'ns'))))
  const numbers = new Set(existing.map((page) => pageIdText(page)))
  const known = recorded.filter((one) => numbers.has(textOf(one) ?? ''))
  if (spaces.size > 1 || known.length !== existing.length) return undefined
  return jsonArray([...missing.map((_, at) => jsonString(String(-1 - at))), ...known])
}

function pageIdText(page: JsonTree): string {
  const id = memberOf(page, 'pageid')
  return id?.kind === 'literal' ? id.text : ''
}
