/** An answer of the server, or why there is none yet. */
import type { ComponentChildren, JSX } from 'preact'
import type { Fetch } from '../store/use-fetch.ts'
import { Text } from './text.tsx'

export function Fetched<T>({
  state,
  children
}: {
  readonly state: Fetch<T>
  readonly children: (value: T) => ComponentChildren
}): JSX.Element {
  if (state.fault !== undefined)
    return (
      <p class="fault" role="alert">
        <Text>{state.fault}</Text>
      </p>
    )
  if (state.value === undefined)
    return (
      <p class="quiet pad" role="status">
        Loading…
      </p>
    )
  return <>{children(state.value)}</>
}
