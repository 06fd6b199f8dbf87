/** The files of a cassette on a server, for a copy. */
import { readRedisAddress } from '../redis/redis-address.ts'
import { type FileWrite, RedisFiles, type WriteOutcome } from '../redis/redis-files.ts'
import { StoreError } from '../store-error.ts'
import type { FileSet } from './file-set.ts'

export class StoreFiles implements FileSet {
  readonly name: string
  readonly #files: RedisFiles

  private constructor(files: RedisFiles) {
    this.name = files.address.shown
    this.#files = files
  }

  /** @throws StoreError */
  static async open(address: string): Promise<StoreFiles> {
    const files = await RedisFiles.open(readRedisAddress(address))
    try {
      await files.version()
      return new StoreFiles(files)
    } catch (error) {
      files.connection.close()
      throw error
    }
  }

  list(): Promise<ReadonlyMap<string, string>> {
    return this.#files.list()
  }

  read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#files.read(paths)
  }

  async write(files: readonly FileWrite[]): Promise<WriteOutcome> {
    try {
      return await this.#files.write(files)
    } catch (error) {
      throw error instanceof StoreError && error.fault === 'not-ours'
        ? error
        : StoreError.cannotWrite(`${this.name}/${files[0]?.path}`, error)
    }
  }

  close(): void {
    this.#files.connection.close()
  }
}
