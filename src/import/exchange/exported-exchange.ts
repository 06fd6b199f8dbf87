/** Exchanges as the writers of other formats get them. */
import { groupBy } from '../../text/group-by.ts'

export interface ExportedExchange {
  readonly url: URL
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

/** Writes one text; or texts by file name, where each exchange has a file. */
interface Writer<Kind, Output> {
  readonly name: string
  readonly kind: Kind
  /** @param day of the recording, as `2026-01-31` */
  write(exchanges: readonly ExportedExchange[], day: string, version: string): Output
}

export type FormatWriter = Writer<'file', string> | Writer<'folder', ReadonlyMap<string, string>>

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Headers by name, each with its values. */
export function headerLists({ headers }: ExportedExchange): Readonly<Record<string, readonly string[]>> {
  const lists = [...groupBy(headers, ([name]) => name)]
  return Object.fromEntries(lists.map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
}
