/** Address of a cassette on Redis or Valkey, e.g. `redis://host:6379/0#name`. Messages show it without credentials. */
import { decodePercent } from '../../text/percent-decoding.ts'
import { withoutCredentials } from '../store-address.ts'
import { StoreError } from '../store-error.ts'

export interface RedisAddress {
  readonly kind: 'server' | 'cluster' | 'sentinel'
  readonly tls: boolean
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  /** Of sentinels: what they call the master. */
  readonly masterName: string
  readonly database: number
  readonly username: string | undefined
  readonly password: string | undefined
  readonly name: string
  /** A recording is acknowledged once so many replicas have it (`?replicas=N`). */
  readonly replicas: number
  /** The address without credentials. */
  readonly shown: string
}

const scheme = /^(redis|valkey)(s?)(?:\+(cluster|sentinel))?:\/\//
/** Letters, digits and `._/-`: no brace, which would be part of a hash tag, and nothing that a terminal interprets. */
const cassetteName = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,119}$/u

/** @param env where no credentials are in the address: WIKITAPE_STORE_USER, WIKITAPE_STORE_PASSWORD. @throws StoreError */
export function readRedisAddress(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): RedisAddress {
  const [opening = '', engine = 'redis', tls = '', kind = 'server'] = scheme.exec(text) ?? []
  const [location = '', name = ''] = splitOnce(text.slice(opening.length), '#')
  const [withPath = '', query = ''] = splitOnce(location, '?')
  const [authority = '', path = ''] = splitOnce(withPath, '/')
  const at = authority.lastIndexOf('@')
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map(readHost(kind === 'sentinel' ? 26_379 : 6379))
  const [masterName = '', database = ''] = kind === 'sentinel' ? splitOnce(path, '/') : ['', path]
  const parameters = new URLSearchParams(query)
  const replicas = parameters.get('replicas') ?? '0'
  const isValid =
    opening !== '' &&
    hosts.every(isHost) &&
    /^\d{0,2}$/.test(database) &&
    /^\d$/.test(replicas) &&
    [...parameters.keys()].every((one) => one === 'replicas') &&
    (kind !== 'sentinel' || masterName !== '')
  if (!isValid || (kind === 'cluster' && Number(database) !== 0) || !cassetteName.test(name))
    throw StoreError.invalidAddress(withoutCredentials(text))
  const [username, password] = at < 0 ? [] : splitOnce(authority.slice(0, at), ':').map(decodePercent)
  return {
    kind: kind as RedisAddress['kind'],
    tls: tls !== '',
    hosts: hosts.filter(isHost),
    masterName,
    database: Number(database),
    username: username || env['WIKITAPE_STORE_USER'] || undefined,
    password: password || env['WIKITAPE_STORE_PASSWORD'] || undefined,
    name,
    replicas: Number(replicas),
    shown: `${engine}${tls}${kind === 'server' ? '' : `+${kind}`}://${withoutCredentials(location)}#${name}`,
  }
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

type Host = RedisAddress['hosts'][number]

const isHost = (host: Host | undefined): host is Host => host !== undefined

const readHost =
  (defaultPort: number) =>
  (text: string): Host | undefined => {
    const [, ip6, host = ip6, port] = /^(?:\[([0-9a-f:]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
    return host === undefined ? undefined : { host, port: port === undefined ? defaultPort : Number(port) }
  }
