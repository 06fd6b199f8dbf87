/** The client of ioredis, loaded when it is needed; what it or a server has refused: whether that ends by itself, and in words. */
import type { Cluster, Redis } from 'ioredis'
import { commandName } from '../recorder/store/command-name.ts'
import type { RedisAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { errorText, systemErrorCode } from '../recorder/text/error-text.ts'

/** Written, but not confirmed by the replicas that the address demands. */
export class Unconfirmed extends Error {}

export const isReplyError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError'
/** Refusals that end by themselves: a failover, a restart, a cluster that is being put together. */
const passingReply =
  /^(?:READONLY|CLUSTERDOWN|LOADING|MASTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED|NOREPLICAS)\b/

export const isPassing = (error: unknown): boolean =>
  isReplyError(error)
    ? passingReply.test(errorText(error))
    : !/self-signed|certificate|altname/i.test(errorText(error))

/** In words, with what to do. ioredis keeps the arguments of a command apart from the message. */
export function explanationOf(error: unknown, database: number): string {
  const message = errorText(error)
  const code = systemErrorCode(error)
  if (/^(?:NOAUTH|WRONGPASS)/.test(message))
    return `the server wants a user and a password, or other ones (${message.split(' ', 1)[0]}): set WIKITAPE_STORE_USER and WIKITAPE_STORE_PASSWORD`
  if (message.startsWith('NOPERM'))
    return `${message}; docs/fleet.md lists the commands and keys that the user needs`
  if (message.startsWith('OOM'))
    return 'the server has no memory left (maxmemory): give it more, or prune the cassette'
  if (/DB index|SELECT is not allowed/.test(message))
    return `it has no database ${database} (${message}): name another one in front of #`
  if (message.startsWith('All sentinels are unreachable'))
    return 'none of its sentinels answers, or knows a master of that name'
  if (message.startsWith('Failed to refresh slots cache'))
    return 'no node of the cluster answers'
  if (/altname/i.test(message))
    return `its certificate is for another host name (${message})`
  if (/certificate|self-signed/i.test(message))
    return `its certificate is not accepted (${message}): name the file of its authority in NODE_EXTRA_CA_CERTS`
  return code === 'ECONNREFUSED'
    ? 'nothing listens there (ECONNREFUSED)'
    : code || message || 'no answer'
}

/** After so many milliseconds without an answer a connection is given up, and another one made. */
const silence = 2500

type RedisModule = Pick<typeof import('ioredis'), 'Cluster' | 'Redis'>

/** @throws StoreError if it is not installed */
export async function loadClient(shown: string): Promise<RedisModule> {
  try {
    return await import('ioredis')
  } catch (error) {
    if (systemErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    const how =
      commandName === 'wikitape'
        ? 'npm install --global ioredis'
        : 'npm install --save-dev ioredis'
    throw new StoreError(
      'unreachable',
      shown,
      `the package ioredis is needed for it: ${how}`
    )
  }
}

const retryDelay = (times: number) => Math.min(50 * times, 500)

export function makeClient(
  { Cluster, Redis }: RedisModule,
  address: RedisAddress
): Redis | Cluster {
  const { hosts, kind, username, password, tls, database, masterName } = address
  const options = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    connectTimeout: silence,
    socketTimeout: silence,
    maxRetriesPerRequest: 3,
    retryStrategy: retryDelay
  }
  if (kind === 'cluster')
    return new Cluster([...hosts], {
      redisOptions: options,
      clusterRetryStrategy: retryDelay,
      slotsRefreshTimeout: silence,
      // A certificate names hosts, and a cluster tells addresses.
      ...(tls
        ? {
            dnsLookup: (host: string, done: (error: null, address: string) => void) =>
              done(null, host)
          }
        : {})
    })
  if (kind === 'sentinel')
    return new Redis({
      ...options,
      db: database,
      sentinels: [...hosts],
      name: masterName,
      sentinelRetryStrategy: retryDelay,
      ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {})
    })
  const [{ host, port } = { host: '127.0.0.1', port: 6379 }] = hosts
  return new Redis({ ...options, host, port, db: database })
}
