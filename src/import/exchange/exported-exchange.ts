/** Recorded exchanges as other programs keep them. */
import { isUtf8 } from 'node:buffer'
import { grouped } from '../../text/group-by.ts'

/** One request with one of its answers, as HTTP. */
export interface Exported {
  readonly url: URL
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** One text for all exchanges. */
interface FileFormat {
  readonly name: string
  readonly kind: 'file'
  /** @param day of the recording, as `2026-01-31` */
  write(exchanges: readonly Exported[], day: string, version: string): string
}

/** A file for each exchange. */
interface FolderFormat {
  readonly name: string
  readonly kind: 'folder'
  /** Texts by file name. @param day of the recording, as `2026-01-31` */
  write(exchanges: readonly Exported[], day: string): ReadonlyMap<string, string>
}

export type ExportFormat = FileFormat | FolderFormat

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Undefined where the bytes are no UTF-8. */
export const textOf = (body: Buffer): string | undefined => (isUtf8(body) ? body.toString('utf8') : undefined)

/** Headers by name, each with its values. */
export function headerLists({ headers }: Exported): Readonly<Record<string, readonly string[]>> {
  const lists = [...grouped(headers, ([name]) => name)]
  return Object.fromEntries(lists.map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
}
