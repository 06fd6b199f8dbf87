/** ioredis, loaded when it is needed, and set up for an address. */
import type { Cluster, Redis } from 'ioredis'
import { commandName } from '../command-name.ts'
import { StoreError } from '../store-error.ts'
import { systemErrorCode } from '../system-error-code.ts'
import type { RedisAddress } from './redis-address.ts'

/** After so many milliseconds without an answer a connection is given up, and another one made. */
const silence = 2500

type RedisModule = Pick<typeof import('ioredis'), 'Cluster' | 'Redis'>

/** @throws StoreError where it is not installed */
export async function loadClient(shown: string): Promise<RedisModule> {
  try {
    return await import('ioredis')
  } catch (error) {
    if (systemErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    const how = commandName === 'wikitape' ? 'npm install --global ioredis' : 'npm install --save-dev ioredis'
    throw StoreError.notReachable(shown, `the package ioredis is needed for it: ${how}`)
  }
}

const retryDelay = (times: number): number => Math.min(50 * times, 500)

export function makeClient({ Cluster, Redis }: RedisModule, address: RedisAddress): Redis | Cluster {
  const { hosts, kind, username, password, tls, database, masterName } = address
  const options = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    connectTimeout: silence,
    socketTimeout: silence,
    maxRetriesPerRequest: 3,
    retryStrategy: retryDelay,
  }
  if (kind === 'cluster')
    return new Cluster([...hosts], {
      redisOptions: options,
      clusterRetryStrategy: retryDelay,
      slotsRefreshTimeout: silence,
      // A certificate names hosts, and a cluster tells addresses.
      ...(tls
        ? { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }
        : {}),
    })
  if (kind === 'sentinel')
    return new Redis({
      ...options,
      db: database,
      sentinels: [...hosts],
      name: masterName,
      sentinelRetryStrategy: retryDelay,
      ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    })
  const [{ host, port } = { host: '127.0.0.1', port: 6379 }] = hosts
  return new Redis({ ...options, host, port, db: database })
}
