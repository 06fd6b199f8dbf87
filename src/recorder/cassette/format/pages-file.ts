/** `pages.json`: the states of the requested pages, by which a comparison tells edits from changes of the software. */
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  textOf
} from '../../json/json-tree.ts'
import { type JsonFault, readJson } from '../../json/read-json.ts'
import { writePretty } from '../../json/write-json.ts'

/**
 * What the wiki says of one page, by name: `lastrevid`, `length`, `sha1` (of the text), `redirect`, `missing`,
 * `protection` (texts such as `edit sysop infinity`, sorted). What a page does not have is absent.
 */
export type PageState = ReadonlyMap<string, JsonTree>

/** By title, in the wiki's own spelling. */
export type PageStates = ReadonlyMap<string, PageState>

export const pagesFile = 'pages.json'

/** The query that `readPageStates` reads the answer to. Sources: API:Info, API:Revisions. */
export const pageStateParams = {
  action: 'query',
  prop: 'info|revisions',
  inprop: 'protection',
  rvprop: 'ids|sha1'
} as const

/** @param answer to `pageStateParams` and `titles`, in formatversion=2 */
export function readPageStates(answer: JsonTree): PageStates {
  const states = new Map<string, PageState>()
  for (const page of itemsOf(memberAt(answer, 'query', 'pages'))) {
    const title = textOf(memberOf(page, 'title'))
    // Invalid titles and special pages have no state.
    const hasState = ['invalid', 'special'].every(
      (flag) => memberOf(page, flag) === undefined
    )
    if (title !== undefined && hasState) states.set(title, stateOf(page))
  }
  return states
}

function stateOf(page: JsonTree) {
  const [newest] = itemsOf(memberOf(page, 'revisions'))
  const facts: readonly (readonly [string, JsonTree | undefined])[] = [
    ...['lastrevid', 'length', 'missing', 'redirect'].map(
      (name) => [name, memberOf(page, name)] as const
    ),
    ['protection', protectionOf(page)],
    ['sha1', memberOf(newest, 'sha1')]
  ]
  const isSet = (value: JsonTree | undefined) =>
    value?.kind !== 'literal' || value.text !== 'false'
  return new Map(
    facts.flatMap(([name, value]) =>
      value && isSet(value) ? [[name, value] as const] : []
    )
  )
}

function protectionOf(page: JsonTree) {
  const protection = memberOf(page, 'protection')
  if (!protection) return undefined
  const rules = itemsOf(protection).map((one) =>
    ['type', 'level', 'expiry'].map((name) => textOf(memberOf(one, name)) ?? '').join(' ')
  )
  return jsonArray(rules.sort().map(jsonString))
}

export function encodePageStates(states: PageStates): string {
  const sorted = [...states].sort(([a], [b]) => (a < b ? -1 : 1))
  const pages = sorted.map(([title, state]) => [title, jsonObject([...state])] as const)
  return `${writePretty(jsonObject([['pages', jsonObject(pages)]]))}\n`
}

export type PageStatesReading =
  | { readonly ok: true; readonly states: PageStates }
  | { readonly ok: false; readonly fault: JsonFault }

export function decodePageStates(text: string): PageStatesReading {
  const reading = readJson(text)
  if (!reading.ok) return reading
  const pages = memberOf(reading.tree, 'pages')
  const message = 'expected "pages" with an object for each title'
  if (
    pages?.kind !== 'object' ||
    pages.members.some(({ value }) => value.kind !== 'object')
  )
    return { ok: false, fault: { line: 1, column: 1, message } }
  const states = membersOf(pages).map(
    ({ key, value }) =>
      [
        key,
        new Map(membersOf(value).map((one) => [one.key, one.value] as const))
      ] as const
  )
  return { ok: true, states: new Map(states) }
}
