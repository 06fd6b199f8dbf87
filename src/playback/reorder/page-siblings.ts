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
const ofPages: ReadonlySet<string> = new Set(['normalized', 'converted', 'redirects', 'badrevids', 'pages'])

/**
 * Rebuilds the pages of an answer with the rest around them as it was.
 * @param rebuild given the answer with nothing but its pages; undefined where it cannot be rebuilt exactly
 */
export function aroundPages(
  body: JsonTree,
  rebuild: (pagesOnly: JsonTree) => JsonTree | undefined,
): JsonTree | undefined {
  const members = membersOf(memberOf(body, 'query'))
  const beside = membersBeside(body)
  if (beside === undefined) return undefined
  const indexed = members.find(({ key }) => key === 'pageids')
  const listed = members.find(({ key }) => key === 'pages')?.value
  const count = itemsOf(listed).length
  if (indexed !== undefined && itemsOf(indexed.value).length !== count) return undefined
  const only = replaceMember(body, 'query', () => ({
    kind: 'object',
    members: members.filter(({ key }) => ofPages.has(key)),
  }))
  const again = rebuild(only)
  const rebuilt = membersOf(memberOf(again, 'query'))
  const pages = rebuilt.find(({ key }) => key === 'pages')?.value
  if (pages === undefined) return indexed === undefined ? again : undefined
  const ids = indexed && idsOf(pages, itemsOf(indexed.value))
  if (indexed !== undefined && ids === undefined) return undefined
  const whole = rebuilt.flatMap((member) =>
    member.key === 'pages' && ids !== undefined ? [{ key: 'pageids', value: ids }, member] : [member],
  )
  return replaceMember(body, 'query', () => ({ kind: 'object', members: [...whole, ...beside] }))
}

/** What `meta` modules and lists have said; undefined where it stands elsewhere than behind the pages, or tells of other wikis. */
export function membersBeside(body: JsonTree | undefined): readonly JsonMember[] | undefined {
  const members = membersOf(memberOf(body, 'query'))
  const end = members.findIndex(({ key }) => key === 'pages') + 1
  const behind = members.slice(end === 0 ? members.length : end)
  const beside = members.filter(({ key }) => !ofPages.has(key) && key !== 'pageids')
  const inPlace = beside.length === behind.length && beside.every(({ key }, at) => behind[at]?.key === key)
  return inPlace && !beside.some(({ key }) => key === 'interwiki') ? beside : undefined
}

/** True where two answers say the same beside their pages. */
export function sayTheSameBeside(a: JsonTree | undefined, b: JsonTree | undefined): boolean {
  const [one, other] = [membersBeside(a), membersBeside(b)]
  return (
    one !== undefined &&
    other !== undefined &&
    sameTree({ kind: 'object', members: one }, { kind: 'object', members: other })
  )
}

/** Pages as they were found: those that are missing, then the others as the database gave them. */
function idsOf(pages: JsonTree, recorded: readonly JsonTree[]): JsonTree | undefined {
  if (pages.kind === 'object') return jsonArray(pages.members.map(({ key }) => jsonString(key)))
  const missing = itemsOf(pages).filter((page) => memberOf(page, 'missing') !== undefined)
  // By `pageids` a missing page keeps its number, and its place is the request's.
  if (missing.some((page) => memberOf(page, 'pageid') !== undefined)) return undefined
  const existing = itemsOf(pages).filter((page) => memberOf(page, 'missing') === undefined)
  const spaces = new Set(existing.map((page) => JSON.stringify(memberOf(page, 'ns'))))
  const numbers = new Set(existing.map((page) => idOf(page)))
  const known = recorded.filter((one) => numbers.has(textOf(one) ?? ''))
  if (spaces.size > 1 || known.length !== existing.length) return undefined
  return jsonArray([...missing.map((_, at) => jsonString(String(-1 - at))), ...known])
}

function idOf(page: JsonTree): string {
  const id = memberOf(page, 'pageid')
  return id?.kind === 'literal' ? id.text : ''
}
