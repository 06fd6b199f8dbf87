/** Names and values: parameters, headers. */
import type { ComponentChildren, JSX } from 'preact'
import { ShortText, Text } from './text.tsx'

export interface Pair {
  readonly name: string
  readonly value: string
  readonly note?: ComponentChildren
}

export const Pairs = ({ of }: { readonly of: readonly Pair[] }): JSX.Element => (
  <dl class="pairs">
    {of.map(({ name, value, note }, at) => (
      <div key={at}>
        <dt>
          <Text>{name}</Text>
        </dt>
        <dd>
          <ShortText>{value}</ShortText>{' '}
          {note !== undefined && <span class="quiet">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)
