/** Questions of wikitape's own go where the wiki has moved to: to https, to the host that it is known by. */
import { withoutCredentials } from '../privacy/redact/url-credentials.ts'
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { type Leaving, type Upstream, UpstreamError, type UpstreamRequest } from './upstream.ts'

/** Where a wiki's api.php lies. */
export interface Address {
  /** Scheme, host and port. */
  readonly origin: string
  readonly path: string
}

export interface Following {
  /** An upstream for an origin. */
  readonly upstream: (origin: string) => Upstream
  /** True where every question carries what only this wiki may see. */
  readonly confidential: boolean
  /** True where questions carry cookies of a client, which are this wiki's alone. */
  readonly borrowed: boolean
  /** Told once, with the address that answers. */
  readonly moved: (to: string) => void
}

const mostHops = 5

/** Asks at `address`, and after redirects where they led to; the method of a question never changes. */
export function followingUpstream(
  address: Address,
  { upstream, confidential, borrowed, moved }: Following,
): Upstream {
  const opened = new Map<string, Upstream>()
  let place = address
  const at = (origin: string): Upstream => {
    const known = opened.get(origin) ?? upstream(origin)
    opened.set(origin, known)
    return known
  }
  const ask = async (request: UpstreamRequest, signal?: Leaving): Promise<WikiAnswer> => {
    const isApi = request.target.split('?', 1)[0] === address.path
    // Where an earlier question was led to, without any credentials.
    const { authorization, cookie } = request.headers
    if (isApi)
      mustMayFollow(address, place, authorization !== undefined || (borrowed && cookie !== undefined))
    for (let hops = 0; hops <= mostHops; hops += 1) {
      const target = isApi ? place.path + request.target.slice(address.path.length) : request.target
      const answer = await at(place.origin).ask({ ...request, target }, signal)
      const next = isApi ? movedTo(answer, `${place.origin}${target}`) : undefined
      if (next === undefined) {
        if (place !== address && hops > 0) moved(place.origin + place.path)
        return answer
      }
      mustMayFollow(place, next, confidential || hasCredentials(request))
      place = next
    }
    throw new UpstreamError(
      'moved',
      `${address.origin}${address.path} redirects in a circle (at last to ${place.origin}${place.path}); name the address of api.php that a browser ends at`,
    )
  }
  return {
    ask,
    close: () => {
      for (const one of opened.values()) one.close()
    },
  }
}

/** Another address of api.php; undefined for any other answer, and for redirects to something else. */
function movedTo({ status, headers }: WikiAnswer, from: string): Address | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, from)) return undefined
  const { protocol, origin, pathname } = new URL(location, from)
  return /^https?:$/.test(protocol) && pathname.endsWith('/api.php') ? { origin, path: pathname } : undefined
}

/** Credentials stay with the host that they were given for, and are not sent in clear. */
function mustMayFollow(from: Address, to: Address, confidential: boolean): void {
  const [here, there] = [new URL(from.origin), new URL(to.origin)]
  const downgraded = here.protocol === 'https:' && there.protocol === 'http:'
  if (!confidential || (here.hostname === there.hostname && !downgraded)) return
  throw new UpstreamError(
    'moved',
    `${from.origin} redirects to ${withoutCredentials(to.origin + to.path)}, and what was given to log in is not sent on; if that is your wiki, name that address yourself`,
  )
}

const hasCredentials = ({ headers }: UpstreamRequest): boolean =>
  headers['authorization'] !== undefined || headers['cookie'] !== undefined
