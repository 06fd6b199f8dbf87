/** A text with the words of a search marked. */
import type { JSX } from 'preact'

const maxMarks = 200

export function Marked({
  text,
  words
}: {
  readonly text: string
  readonly words: string
}): JSX.Element {
  if (words === '') return <>{text}</>
  const parts: (JSX.Element | string)[] = []
  const lower = text.toLowerCase()
  let from = 0
  for (
    let at = lower.indexOf(words);
    at >= 0 && parts.length < maxMarks;
    at = lower.indexOf(words, from)
  ) {
    parts.push(
      text.slice(from, at),
      <mark key={at}>{text.slice(at, at + words.length)}</mark>
    )
    from = at + words.length
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  )
}
