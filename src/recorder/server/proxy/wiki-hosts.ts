/** Which cassette a request is for that names its server: each wiki has its own, and other hosts are passed on, or refused. */
import { BlockList, isIP } from 'node:net'
import type { LiveWiki } from '../../engine/engine-options.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { readApiUrl } from '../../http/api-url.ts'
import { splitTarget } from '../../http/incoming-request.ts'
import type { OwnError } from '../../http/reply-headers.ts'
import { commandName } from '../../store/command-name.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { hostOf } from '../../upstream/connection/agent.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { InterceptedRequest } from './intercepted-request.ts'

/** A wiki, or another host whose answers are recorded. */
export interface HostedWiki {
  readonly dir: string
  readonly api: ApiUrl
  /** Undefined in replay, which asks nobody. */
  readonly live: LiveWiki | undefined
}

export const othersPolicies = ['record', 'pass', 'refuse'] as const
export type OthersPolicy = (typeof othersPolicies)[number]

/** How wikis that were not known are recorded. */
export interface HostRecording {
  readonly live: (api: ApiUrl) => LiveWiki
  /** The folder to record to. */
  readonly dirFor: (api: ApiUrl) => string
  readonly others: OthersPolicy
  readonly passOn: (origin: string) => Upstream
}

export interface WikiHostsOptions {
  /** The cassettes that are there. */
  readonly known: readonly Omit<HostedWiki, 'live'>[]
  /** Undefined in replay, which asks nobody. */
  readonly recording: HostRecording | undefined
  /** No other wiki is recorded. */
  readonly isClosed: boolean
}

export type HostDecision =
  | ({ readonly kind: 'wiki' } & HostedWiki)
  | { readonly kind: 'pass'; readonly upstream: Upstream }
  | { readonly kind: 'refused'; readonly error: OwnError }

export class WikiHosts {
  readonly #options: WikiHostsOptions
  readonly #wikis: HostedWiki[]
  readonly #upstreams = new Map<string, Upstream>()
  /** Requests to other hosts, by host. */
  readonly passed: Map<string, number> = new Map()
  readonly refused: Map<string, number> = new Map()

  constructor(options: WikiHostsOptions) {
    this.#options = options
    const live = options.recording?.live
    this.#wikis = options.known.map((one) => ({ ...one, live: live?.(one.api) }))
  }

  decide({ origin, target }: InterceptedRequest): HostDecision {
    const [path] = splitTarget(target)
    const apiPath = apiPathFor(path)
    const wiki = this.#find(origin, path, apiPath)
    if (wiki) return { kind: 'wiki', ...wiki }

    const { recording, isClosed } = this.#options
    if (!recording) return this.#refuse(origin, this.#notRecorded(origin, apiPath))

    const unsafe = whyUnsafe(new URL(origin))
    if (unsafe) return this.#refuse(origin, unsafe)

    const api =
      apiPath === undefined || isClosed ? undefined : readApiUrl(origin + apiPath)
    if (typeof api === 'object') return this.#add(api, recording)
    return this.#ofOther(origin, recording, apiPath !== undefined)
  }

  close(): void {
    for (const one of this.#upstreams.values()) one.close()
  }

  /** By its api.php; other pages belong to the wiki of their host whose paths they share. */
  #find(
    origin: string,
    path: string,
    apiPath: string | undefined
  ): HostedWiki | undefined {
    const ofHost = this.#wikis.filter(({ api }) => api.origin === origin)
    if (apiPath !== undefined) return ofHost.find(({ api }) => api.path === apiPath)

    const rootOf = ({ api }: HostedWiki) => api.path.replace(/[^/]*$/, '')
    return ofHost.find((one) => path.startsWith(rootOf(one))) ?? ofHost[0]
  }

