/**
 * Absolute URLs of a wiki in its answers, rewritten to another origin (the proxy). Only where the API itself gives a URL, never
 * inside of content.
 */
import { type JsonTree, mapStrings, memberAt, textOf } from '../../json/json-tree.ts'

/** Members that hold an address and have no `url` in their name. Source: API:Siteinfo, API:Pageimages */
const addressMembers: ReadonlySet<string> = new Set(['server', 'base', 'logo', 'favicon', 'source', 'link'])

/** @param path names of the members that lead to a value; the addresses of `opensearch` have none */
const holdsAddress = (path: readonly string[]): boolean =>
  path.length === 0 || addressMembers.has(path.at(-1) ?? '') || path.some((name) => /urls?$/i.test(name))

/** Which origins are replaced by which. */
export interface UrlRewrite {
  /** Origins of the wiki, e.g. `https://ru.wikipedia.org`. */
  readonly from: readonly string[]
  /** The new origin, e.g. `http://127.0.0.1:4050`. */
  readonly to: string
}

/** An answer of the API with the wiki's own URLs rewritten. */
export const rewriteUrls = (tree: JsonTree, rewrite: UrlRewrite): JsonTree =>
  mapStrings(tree, (value, path) => (holdsAddress(path) ? rewriteUrl(value, rewrite) : value))

/** A URL without a protocol, `//host/…`, stays without one. */
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
