/** Two values with the letters marked in which they differ. */
import type { JSX } from 'preact'
import { escapeControls } from '../../src/recorder/text/escape-control-characters.ts'

export function markDifference(
  before: string | undefined,
  after: string | undefined
): readonly [JSX.Element, JSX.Element] {
  const none = <span class="quiet">not sent</span>
  if (before === undefined || after === undefined)
    return [marked(before, 0, 0) ?? none, marked(after, 0, 0) ?? none]
  const a = [...before]
  const b = [...after]
  const most = Math.min(a.length, b.length)
  let begin = 0
  while (begin < most && a[begin] === b[begin]) begin += 1
  let end = 0
  while (end < most - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [marked(before, begin, end) ?? none, marked(after, begin, end) ?? none]
}

/** @param begin number of equal letters at the start. @param end at the end */
function marked(
  value: string | undefined,
  begin: number,
  end: number
): JSX.Element | undefined {
  if (value === undefined) return undefined
  const letters = [...value]
  const part = (from: number, to: number): string => letters.slice(from, to).join('')
  return (
    <bdi dir="auto">
      {escapeControls(part(0, begin))}
      <mark>{escapeControls(part(begin, letters.length - end))}</mark>
      {escapeControls(part(letters.length - end, letters.length))}
    </bdi>
  )
}
