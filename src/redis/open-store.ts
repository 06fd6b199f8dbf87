/** Opens the cassette of a run where it is named by the address of a server; ioredis is loaded only then. */
import { isStoreAddress } from '../recorder/store/redis-address.ts'
import type { Store } from '../recorder/store/store.ts'
import type { RecordingOptions } from './open-redis-store.ts'

export interface OpenedCassette {
  /** A folder, or an address without credentials. */
  readonly cassette: string
  readonly open?: (dir: string) => Store
}

/** @param recording undefined to replay. @throws StoreError */
export async function openIfRemote(
  cassette: string,
  recording?: RecordingOptions
): Promise<OpenedCassette> {
  if (!isStoreAddress(cassette)) return { cassette }
  const { openRedisStore } = await import('./open-redis-store.ts')
  const store = await openRedisStore(cassette, recording)
  return { cassette: store.dir, open: () => store }
}
