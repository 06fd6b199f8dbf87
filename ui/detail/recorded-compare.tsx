/** Compares the recording of a live request with others. */
import type { JSX } from 'preact'
import type { InteractionView } from '../../src/pages/views.ts'
import { Fetched } from '../parts/fetched.tsx'
import { useFetch } from '../store/use-fetch.ts'
import { ComparePanel } from './compare-panel.tsx'

export function RecordedCompare({
  cassette,
  cassettes,
  id
}: {
  readonly cassette: string
  readonly cassettes: readonly string[]
  readonly id: string
}): JSX.Element {
  const known = useFetch<InteractionView>('api/interaction', { cassette, key: id })
  return (
    <Fetched state={known}>
      {(one) => <ComparePanel one={one} cassette={cassette} cassettes={cassettes} />}
    </Fetched>
  )
}
