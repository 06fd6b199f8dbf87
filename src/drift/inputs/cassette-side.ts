/** One side of a comparison: a cassette, or a wiki that was just asked the same; and what in its answers is its own. */
import type { Manifest } from '../../recorder/cassette/format/manifest.ts'
import type { PageStates } from '../../recorder/cassette/format/pages-file.ts'
import type { Traffic } from '../../recorder/cassette/format/traffic-file.ts'
import type {
  Interaction,
  RecordedResponse
} from '../../recorder/cassette/interaction.ts'
import {
  hasMember,
  type JsonTree,
  jsonObject,
  memberOf,
  textAt,
  textOf
} from '../../recorder/json/json-tree.ts'
import { writeCompact } from '../../recorder/json/write-json.ts'
import { continueMembers } from '../../recorder/paging/reading/split-answer.ts'
import type { CanonicalRequest, RequestKey } from '../../recorder/request/request-key.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { splitValues } from '../../recorder/wiki/parameters/request-params.ts'
import type { RequestRef } from '../changes/change.ts'

export interface CassetteSide {
  /** What reports call it: a folder, an api-url. */
  readonly name: string
  readonly manifest: Manifest
  readonly interactions: readonly Interaction[]
  /** Elements of `paraminfo.modules` by path, as the wiki sent them (parsed). */
  readonly modules: ReadonlyMap<string, unknown>
  /** Listings joined from their batches; compared whole, not batch by batch. */
  readonly listings?: readonly WholeListing[]
  /** States of the pages that the requests name, if the wiki was asked for them. */
  readonly pages?: PageStates
  /** How often clients make its requests, if access logs were counted. */
  readonly traffic?: Traffic | undefined
  /** What could not be read or fetched: makes the comparison incomplete. */
  readonly faults?: readonly string[]
  /** What was left out on purpose, as text. */
  readonly skipped?: readonly string[]
}

/** All items of one listing, in order, paging removed. */
export interface WholeListing {
  /** The request less its limit and continuation. */
  readonly request: CanonicalRequest
  /** Where the items are in an answer, e.g. `query`, `allpages`. */
  readonly path: readonly string[]
  readonly items: readonly JsonTree[]
  /** The interactions that the items came from. */
  readonly batches: ReadonlySet<RequestKey>
}

/** Undefined for an answer that is no JSON. */
export const jsonIn = ({ body }: RecordedResponse): JsonTree | undefined =>
  body.kind === 'json' ? body.tree : undefined

export const jsonBodies = (interactions: readonly Interaction[]): readonly JsonTree[] =>
  interactions.flatMap(({ responses }) => responses.flatMap((one) => jsonIn(one) ?? []))

/** True for a description of the routes of rest.php. */
export const isOpenApi = (tree: JsonTree): boolean =>
  hasMember(tree, 'openapi') && memberOf(tree, 'paths')?.kind === 'object'

export const siteinfoBodies = ({
  interactions
}: Pick<CassetteSide, 'interactions'>): readonly JsonTree[] =>
  jsonBodies(
    interactions.filter(({ request }) =>
      request.get('meta')?.split('|').includes('siteinfo')
    )
  )

/** `1.43.9`, from the manifest or from siteinfo's generator; empty if unknown. */
export const engineOf = ({ manifest }: CassetteSide): string =>
  manifest.engine || (manifest.site?.generator ?? '').replace(/^MediaWiki /, '')

/** The wiki's id, or else its address. */
export const wikiNameOf = ({ manifest: { site, upstream } }: CassetteSide): string =>
  site?.wikiId ?? upstream

/** One text for one canonical request, to align by. */
export const requestIdentity = (request: CanonicalRequest): string =>
  JSON.stringify([...request].sort(([a], [b]) => (a < b ? -1 : 1)))

/** The route of a request to rest.php, `/v1/page/{}/history`: names and numbers begin with other characters, or are too short to matter. */
export function restRouteOf(request: CanonicalRequest): string | undefined {
  const [, path, fields = ''] =
    /\/rest\.php(\/[^?]*)(?:.*[?&](_fields=[^&]*))?/.exec(
      request.get('plain target') ?? ''
    ) ?? []
  const parts = path
    ?.split('/')
    .map((part) => (/^(?:[a-z_]*|v\d)$/.test(part) ? part : '{}'))
  return parts && [parts.join('/'), fields].filter((part) => part !== '').join('?')
}

