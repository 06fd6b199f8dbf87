/** The client of ioredis, loaded when it is needed; what it or a server has refused: whether that ends by itself, and in words. */
import type { Cluster, Redis } from 'ioredis'
import { commandName } from '../recorder/store/command-name.ts'
import type { RedisAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { errorText, systemErrorCode } from '../recorder/text/error-text.ts'
import data from './refusals.json' with { type: 'json' }

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
  const known = data.refusals.find(({ pattern }) =>
    new RegExp(pattern, 'i').test(message)
  )
  if (known)
    return known.words
      .replace('{code}', message.split(' ', 1)[0] ?? '')
      .replace('{database}', String(database))
      .replace('{message}', () => message)

  const code = systemErrorCode(error)
  if (code === 'ECONNREFUSED') return 'nothing listens there (ECONNREFUSED)'
  return code || message || 'no answer'
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
