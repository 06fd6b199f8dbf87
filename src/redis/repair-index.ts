/** Makes the index of a cassette on a server true again. */
import { readRedisAddress } from '../recorder/store/redis-address.ts'
import { RedisConnection } from './redis-connection.ts'
import { digestOf, RedisFiles } from './redis-files.ts'
import { layoutNumber, rebuiltScript } from './redis-scripts.ts'

/**
 * Takes out of it what is not on the server as it was written, and takes in the files that it does not name. Nobody may
 * record meanwhile. @returns the changed names. @throws StoreError
 */
export async function repairIndex(
  address: string
): Promise<{ readonly out: number; readonly in: number }> {
  const files = new RedisFiles(await RedisConnection.open(readRedisAddress(address)))
  try {
    return await repair(files)
  } finally {
    files.close()
  }
}

async function repair(files: RedisFiles) {
  const { connection, layout } = files
  const { meta, index, changes, file } = layout
  const out = await files.damaged()
  for (const path of out) await connection.command('HDEL', [index, path])
  const named = await files.list()
  const start = file('')
  const stored = await connection.keys(`${start}*`)
  const added = stored
    .map((key) => key.slice(start.length))
    .filter((path) => !named.has(path) && !out.includes(path))
  for (const [at, content] of (await files.read(added)).entries())
    if (content)
      await connection.command('HSET', [index, added[at] ?? '', digestOf(content)])
  const keys = [meta, index, changes]
  if (named.size + added.length > 0)
    await connection.script(rebuiltScript, keys, [layoutNumber, Date.now()])
  return { out: out.length, in: added.length }
}
