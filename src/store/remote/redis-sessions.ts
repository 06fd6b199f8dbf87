/** States of sessions on the server, each with a time to live. */

import type { RedisFiles } from '../redis/redis-files.ts'
import { sessionScript } from '../redis/redis-scripts.ts'
import type { SessionStates } from '../store.ts'

/** Milliseconds for which a client may be silent: six hours. */
const timeToLive = 6 * 60 * 60 * 1000

export class RedisSessions implements SessionStates {
  readonly #files: RedisFiles

  constructor(files: RedisFiles) {
    this.#files = files
  }

  async load(id: string): Promise<{ readonly version: number; readonly text: string } | undefined> {
    const stored = await this.#files.connection.command('GETEX', [
      this.#files.layout.session(id),
      'PX',
      timeToLive,
    ])
    if (typeof stored !== 'string') return undefined
    const end = stored.indexOf('\n')
    return { version: Number(stored.slice(0, end)), text: stored.slice(end + 1) }
  }

  async save(id: string, version: number, text: string): Promise<boolean> {
    const key = this.#files.layout.session(id)
    const args = [version - 1, `${version}\n${text}`, timeToLive]
    return Number(await this.#files.connection.script(sessionScript, [key], args)) === 1
  }
}