  /** Of http and https at one host each has its cassette: the one may lead to the other. */
  #add(api: ApiUrl, { dirFor, live }: HostRecording): HostDecision {
    const named = dirFor(api)
    const isUsed = this.#wikis.some(({ dir }) => dir === named)
    const dir = isUsed ? `${named}_${new URL(api.href).protocol.slice(0, -1)}` : named
    const wiki = { dir, api, live: live(api) }
    this.#wikis.push(wiki)
    return { kind: 'wiki', ...wiki }
  }

  #ofOther(origin: string, recording: HostRecording, isWiki: boolean): HostDecision {
    const { host, port } = new URL(origin)
    if (port !== '' && !isWiki) {
      return this.#refuse(origin, {
        status: 403,
        code: 'unknown-port',
        info: `${origin} is another port than 80 and 443, and no wiki was seen there; nothing was sent`
      })
    }
    switch (recording.others) {
      case 'record': {
        const api = {
          href: `${origin}/`,
          origin,
          path: '/',
          host,
          authorization: undefined
        }
        return this.#add(api, recording)
      }
      case 'pass':
        count(this.passed, host)
        return {
          kind: 'pass',
          upstream: getOrAdd(this.#upstreams, origin, () => recording.passOn(origin))
        }
      case 'refuse': {
        return this.#refuse(origin, {
          status: 403,
          code: 'other-host',
          info: `${host} is no wiki that was seen, and --others refuse lets nothing pass to it`
        })
      }
    }
  }

  /** Names another address of the host that has a cassette: the one asked for may redirect to it. */
  #notRecorded(origin: string, apiPath: string | undefined): OwnError {
    const { host } = new URL(origin)
    const other = this.#wikis.find(({ api }) => api.host === host)
    const isWiki = apiPath !== undefined
    const what = isWiki ? `the wiki ${origin}${apiPath}` : origin
    const others = isWiki ? '' : ' --others record'
    const instead =
      isWiki && other ? `; one is of ${other.api.href}: name this address, or` : ';'
    return {
      status: 404,
      code: 'no-cassette',
      info: `no cassette is of ${what}, and nothing was sent${instead} record it: ${commandName} record${others} -- CMD`
    }
  }

  #refuse(origin: string, error: OwnError): HostDecision {
    count(this.refused, new URL(origin).host)
    return { kind: 'refused', error }
  }
}

function count(counts: Map<string, number>, host: string) {
  counts.set(host, (counts.get(host) ?? 0) + 1)
}

/** The api.php of the wiki whose API this path belongs to; undefined for other paths, which many programs have. */
function apiPathFor(path: string) {
  const folder = /^(.*?)\/+(?:api\.php$|rest\.php(?:\/|$))/.exec(path)?.[1]
  return folder === undefined ? undefined : `${folder.replace(/\/{2,}/g, '/')}/api.php`
}

/* Addresses that no program may be led to (SECURITY.md, "As the proxy of a program"). */

const privateAddresses = new BlockList()
privateAddresses.addSubnet('0.0.0.0', 8)
privateAddresses.addSubnet('127.0.0.0', 8)
privateAddresses.addSubnet('169.254.0.0', 16)
privateAddresses.addAddress('100.100.100.200')
privateAddresses.addSubnet('::', 127, 'ipv6')
privateAddresses.addSubnet('fe80::', 10, 'ipv6')
privateAddresses.addAddress('fd00:ec2::254', 'ipv6')

/** Services that give credentials to every program of a machine in a cloud. */
const metadataNames =
  /^(?:metadata(?:\.google\.internal|\.goog)?|instance-data(?:\.ec2\.internal)?)\.?$/

function whyUnsafe(address: URL) {
  const { origin } = address
  const host = hostOf(address)
  const version = isIP(host)
  const isPrivate =
    version > 0 && privateAddresses.check(host, version === 6 ? 'ipv6' : 'ipv4')
  if (!isPrivate && !metadataNames.test(host)) return undefined

  return {
    status: 403,
    code: 'unsafe-address',
    info: `${origin} is an address of this machine or of its cloud, and nothing was sent; if a wiki is there, name it: ${commandName} record ${origin}/w/api.php --intercept -- CMD`
  }
}
