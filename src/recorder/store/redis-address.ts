/** Address of a cassette on Redis or Valkey, e.g. `redis://host:6379/0#name`, in place of a folder. Messages show it without credentials. */
import { decodePercent } from '../text/percent-decoding.ts'
import { StoreError } from './store-error.ts'

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

/** Name: letters, digits and `._/-`; no brace, which would be part of a hash tag, and nothing that a terminal interprets. */
const form =
  /^(?:redis|valkey)(s?)(?:\+(cluster|sentinel))?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?(?:replicas=(\d))?)?#([\p{L}\p{N}][\p{L}\p{N}._/-]{0,119})$/u
const hostForm = /^(?:\[([0-9a-f:]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i
/** Name of the master, and database. */
const pathForms = {
  server: /^()(\d{0,2})$/,
  cluster: /^()(0{0,2})$/,
  sentinel: /^([^/]+)(?:\/(\d{0,2}))?$/
}

/** @param env where no credentials are in the address: WIKITAPE_STORE_USER, WIKITAPE_STORE_PASSWORD. @throws StoreError */
export function readRedisAddress(
  text: string,
  env: Readonly<Record<string, string | undefined>> = process.env
): RedisAddress {
  const shown = withoutCredentials(text)
  const [
    address,
    tls,
    scheme,
    credentials = '',
    authority = '',
    path = '',
    replicas,
    name = ''
  ] = form.exec(text) ?? []
  const kind = scheme === 'cluster' || scheme === 'sentinel' ? scheme : 'server'
  const [location, masterName = '', database] = pathForms[kind].exec(path) ?? []
  const hosts = authority.split(',').map((one) => {
    const [, ip6, host = ip6, port = kind === 'sentinel' ? 26_379 : 6379] =
      hostForm.exec(one) ?? []
    if (host === undefined) throw new StoreError('address', shown)
    return { host, port: Number(port) }
  })
  if (address === undefined || location === undefined)
    throw new StoreError('address', shown)
  const [, username, password] =
    /^([^:]*):?(.*)$/s.exec(credentials)?.map(decodePercent) ?? []
  return {
    kind,
    tls: tls === 's',
    hosts,
    masterName,
    database: Number(database ?? 0),
    username: username || env['WIKITAPE_STORE_USER'] || undefined,
    password: password || env['WIKITAPE_STORE_PASSWORD'] || undefined,
    name,
    replicas: Number(replicas ?? 0),
    shown
  }
}

export const isStoreAddress = (text: string): boolean =>
  /^(?:rediss?|valkeys?)(?:\+\w+)?:/.test(text)

/** An address without user and password, for messages. */
export const withoutCredentials = (address: string): string =>
  address.replace(/^((?:[a-z+]+:\/\/)?)[^#?]*@/i, '$1')
