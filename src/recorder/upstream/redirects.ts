/** Follows redirects of api.php, for wikitape's own requests: to https, to the wiki's present host. */
import { redactUrl } from '../privacy/redact/redact-url.ts'
import { getOrAdd } from '../text/group-by.ts'
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { type Upstream, UpstreamError, type UpstreamRequest } from './upstream.ts'

/** The address of a wiki's api.php. */
export interface ApiAddress {
  /** Scheme, host and port. */
  readonly origin: string
  readonly path: string
}

export interface RedirectOptions {
  /** An upstream for an origin. */
  readonly upstream: (origin: string) => Upstream
  /** True where every request carries credentials. */
  readonly isConfidential: boolean
  /** True where requests carry cookies of a client, which are for this wiki only. */
  readonly hasClientCookies: boolean
  /** Called once, with the address that answers. */
  readonly onMoved: (to: string) => void
}

const maxRedirects = 5

/** Sends requests to `address`, and after redirects to where they led; the method never changes. */
export function followRedirects(
  address: ApiAddress,
  { upstream, isConfidential, hasClientCookies, onMoved }: RedirectOptions
): Upstream {
  const upstreams = new Map<string, Upstream>()
  let current = address
  const ask = async (request: UpstreamRequest, signal?: AbortSignal) => {
    const isApi = request.target.split('?', 1)[0] === address.path
    // An earlier request, without credentials, may have been redirected.
    const { authorization, cookie } = request.headers
    const hasOwnCookies = hasClientCookies && cookie !== undefined
    if (isApi)
      checkMayFollow(address, current, authorization !== undefined || hasOwnCookies)
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const target = isApi
        ? current.path + request.target.slice(address.path.length)
        : request.target
      const { origin } = current
      const answer = await getOrAdd(upstreams, origin, () => upstream(origin)).ask(
        { ...request, target },
        signal
      )
      const next = isApi
        ? redirectTarget(answer, `${current.origin}${target}`)
        : undefined
      if (!next) {
        if (current !== address && redirects > 0) onMoved(current.origin + current.path)
        return answer
      }
      checkMayFollow(
        current,
        next,
        isConfidential || authorization !== undefined || cookie !== undefined
      )
      current = next
    }
    throw new UpstreamError(
      'moved',
      `${address.origin}${address.path} redirects in a loop (at last to ${current.origin}${current.path}); name the address of api.php that a browser ends at`
    )
  }
  return {
    ask,
    close: () => {
      for (const one of upstreams.values()) one.close()
    }
  }
}

/** The address of api.php that a redirect leads to; undefined for any other answer. */
function redirectTarget({ status, headers }: WikiAnswer, from: string) {
  const url = redirectUrl(status, headers.get('location'), from)
  const isApi =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname.endsWith('/api.php')
  return isApi ? { origin: url.origin, path: url.pathname } : undefined
}

/** Where a redirect leads to; undefined for any other answer. */
export const redirectUrl = (
  status: number,
  location: string | undefined,
  from: string
): URL | undefined =>
  [301, 302, 303, 307, 308].includes(status) &&
  location !== undefined &&
  URL.canParse(location, from)
    ? new URL(location, from)
    : undefined

/** Credentials go only to the host that they were given for, and never from https to http. @throws UpstreamError */
function checkMayFollow(from: ApiAddress, to: ApiAddress, isConfidential: boolean) {
  const here = new URL(from.origin)
  const there = new URL(to.origin)
  const isDowngrade = here.protocol === 'https:' && there.protocol === 'http:'
  if (!isConfidential || (here.hostname === there.hostname && !isDowngrade)) return
  throw new UpstreamError(
    'moved',
    `${from.origin} redirects to ${redactUrl(to.origin + to.path)}, and credentials are not sent there; if that is your wiki, name that address yourself`
  )
}
