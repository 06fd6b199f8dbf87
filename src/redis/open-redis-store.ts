/** Opens a cassette on Redis or Valkey: for a replay one that is there, for a recording also a new one. Mends its index. */

import { newManifest } from '../recorder/cassette/format/manifest.ts'
import { readRedisAddress } from '../recorder/store/redis-address.ts'
import { requireSameWiki, StoreError } from '../recorder/store/store-error.ts'
import { orClose, RedisConnection } from './redis-connection.ts'
import { RedisContents, RemoteManifest, readManifest } from './redis-contents.ts'
import { digestOf, RedisFiles, requireNoEviction } from './redis-files.ts'
import { layoutNumber, rebuiltScript } from './redis-scripts.ts'
import { RedisStore } from './redis-store.ts'

export interface RecordingOptions {
  readonly upstream: string
  /** Day on which a new cassette begins. */
  readonly day: string
  /** Whether the user says that the wiki has moved to this address. */
  readonly moved: boolean
  /** Whether the server may delete keys if its memory is full. */
  readonly allowEviction?: boolean
}

/** @param recording undefined to replay. @throws StoreError */
export async function openRedisStore(
  address: string,
  recording?: RecordingOptions
): Promise<RedisStore> {
  const files = await RedisFiles.open(address)
  return orClose(files, async () => {
    const { name: dir } = files
    const found = await readManifest(files)
    if (!found) await files.requireWhole()
    if (!found && !recording) throw new StoreError('not-in-store', dir)
    const manifest = found ?? newManifest(recording?.upstream ?? '', recording?.day)
    if (recording) {
      const requested = { upstream: recording.upstream, site: undefined }
      requireSameWiki({ dir, manifest }, requested, recording.moved)
      if (!recording.allowEviction) await requireNoEviction(files)
      await files.write([])
    }
    const contents = new RedisContents(files, new RemoteManifest(files, manifest, found))
    await contents.readAll()
    return new RedisStore(contents)
  })
}

/**
 * Makes the index of a cassette on a server true: takes out of it what is not on the server as it was written, and takes in the files that it does not name. Nobody may
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
