/** JSON text made compact without a tree, for answers that are served as they were recorded. */
import { readJson } from './read-json.ts'
import { writeCompact } from './write-json.ts'

/** A string, or white space outside of strings. */
const stringOrSpace = /("[^"\\]*(?:\\.[^"\\]*)*")|[\t\n\r ]+/g
/** In a longer text, a string full of escapes could exhaust the pattern's stack. */
const maxPatternLength = 4_000_000
/** Characters that `writeCompact` may spell in another way. (An escaped backslash in front of `u` counts, too.) */
const unusualSpelling = /\\(?:\/|u(?!00(?:0[0-7bef]|1[0-9a-f])|202[89]))|[\u2028\u2029]/

/**
 * The text as `writeCompact` would write its tree in UTF-8, members in the order and numbers in the spelling of the source.
 * @param json valid JSON, as `JSON.parse` has shown
 */
export function compactJson(json: string): string {
  const isUsual = json.length <= maxPatternLength && json.isWellFormed() && !unusualSpelling.test(json)
  if (isUsual) return json.replace(stringOrSpace, '$1')
  const reading = readJson(json, Number.POSITIVE_INFINITY)
  if (!reading.ok) throw new Error(`expected valid JSON: ${reading.fault.message}`)
  return writeCompact(reading.tree, 'utf8')
}
