/** An outcome or a state as a coloured word. */
import type { JSX } from 'preact'

export const Badge = ({
  of,
  tone = of
}: {
  readonly of: string
  readonly tone?: string
}): JSX.Element => <span class={`badge ${tone}`}>{of}</span>
