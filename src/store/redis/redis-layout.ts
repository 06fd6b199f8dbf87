/** Where a cassette is on the server; docs/fleet.md describes it. A larger number is refused. */
export const layoutNumber = 1

export type RedisLayout = Readonly<ReturnType<typeof layoutOf>>

/** All keys have one hash tag, the name in braces: a cluster keeps them on one master, where a script changes them together. */
export const layoutOf = (name: string) => ({
  /** Hash: `layout`, `version` (counts changes), `fence` (counts leases). */
  meta: `wikitape:{${name}}:meta`,
  /** Hash: path of each file → digest of its content. */
  index: `wikitape:{${name}}:index`,
  /** Stream of the last changes: entry `<version>-0`, paths with their new digests (empty: deleted). */
  changes: `wikitape:{${name}}:changes`,
  /** The content of a file. */
  file: (path: string): string => `wikitape:{${name}}:file:${path}`,
  /** Who asks the wiki for a key: `<fence>:<owner>`, with a time to live. */
  lease: (key: string): string => `wikitape:{${name}}:lease:${key}`,
  /** What a client of a replay has done, with a time to live. */
  session: (id: string): string => `wikitape:{${name}}:session:${id}`,
})
