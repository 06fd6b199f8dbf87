/** The recording that a part of a synthesized answer stands in. */
import type { JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { linkTo } from '../store/route.ts'
import { AnswerContext } from './answer-context.ts'

export function SourceTag({ of }: { readonly of: string }): JSX.Element {
  const { cassette } = useContext(AnswerContext)
  return (
    <a
      class="source"
      title="the recording that has this"
      href={linkTo('cassette', { cassette, key: of })}
    >
      {of}
    </a>
  )
}
