/** A value in a table: cut, with a title as a link to the wiki and a timestamp as a date too. */
import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { escapeControls } from '../../src/recorder/text/escape-control-characters.ts'
import { dateText } from '../parts/format.ts'
import { titleAddress } from '../request/addresses.ts'
import { AnswerContext } from './answer-context.ts'
import { Marked } from './marked.tsx'

const maxLength = 300

export function CellText({
  name,
  text
}: {
  readonly name: string
  readonly text: string
}): JSX.Element {
  const { upstream, search } = useContext(AnswerContext)
  const page = titleAddress(upstream, name, text)
  const shown = (
    <bdi dir="auto">
      <Marked text={escapeControls(text.slice(0, maxLength))} words={search.words} />
    </bdi>
  )
  if (page !== undefined)
    return (
      <a href={page} rel="noreferrer" target="_blank" title="on the wiki">
        {shown}
      </a>
    )
  return <span title={dateText(text)}>{shown}</span>
}
