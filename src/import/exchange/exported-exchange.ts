/** Exchanges as the writers of other formats get them. */
import { isUtf8 } from 'node:buffer'
import { groupBy } from '../../text/group-by.ts'

export interface ExportedExchange {
  readonly url: URL
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

interface SingleFileWriter {
  readonly name: string
  readonly kind: 'file'
  /** @param day of the recording, as `2026-01-31` */
  write(exchanges: readonly ExportedExchange[], day: string, version: string): string
}

/** A file for each exchange. */
interface FolderWriter {
  readonly name: string
  readonly kind: 'folder'
  /** Texts by file name. @param day of the recording, as `2026-01-31` */
  write(exchanges: readonly ExportedExchange[], day: string): ReadonlyMap<string, string>
}

export type FormatWriter = SingleFileWriter | FolderWriter

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Undefined where the bytes are no UTF-8. */
export const utf8Text = (body: Buffer): string | undefined =>
  isUtf8(body) ? body.toString('utf8') : undefined

/** Headers by name, each with its values. */
export function headerLists({ headers }: ExportedExchange): Readonly<Record<string, readonly string[]>> {
  const lists = [...groupBy(headers, ([name]) => name)]
  return Object.fromEntries(lists.map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
}
