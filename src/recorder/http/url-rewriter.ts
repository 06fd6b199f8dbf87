/** `--rewrite-urls`: replies point the wiki's addresses to this server where the API itself gives a URL, never inside of content. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import { type JsonTree, memberAt, textOf } from '../json/json-tree.ts'
import { mapStrings } from '../json/map-strings.ts'
import type { Store } from '../store/store.ts'

/** The origins of one wiki: the recorded one, and those that it gives for itself, also in this answer. @throws PendingRead */
export type WikiOrigins = (response: RecordedResponse) => readonly string[]

export function wikiOrigins(store: Store): WikiOrigins {
  const { upstream } = store.manifest
  const origins = new Set(URL.canParse(upstream) ? [new URL(upstream).origin] : [])
  const addFrom = ({ body }: RecordedResponse) => {
    const server = body.kind === 'json' ? serverIn(body.tree) : undefined
    if (server !== undefined) origins.add(server)
  }
  let isRead = false
  return (response) => {
    const folders = isRead
      ? []
      : store.folders().filter((folder) => folder.includes('siteinfo'))
    for (const folder of folders)
      for (const { responses } of store.interactionsIn(folder)) responses.forEach(addFrom)
    isRead = true
    addFrom(response)
    return [...origins]
  }
}

export interface UrlRewriting {
  readonly origins: WikiOrigins
  /** Scheme, host, port and path prefix by which the client has reached the server. */
  readonly address: string
}

export function rewriteResponse(
  response: RecordedResponse,
  { origins, address }: UrlRewriting
): RecordedResponse {
  const mapping = { from: origins(response), to: address }
  const location = response.headers.get('location')
  const headers = new Map(response.headers)
  if (location !== undefined) headers.set('location', rewriteUrl(location, mapping))
  const { body } = response
  return body.kind === 'json'
    ? { ...response, headers, body: { ...body, tree: rewriteUrls(body.tree, mapping) } }
    : { ...response, headers }
}

/** Members that hold an address and have no `url` in their name. Source: API:Siteinfo, API:Pageimages */
const addressMembers: ReadonlySet<string> = new Set([
  'server',
  'base',
  'logo',
  'favicon',
  'source',
  'link'
])

/** @param path names of the members that lead to a value; the addresses of `opensearch` have none */
const holdsAddress = (path: readonly string[]) =>
  path.length === 0 ||
  addressMembers.has(path.at(-1) ?? '') ||
  path.some((name) => /urls?$/i.test(name))

export interface UrlRewrite {
  /** Origins of the wiki, e.g. `https://ru.wikipedia.org`. */
  readonly from: readonly string[]
  /** The new origin, e.g. `http://127.0.0.1:4050`. */
  readonly to: string
}

/** An answer of the API with the wiki's own URLs rewritten. */
export const rewriteUrls = (tree: JsonTree, rewrite: UrlRewrite): JsonTree =>
  mapStrings(tree, (value, { path }) =>
    holdsAddress(path) ? rewriteUrl(value, rewrite) : value
  )

/** A URL without a protocol, `//host/…`, stays without one. */
export function rewriteUrl(address: string, { from, to }: UrlRewrite): string {
  const [, protocol = '', host = '', rest = ''] =
    /^(https?:)?\/\/([^/?#\s]+)([/?#]\S*)?$/i.exec(address) ?? []
  const own = from.some(
    (one) => one.replace(/^(?:https?:)?\/\//i, '').toLowerCase() === host.toLowerCase()
  )
  if (host === '' || !own) return address
  return (protocol === '' ? to.replace(/^https?:/i, '') : to) + rest
}

/** The origin that a wiki gives as its own in `meta=siteinfo`; undefined in other answers. */
export function serverIn(tree: JsonTree): string | undefined {
  const server = textOf(memberAt(tree, 'query', 'general', 'server'))
  return server !== undefined && /^(?:https?:)?\/\/[^/?#\s]+$/i.test(server)
    ? server
    : undefined
}
