/**
 * The absolute addresses of a wiki in its answers, pointed at somebody who stands in for it. Only where an address is
 * what the API says, never inside of content: a page's text stays the page's text.
 */
import { type JsonTree, mapStrings, memberAt, textOf } from '../../json/json-tree.ts'

/** Members that hold an address and have no `url` in their name. Source: API:Siteinfo, API:Pageimages */
const addressMembers: ReadonlySet<string> = new Set(['server', 'base', 'logo', 'favicon', 'source', 'link'])

/** @param path names of the members that lead to a value; the addresses of `opensearch` have none */
const holdsAddress = (path: readonly string[]): boolean =>
  path.length === 0 || addressMembers.has(path.at(-1) ?? '') || path.some((name) => /urls?$/i.test(name))

/** Where a wiki's addresses point to. */
export interface UrlRewrite {
  /** Origins of the wiki, e.g. `https://ru.wikipedia.org`. */
  readonly from: readonly string[]
  /** What is put in their place, e.g. `http://127.0.0.1:4050`. */
  readonly to: string
}

/** An answer of the API with the wiki's own addresses pointed elsewhere. */
export const rewriteUrls = (tree: JsonTree, rewrite: UrlRewrite): JsonTree =>
  mapStrings(tree, (value, path) => (holdsAddress(path) ? rewriteUrl(value, rewrite) : value))

/** `//host/…` keeps its form: a client puts its own protocol in front. */
export function rewriteUrl(address: string, { from, to }: UrlRewrite): string {
  const [, protocol = '', host = '', rest = ''] =
    /^(https?:)?\/\/([^/?#\s]+)([/?#]\S*)?$/i.exec(address) ?? []
  const own = from.some((one) => hostOf(one) === host.toLowerCase())
  if (host === '' || !own) return address
  return (protocol === '' ? to.replace(/^https?:/i, '') : to) + rest
}

const hostOf = (origin: string): string => origin.replace(/^(?:https?:)?\/\//i, '').toLowerCase()

/** The origin that a wiki gives as its own in `meta=siteinfo`; undefined in other answers. */
export function serverIn(tree: JsonTree): string | undefined {
  const server = textOf(memberAt(tree, 'query', 'general', 'server'))
  return server !== undefined && /^(?:https?:)?\/\/[^/?#\s]+$/i.test(server) ? server : undefined
}