/** The class of a request, whatever its titles and limits: `generator=allimages&prop=duplicatefiles`, a route of rest.php, `plain`. */
export function classOf(request: CanonicalRequest): string {
  if (request.has('plain target')) return restRouteOf(request) ?? 'plain'
  const action = request.get('action') ?? 'help'
  if (action !== 'query') return `action=${action}`
  const parts = ['generator', 'list', 'meta', 'prop'].flatMap((name) => {
    const values = splitValues(request.get(name) ?? '')
    return values.length === 0 ? [] : [`${name}=${[...values].sort().join('|')}`]
  })
  return parts.length === 0 ? 'action=query' : parts.join('&')
}

/** An interaction as findings name it. */
export const requestRefOf = ({ key, request }: Interaction): RequestRef => ({
  key,
  request,
  requestClass: classOf(request)
})

const shapingParams = wordSet(
  'format formatversion errorformat generator list meta action'
)

/** Parameters that decide which fields an answer has; of answers that are no JSON there are no samples. */
export const isShapingParam = (name: string): boolean =>
  shapingParams.has(name) || name === 'as user' || /(?:prop|type|show)$/.test(name)

/** Requests with equal shape class are expected to have the same fields in their answers. */
export const shapeClassOf = (request: CanonicalRequest): string =>
  restRouteOf(request) ??
  requestIdentity(new Map([...request].filter(([name]) => isShapingParam(name))))

/** True if the request names the pages or things it wants, so that none may be missing. */
export const namesItems = (request: CanonicalRequest): boolean =>
  !request.has('generator') &&
  ['titles', 'pageids', 'revids', 'ususers', 'ususerids'].some((name) =>
    request.has(name)
  )

/** True if it names them by numbers, which are another wiki's own. */
export const namesNumbers = (request: CanonicalRequest): boolean =>
  ['pageids', 'revids', 'ususerids'].some((name) => request.has(name))

/** A text with the side's own addresses replaced by one name for all sides. */
export type StripOwnHost = (text: string) => string

export function ownHostStripper(side: CassetteSide): StripOwnHost {
  const servers = siteinfoBodies(side).map((tree) =>
    textAt(tree, 'query', 'general', 'server')
  )
  // `127.0.0.1:8143` of an absolute or protocol-relative address.
  const found = [side.manifest.upstream, ...servers].flatMap(
    (one = '') => /^(?:https?:)?\/\/([^/?#]+)/.exec(one)?.[1] ?? []
  )
  const hosts = [...new Set(found)].sort((a, b) => b.length - a.length)
  if (hosts.length === 0) return (text) => text
  const origin = new RegExp(
    `(https?:)?//(?:${hosts.join('|').replace(/[^\w|]/g, '\\$&')})(?![\\w.:-])`,
    'g'
  )
  return (text) =>
    hosts.some((host) => text.includes(host))
      ? text.replace(
          origin,
          (_, scheme?: string) => `${scheme === undefined ? '' : 'http:'}//wiki.local`
        )
      : text
}

/** How an answer says that there is more, in both dialects. Sources: API:Continue, API:Raw_query_continue. */
export interface Continuation {
  readonly dialect: 'query-continue' | 'continue' | 'none'
  /** Parameters to send back, without the dialect's own `continue`. */
  readonly values: ReadonlyMap<string, string>
  readonly tree: JsonTree | undefined
}

export function readContinuation(tree: JsonTree): Continuation {
  const old = memberOf(tree, 'query-continue')
  const now = memberOf(tree, 'continue')
  const single = now ? 'continue' : 'none'
  const members = continueMembers(old ? jsonObject([['query-continue', old]]) : tree)
  return {
    dialect: old ? 'query-continue' : single,
    values: new Map(
      members.map(({ key, value }) => [key, textOf(value) ?? writeCompact(value, 'utf8')])
    ),
    tree: old ?? now
  }
}

/** True if there is more to ask for. */
export const isContinued = (tree: JsonTree): boolean =>
  readContinuation(tree).dialect !== 'none'

/** Every continue value that the side's answers hand out, as `name=value`. */
export const continueValues = (side: CassetteSide): ReadonlySet<string> =>
  new Set(
    jsonBodies(side.interactions).flatMap((body) =>
      [...readContinuation(body).values].map(([name, value]) => `${name}=${value}`)
    )
  )
