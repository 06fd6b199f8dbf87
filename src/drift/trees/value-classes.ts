/** The class of a text, by its spelling alone: a timestamp, a number, a URL; and spellings of one thing. */

import type data from '../../recorder/knowledge/data/answer-values.json'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import { type Transition, turn } from '../changes/change.ts'

const table = dataFile('answer-values') as typeof data

const classes = table.classes.map(({ name, pattern }) => ({
  name,
  pattern: new RegExp(pattern)
}))

export const lexicalClassOf = (text: string): string =>
  classes.find(({ pattern }) => pattern.test(text))?.name ?? 'text'

/** From `ISO timestamp` to `MediaWiki timestamp` for two spellings of one thing; undefined otherwise. */
export function formatChange(before: string, after: string): Transition | undefined {
  const a = lexicalClassOf(before)
  const b = lexicalClassOf(after)
  if (isTimeAndOther(a, b) || isTimeAndOther(b, a)) return turn(a, b)
  const address = [turn(before, after), turn(after, before)].map(isPathOf)
  if (address[0]) return turn('URL', 'path')
  if (address[1]) return turn('path', 'URL')
  // Between two classes of a family the format changed, not the value.
  const isFamily = table.families.some((all) => all.includes(a) && all.includes(b))
  const isOneThing =
    isForever(a) === isForever(b) && addressOf(before) === addressOf(after)
  if (a !== b && isFamily && isOneThing) return turn(a, b)
  if (before === after || spaced(before) !== spaced(after)) return undefined
  return before.includes('_') ? turn('DB key', 'title') : turn('title', 'DB key')
}

/** Whatever else a time or a version may be, it is not another sort of text. */
const isTimeAndOther = (time: string, other: string) =>
  time !== other &&
  (/^(?:ISO|MediaWiki version)/.test(time) || isForever(time)) &&
  !other.includes('timestamp') &&
  !isForever(other) &&
  other !== 'empty'

/** The same address, less its host. */
const isPathOf = ({ from, to }: Transition) =>
  to.startsWith('/') && to === from.replace(/^(?:https?:)?\/\/[^/]*/, '')

/** From a moment to "never" is another value, not another spelling. */
const isForever = (one: string) => one === 'infinity' || one === 'infinite'

/** An address without its scheme: another one is another value. Empty for what is no address. */
const addressOf = (text: string) => /^(?:https?:)?(\/\/.*)$/s.exec(text)?.[1] ?? ''

const spaced = (text: string) => text.replaceAll('_', ' ')
