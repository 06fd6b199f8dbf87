/**
 * JSON that wikitape wrote, read by the engine's own parser: that is several times as quick as ours, but moves
 * integer-like names to the front and forgets how numbers were spelled and which names came twice. Written again the
 * text shows whether it had any of that; where it is the same text, nothing is lost.
 */
import { heldTree } from './held.ts'
import { mostValues } from './read.ts'
import type { JsonTree } from './tree.ts'

/** The tree of a text in the readable spelling; undefined where it is written in any other way. */
export function readWritten(text: string): JsonTree | undefined {
  // So short, it cannot hold more values, nor be nested deeper, than `readJson` takes.
  if (text.length > mostValues) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const written = JSON.stringify(value, null, 2)
    // Whether two texts are the same is seen in a third of the time that it takes to see whether one begins with the other.
    const same = text.endsWith('\n') && text.slice(0, -1) === written
    return same ? heldTree(value) : undefined
  } catch {
    return undefined
  }
}
