/** One of two answers: its request and where it is recorded. */
import type { JSX } from 'preact'
import type { InteractionView } from '../../src/pages/views.ts'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'

export function SideTitle({
  letter,
  cassette,
  id,
  response
}: {
  readonly letter: string
  readonly cassette: string
  readonly id: string
  readonly response: number
}): JSX.Element {
  const known = useFetch<InteractionView>('api/interaction', { cassette, key: id })
  const { responses = [], words = id } = known.value ?? {}
  return (
    <p class="side">
      <b>{letter}</b> <Text>{cassette}</Text>{' '}
      <a href={linkTo('cassette', { cassette, key: id })}>
        <Words of={words} />
      </a>
      {responses.length > 1 && ` answer ${response + 1} of ${responses.length}`}
    </p>
  )
}
