/** Which words differ between two values, for reports that can show it. */
import { diffWordsWithSpace } from 'diff'

/** A run of text, and whether the other side lacks it. */
export interface DiffSegment {
  readonly text: string
  readonly changed: boolean
}

export interface WordDiff {
  readonly before: readonly DiffSegment[]
  readonly after: readonly DiffSegment[]
}

/** Beyond this length, or this many edits, values are shown as wholly different. */
const maxDiffLength = 20_000
const maxEditLength = 400

export function diffWords(before: string, after: string): WordDiff {
  const whole: WordDiff = {
    before: [{ text: before, changed: true }],
    after: [{ text: after, changed: true }],
  }
  if (before.length + after.length > maxDiffLength) return whole
  const parts = diffWordsWithSpace(before, after, { maxEditLength })
  if (parts === undefined) return whole
  return {
    before: parts.filter((one) => !one.added).map((one) => ({ text: one.value, changed: one.removed })),
    after: parts.filter((one) => !one.removed).map((one) => ({ text: one.value, changed: one.added })),
  }
}

/** How much of what both have in front is kept when a long pair is cut: at most this, and a quarter of the room. */
const maxCommonContext = 24

/**
 * Both texts from shortly before their first difference on; `…` stands for what was left out.
 * @param limit room for each of them
 * @param widthOf room that a short text takes: letters may be two columns wide
 */
export function trimCommonStart(
  before: string,
  after: string,
  limit: number,
  widthOf: (text: string) => number = (text) => text.length,
): readonly [string, string] {
  const fits = (text: string): boolean => text.length <= limit && widthOf(text) <= limit
  // Against nothing, everything differs from the start.
  if (before === '' || after === '' || (fits(before) && fits(after))) return [before, after]
  const start = commonPrefix(before, after) - Math.min(maxCommonContext, Math.floor(limit / 4))
  if (start <= 0) return [before, after]
  return [`…${before.slice(start)}`, `…${after.slice(start)}`]
}

/** Length of the common beginning, cut back to the end of a word. */
function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  // Never inside of a surrogate pair or a letter with its marks.
  while (at > 0 && /[\p{M}\p{Cs}]/u.test(a.charAt(at - 1))) at -= 1
  return at
}
