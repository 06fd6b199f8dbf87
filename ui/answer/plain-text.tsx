/** A text with line numbers, a few hundred lines at a time. */
import type { JSX } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { escapeControlsInLines } from '../../src/recorder/text/escape-control-characters.ts'
import { number } from '../parts/format.ts'
import { AnswerContext } from './answer-context.ts'
import { Marked } from './marked.tsx'

const step = 500
/** Characters of one line that are shown at once. */
const maxLine = 10_000

export function PlainText({
  text,
  label
}: {
  readonly text: string
  readonly label: string
}): JSX.Element {
  const [count, setCount] = useState(step)
  const { search } = useContext(AnswerContext)
  const lines = useMemo(() => text.split('\n').flatMap(cutLine), [text])
  const kept = lines.filter(
    ({ line }) => search.words === '' || line.toLowerCase().includes(search.words)
  )
  return (
    <section class="text" aria-label={label}>
      <ol dir="auto">
        {kept.slice(0, count).map(({ line, at, part }) => (
          <li key={`${at}.${part}`} value={at + 1} class={part > 0 ? 'goes-on' : ''}>
            <bdi dir="auto">
              <Marked text={escapeControlsInLines(line)} words={search.words} />
            </bdi>
          </li>
        ))}
      </ol>
      {kept.length > count && (
        <button type="button" onClick={() => setCount(count + step)}>
          Show more ({number(kept.length - count)} lines left)
        </button>
      )}
    </section>
  )
}

interface TextLine {
  readonly line: string
  readonly at: number
  /** A line of megabytes is shown in parts. */
  readonly part: number
}

const cutLine = (line: string, at: number): readonly TextLine[] =>
  Array.from({ length: Math.max(1, Math.ceil(line.length / maxLine)) }, (_, part) => ({
    at,
    part,
    line: line.slice(part * maxLine, (part + 1) * maxLine)
  }))
