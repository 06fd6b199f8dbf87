/** Debian's redis-server for one test file, and cassettes on it. */
import { afterAll } from 'vitest'
import { RedisServers } from '../../scripts/fleet/servers.ts'
import { copyCassette, FolderFiles } from '../../src/redis/copy-cassette.ts'
import { RedisFiles } from '../../src/redis/redis-files.ts'

let started: Promise<number> | undefined
let servers: RedisServers | undefined

/** The port of a server that ends with the test file. */
export function redisPort(): Promise<number> {
  started ??= (async () => {
    servers = new RedisServers()
    return (await servers.start()).port
  })()
  return started
}

/** To be called in a file that uses the server. */
export const stopRedisAfterAll = (): void =>
  afterAll(async () => {
    await servers?.stop()
    started = undefined
  })

let names = 0

/** The address of a new cassette. */
export async function newAddress(parameters = ''): Promise<string> {
  names += 1
  return `redis://127.0.0.1:${await redisPort()}/0${parameters}#tape-${process.pid}-${names}`
}

/** The address of a copy of a folder. */
export async function pushed(folder: string): Promise<string> {
  const address = await newAddress()
  const to = await RedisFiles.open(address)
  await copyCassette(FolderFiles.existing(folder), to, {
    deletes: true,
    isDryRun: false,
    onProgress: () => undefined
  })
  to.close()
  return address
}
