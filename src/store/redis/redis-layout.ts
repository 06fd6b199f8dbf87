/**
 * Where a cassette lies on the server. All its keys have one hash tag, its name in braces, so that a cluster keeps them on
 * one master, where a script changes them together. docs/fleet.md describes the layout.
 */

/** A larger number is refused. */
export const layoutNumber = 1

export class RedisLayout {
  readonly #prefix: string

  constructor(name: string) {
    this.#prefix = `wikitape:{${name}}`
  }

  /** Hash: `layout`, `version` (counts changes), `fence` (counts leases). */
  get meta(): string {
    return `${this.#prefix}:meta`
  }

  /** Hash: path of each file of the cassette → digest of its content. */
  get index(): string {
    return `${this.#prefix}:index`
  }

  /** Stream of the last changes: entry `<version>-0`, paths with their new digests (empty: deleted). */
  get changes(): string {
    return `${this.#prefix}:changes`
  }

  /** The content of a file. */
  file(path: string): string {
    return `${this.#prefix}:file:${path}`
  }

  /** Who asks the wiki for a key at the moment: `<fence>:<owner>`, with a time to live. */
  lease(key: string): string {
    return `${this.#prefix}:lease:${key}`
  }

  /** What a client of a replay has done, with a time to live. */
  session(digest: string): string {
    return `${this.#prefix}:session:${digest}`
  }
}
