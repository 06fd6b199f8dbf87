/** A string or literal in an answer: with real line breaks, timestamps as dates too, titles as links. */
import type { JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { JsonLiteral, JsonString } from '../../src/recorder/json/json-tree.ts'
import { escapeControlsInLines } from '../../src/recorder/text/escape-control-characters.ts'
import { dateText, number } from '../parts/format.ts'
import { titleAddress } from '../request/addresses.ts'
import { linkTo } from '../store/route.ts'
import { AnswerContext } from './answer-context.ts'
import { Marked } from './marked.tsx'

/** Characters that are shown at first, and by each click. */
const firstLength = 1_000
const moreLength = 100_000

export function NodeValue({
  name,
  value
}: {
  readonly name: string
  readonly value: JsonString | JsonLiteral
}): JSX.Element {
  const { cassette, upstream, search } = useContext(AnswerContext)
  const [length, setLength] = useState(firstLength)
  if (value.kind === 'literal')
    return (
      <span class="value literal">
        <Marked text={value.text} words={search.words} />
      </span>
    )
  const text = value.value
  if (text === '') return <span class="quiet">""</span>
  const date = dateText(text)
  const page = titleAddress(upstream, name, text)
  return (
    <>
      <bdi class="value string" dir="auto">
        <Marked
          text={escapeControlsInLines(text.slice(0, length))}
          words={search.words}
        />
      </bdi>
      {text.length > length && (
        <button
          type="button"
          class="plain"
          onClick={() => setLength(length + moreLength)}
        >
          … {number(text.length - length)} more characters
        </button>
      )}
      {date !== undefined && <span class="date">{date}</span>}
      {page !== undefined && (
        <span class="links">
          <a href={page} rel="noreferrer" target="_blank">
            on the wiki
          </a>
          <a href={linkTo('cassette', { cassette, q: text })}>in this cassette</a>
        </span>
      )}
    </>
  )
}
