/** Opens a cassette on Redis or Valkey: for a replay one that is there, for a recording also a new one. */

import { newManifest } from '../recorder/cassette/format/manifest.ts'
import { requireSameWiki, StoreError } from '../recorder/store/store-error.ts'
import { orClose } from './redis-connection.ts'
import { RedisContents, RemoteManifest, readManifest } from './redis-contents.ts'
import { RedisFiles, requireNoEviction } from './redis-files.ts'
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
