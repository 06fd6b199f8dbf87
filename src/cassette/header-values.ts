/** Which texts can stand in a header of a reply. */
import type { RecordedCookie } from './interaction.ts'

/** The first name or value that would end or split a header line. Source: RFC 9110, 5.1 and 5.5. */
export function findUnsendable(
  headers: ReadonlyMap<string, string>,
  cookies: readonly RecordedCookie[],
): string | undefined {
  const names = [...headers.keys()].filter((name) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
  const parts = cookies.flatMap(({ name, value, attributes }) => [name, value, ...attributes])
  const split = parts.find((part) => part.includes(';'))
  const values = [...headers.values(), ...parts].filter((value) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  return names[0] ?? values[0] ?? split
}
