/** Opens the cassette of a run where it is named by the address of a server; ioredis is loaded only then. */

import { isStoreAddress } from './redis-address.ts'
import type { RecordingOptions } from './remote/open-redis-store.ts'
import type { Store } from './store.ts'

export interface OpenedCassette {
  /** A folder, or an address without credentials. */
  readonly cassette: string
  readonly open?: (dir: string) => Store
}

/** Runs a function with the cassette: at once with a folder, and with a server once it is open. */
export const withCassette = <T>(
  cassette: string,
  recording: RecordingOptions | undefined,
  run: (opened: OpenedCassette) => Promise<T>,
): Promise<T> => (isStoreAddress(cassette) ? openIfRemote(cassette, recording).then(run) : run({ cassette }))

/** @param recording undefined to replay. @throws StoreError */
export async function openIfRemote(cassette: string, recording?: RecordingOptions): Promise<OpenedCassette> {
  if (!isStoreAddress(cassette)) return { cassette }
  const { openRedisStore } = await import('./remote/open-redis-store.ts')
  const store = await openRedisStore(cassette, recording)
  return { cassette: store.dir, open: () => store }
}
