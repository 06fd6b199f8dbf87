/** The words that differ between two values, and excerpts of long values around their first difference. */
import { diffWordsWithSpace } from 'diff'
import { truncateText } from '../../recorder/text/escape-control-characters.ts'

/** A piece of text; `changed` if the other side lacks it. */
export interface DiffSegment {
  readonly text: string
  readonly changed: boolean
}

/** Beyond this length, or this many edits, values count as wholly different. */
const maxDiffLength = 20_000
const maxEditLength = 400

export function diffWords(
  before: string,
  after: string
): Readonly<Record<'before' | 'after', readonly DiffSegment[]>> {
  const whole = {
    before: [{ text: before, changed: true }],
    after: [{ text: after, changed: true }]
  }
  if (before.length + after.length > maxDiffLength) return whole
  const parts = diffWordsWithSpace(before, after, { maxEditLength })
  if (!parts) return whole
  const side = (other: 'added' | 'removed', changed: 'added' | 'removed') =>
    parts
      .filter((one) => !one[other])
      .map((one) => ({ text: one.value, changed: one[changed] }))
  return { before: side('added', 'removed'), after: side('removed', 'added') }
}

/** Common text kept before the first difference: at most this, and a quarter of the limit. */
const maxCommonContext = 24

/** Both texts from shortly before their first difference on, cut to `limit` characters; `…` stands for what was left out. */
export function excerpts(
  before: string,
  after: string,
  limit: number
): readonly [string, string] {
  const [a, b] = trimCommonStart(before, after, limit)
  return [truncateText(a, limit), truncateText(b, limit)]
}

/** Both texts from shortly before their first difference on, unless both fit. @param widthOf in the units of the limit */
export function trimCommonStart(
  before: string,
  after: string,
  limit: number,
  widthOf: (text: string) => number = (text) => text.length
): readonly [string, string] {
  const fits = (text: string) => text.length <= limit && widthOf(text) <= limit
  if (before === '' || after === '' || (fits(before) && fits(after)))
    return [before, after]
  const start =
    commonPrefix(before, after) - Math.min(maxCommonContext, Math.floor(limit / 4))
  if (start <= 0) return [before, after]
  return [`…${before.slice(start)}`, `…${after.slice(start)}`]
}

/** Length of the common beginning, in whole characters. */
function commonPrefix(a: string, b: string) {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  // Never within a surrogate pair, or between a letter and its combining marks.
  while (at > 0 && /[\p{M}\p{Cs}]/u.test(a.charAt(at - 1))) at -= 1
  return at
}
