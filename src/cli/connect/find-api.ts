/** Finds the address of api.php from any address of a wiki: a page, a bare host, api.php itself. */
import { type ApiUrl, readApiUrl, usualPaths } from '../../http/api-url.ts'
import { memberAt } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { quotedExcerpt } from '../../upstream/answers/recordable.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import { bodyText, mediaType, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { readApiUrlArg } from '../flags/connection-flags.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { anonymousUpstream } from './wiki-upstream.ts'

const maxRedirects = 5

/** An address that ends in api.php is used without a request. @throws UsageError if there is no wiki, UpstreamError */
export async function findApi(text: string, call: Invocation): Promise<ApiUrl> {
  const candidates = /^https?:\/\//i.test(text) || !isHost(text) ? [text] : schemesFor(text)
  const [first = text] = candidates
  const typedUrl = readApiUrl(first)
  if (typeof typedUrl !== 'string' && candidates.length === 1) return typedUrl
  if (!URL.canParse(first) || !/^https?:$/.test(new URL(first).protocol))
    throw new UsageError(typeof typedUrl === 'string' ? typedUrl : typedUrl.href)
  const search = new ApiSearch(call)
  try {
    const found = await search.find(candidates)
    printNote(call, `the api.php of ${redactUrl(text)} is ${found.href}`)
    return found
  } finally {
    search.close()
  }
}

const isHost = (text: string): boolean =>
  /^[\w.-]+\.[\w-]+(?::\d+)?(?:\/|$)|^localhost(?::\d+)?(?:\/|$)/.test(text)

/** A named port, and this machine, speak http more often than not. */
const schemesFor = (text: string): readonly string[] =>
  /^(?:localhost|127\.|[^/]*:\d)/.test(text)
    ? [`http://${text}`, `https://${text}`]
    : [`https://${text}`, `http://${text}`]

class ApiSearch {
  readonly #upstreams = new Map<string, Upstream>()
  readonly #open: (origin: string) => Upstream
  readonly #tried: string[] = []

  constructor(call: Invocation) {
    this.#open = anonymousUpstream(call)
  }

  /** @throws UsageError if an address answers, but is no wiki's, UpstreamError of the first one */
  async find(addresses: readonly string[]): Promise<ApiUrl> {
    let failure: UpstreamError | undefined
    for (const address of addresses) {
      try {
        const found = await this.#findFrom(address)
        if (found !== undefined) return withTypedCredentials(address, found)
        throw new UsageError(
          `no api.php was found at ${redactUrl(addresses[0] ?? '')}: ${this.#tried.join('; ')}. Expected the address of a wiki's page or of its api.php (its Special:Version names the "entry point")`,
        )
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        failure ??= error
      }
    }
    throw failure
  }

  close(): void {
    for (const one of this.#upstreams.values()) one.close()
  }

  /** The address in the page's RSD link, then the usual ones. */
  async #findFrom(address: string): Promise<string | undefined> {
    const { url, answer } = await this.#follow(address)
    const advertised = rsdLink(answer, url)
    const guesses = usualPaths.map((path) => new URL(path, url).href)
    for (const candidate of advertised === undefined ? guesses : [advertised, ...guesses])
      if (await this.#isApi(candidate)) return candidate
    return undefined
  }

  /** Follows redirects. @throws UpstreamError */
  async #follow(address: string): Promise<{ readonly url: string; readonly answer: WikiAnswer }> {
    let url = address
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const answer = await this.#request(url)
      const location = answer.headers.get('location')
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined
      if (!isRedirect || !URL.canParse(location, url)) {
        const type = mediaType(answer.headers) || 'no media type'
        this.#tried.push(`${redactUrl(url)} is ${type} with status ${answer.status}${quotedExcerpt(answer)}`)
        return { url, answer }
      }
      url = new URL(location, url).href
    }
    throw new UpstreamError('moved', `${redactUrl(address)} redirects in a loop`)
  }

  async #isApi(candidate: string): Promise<boolean> {
    const { answer } = await this.#follow(`${candidate}?action=query&meta=siteinfo&format=json`)
    const tree = mediaType(answer.headers) === 'application/json' ? readTree(bodyText(answer)) : undefined
    // A private wiki answers too: readapidenied.
    const signs = [['query', 'general'], ['error', 'code'], ['errors']]
    return signs.some((path) => memberAt(tree, ...path) !== undefined)
  }

  #request(address: string): Promise<WikiAnswer> {
    const { origin, pathname, search } = new URL(address)
    const upstream = getOrAdd(this.#upstreams, origin, () => this.#open(origin))
    return upstream.ask({ method: 'GET', target: pathname + search, headers: {}, body: new Uint8Array() })
  }
}

/** `<link rel="EditURI" type="application/rsd+xml" href="//ru.wikipedia.org/w/api.php?action=rsd">` */
function rsdLink(answer: WikiAnswer, page: string): string | undefined {
  const text = mediaType(answer.headers).includes('html') ? bodyText(answer)?.slice(0, 500_000) : undefined
  for (const [tag] of text?.matchAll(/<link\b[^>]{0,2000}>/gi) ?? []) {
    if (!/\brel\s*=\s*["']?EditURI\b/i.test(tag)) continue
    const href = /\bhref\s*=\s*["']([^"']{1,1000})["']/i.exec(tag)?.[1]?.replaceAll('&amp;', '&')
    if (href === undefined || !URL.canParse(href, page)) continue
    const { protocol, origin, pathname } = new URL(href, page)
    if (/^https?:$/.test(protocol) && pathname.endsWith('/api.php')) return origin + pathname
  }
  return undefined
}

/** Credentials are sent only to the host that they were given for. */
function withTypedCredentials(address: string, href: string): ApiUrl {
  const [typed, found] = [new URL(address), new URL(href)]
  if (typed.hostname === found.hostname) {
    found.username = typed.username
    found.password = typed.password
  }
  return readApiUrlArg(found.href)
}
