/** Finds the address of api.php from any address of a wiki: a page, a bare host, api.php itself. */

import { type ApiUrl, readApiUrl, usualPaths } from '../../recorder/http/api-url.ts'
import { hasMember } from '../../recorder/json/json-tree.ts'
import { readTree } from '../../recorder/json/read-json.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { getOrAdd } from '../../recorder/text/group-by.ts'
import { quotedExcerpt } from '../../recorder/upstream/answers/recordable.ts'
import { redirectUrl } from '../../recorder/upstream/redirects.ts'
import { type Upstream, UpstreamError } from '../../recorder/upstream/upstream.ts'
import {
  bodyText,
  mediaType,
  type WikiAnswer
} from '../../recorder/wiki/answers/wiki-answer.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { readApiUrlArg } from '../flags/connection-flags.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { anonymousUpstream, getRequest } from './wiki-upstream.ts'

const maxRedirects = 5

/** An address that ends in api.php is used without a request. @throws UsageError if there is no wiki, UpstreamError */
export async function findApi(text: string, call: Invocation): Promise<ApiUrl> {
  const candidates =
    /^https?:\/\//i.test(text) || !isHost(text) ? [text] : schemesFor(text)
  const [first = text] = candidates
  const typedUrl = readApiUrl(first)
  if (typeof typedUrl !== 'string' && candidates.length === 1) return typedUrl
  if (!URL.canParse(first) || !/^https?:$/.test(new URL(first).protocol))
    throw new UsageError(typeof typedUrl === 'string' ? typedUrl : typedUrl.href)
  const upstreams = new Map<string, Upstream>()
  try {
    const found = await findFromAny(candidates, (address) => {
      const { origin, pathname, search } = new URL(address)
      const upstream = getOrAdd(upstreams, origin, () => anonymousUpstream(origin, call))
      return upstream.ask(getRequest(pathname + search))
    })
    printNote(call, `the api.php of ${redactUrl(text)} is ${found.href}`)
    return found
  } finally {
    for (const one of upstreams.values()) one.close()
  }
}

const isHost = (text: string) =>
  /^[\w.-]+\.[\w-]+(?::\d+)?(?:\/|$)|^localhost(?::\d+)?(?:\/|$)/.test(text)

/** A named port, and this machine, speak http more often than not. */
const schemesFor = (text: string) =>
  /^(?:localhost|127\.|[^/]*:\d)/.test(text)
    ? [`http://${text}`, `https://${text}`]
    : [`https://${text}`, `http://${text}`]

type Get = (address: string) => Promise<WikiAnswer>
type Page = { readonly url: string; readonly answer: WikiAnswer }

/** @throws UsageError if an address answers, but is no wiki's, UpstreamError of the first one */
async function findFromAny(addresses: readonly string[], get: Get) {
  let failure: UpstreamError | undefined
  for (const address of addresses) {
    try {
      return withTypedCredentials(
        address,
        await findFrom(address, addresses[0] ?? '', get)
      )
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      failure ??= error
    }
  }
  throw failure
}

/** The address in the page's RSD link, then the usual ones. @param typed for the message */
async function findFrom(address: string, typed: string, get: Get) {
  const page = await follow(address, get)
  const advertised = rsdLink(page)
  const tried = [page]
  for (const path of [advertised ?? [], usualPaths].flat()) {
    const api = new URL(path, page.url).href
    const answered = await follow(`${api}?action=query&meta=siteinfo&format=json`, get)
    if (isApi(answered)) return api
    tried.push(answered)
  }
  const results = tried.map(({ url, answer }) => {
    const type = mediaType(answer.headers) || 'no media type'
    return `${redactUrl(url)} is ${type} with status ${answer.status}${quotedExcerpt(answer)}`
  })
  throw new UsageError(
    `no api.php was found at ${redactUrl(typed)}: ${results.join('; ')}. Expected the address of a wiki's page or of its api.php (its Special:Version names the "entry point")`
  )
}

/** Follows redirects. @throws UpstreamError */
async function follow(address: string, get: Get) {
  let url = address
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const answer = await get(url)
    const { status, headers } = answer
    const next = redirectUrl(status, headers.get('location'), url)
    if (!next) return { url, answer }
    url = next.href
  }
  throw new UpstreamError('moved', `${redactUrl(address)} redirects in a loop`)
}

function isApi({ answer }: Page) {
  const tree =
    mediaType(answer.headers) === 'application/json'
      ? readTree(bodyText(answer))
      : undefined
  // A private wiki answers too: readapidenied.
  const signs = [['query', 'general'], ['error', 'code'], ['errors']]
  return signs.some((path) => hasMember(tree, ...path))
}

/** `<link rel="EditURI" type="application/rsd+xml" href="//ru.wikipedia.org/w/api.php?action=rsd">` */
function rsdLink({ answer, url: page }: Page) {
  const text = mediaType(answer.headers).includes('html')
    ? bodyText(answer)?.slice(0, 500_000)
    : undefined
  for (const [tag] of text?.matchAll(/<link\b[^>]{0,2000}>/gi) ?? []) {
    if (!/\brel\s*=\s*["']?EditURI\b/i.test(tag)) continue
    const href = /\bhref\s*=\s*["']([^"']{1,1000})["']/i
      .exec(tag)?.[1]
      ?.replaceAll('&amp;', '&')
    if (href === undefined || !URL.canParse(href, page)) continue
    const { protocol, origin, pathname } = new URL(href, page)
    if (/^https?:$/.test(protocol) && pathname.endsWith('/api.php'))
      return origin + pathname
  }
  return undefined
}

/** Credentials are sent only to the host that they were given for. */
function withTypedCredentials(address: string, href: string) {
  const typed = new URL(address)
  const found = new URL(href)
  if (typed.hostname === found.hostname) {
    found.username = typed.username
    found.password = typed.password
  }
  return readApiUrlArg(found.href)
}
