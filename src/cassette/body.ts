/** What a recorded body says, whichever way it is kept. */
import { readJson } from '../json/read.ts'
import type { JsonTree } from '../json/tree.ts'
import type { RecordedBody } from './interaction.ts'

/** The JSON of an answer; undefined for one that is none. */
export function jsonOf(body: RecordedBody): JsonTree | undefined {
  if (body.kind === 'json') return body.tree
  if (body.kind === 'binary' || body.spelling === undefined) return undefined
  const reading = readJson(body.text)
  return reading.ok ? reading.tree : undefined
}
