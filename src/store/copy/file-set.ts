/** The files of a cassette wherever they are, by path and digest. */
import type { FileWrite, WriteOutcome } from '../redis/redis-files.ts'

export interface FileSet {
  /** A folder, or an address without credentials. */
  readonly name: string
  /** Digest by path. @throws StoreError */
  list(): Promise<ReadonlyMap<string, string>>
  /** Undefined for a file that is not there. @throws StoreError */
  read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /** @returns anything but `written` where nothing was written, since a file is not what it was. @throws StoreError */
  write(files: readonly FileWrite[]): Promise<WriteOutcome>
  close(): void
}
