/** Links to the previous and the next rows. */
import type { JSX } from 'preact'
import { number } from './format.ts'

const step = 100

export function Pager({
  from,
  count,
  total,
  link
}: {
  readonly from: number
  readonly count: number
  readonly total: number
  readonly link: (from: number) => string
}): JSX.Element | null {
  if (total <= count && from === 0) return null
  return (
    <nav class="pager" aria-label="pages">
      {from > 0 && <a href={link(Math.max(0, from - step))}>← Previous</a>}
      <span>
        {number(from + 1)}–{number(from + count)} of {number(total)}
      </span>
      {from + count < total && <a href={link(from + step)}>Next →</a>}
    </nav>
  )
}
