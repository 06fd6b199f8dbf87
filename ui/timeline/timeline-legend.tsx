/** What the colours and shapes of the timeline mean. */
import type { JSX } from 'preact'

const outcomes = [
  'replayed',
  'synthesized',
  'recorded',
  'passthrough',
  'miss',
  'failed'
] as const

export const TimelineLegend = (): JSX.Element => (
  <ul class="filters legend">
    {outcomes.map((one) => (
      <li key={one}>
        <span class={`dot ${one}`} /> {one}
      </li>
    ))}
    <li>
      <span class="mark wrote" /> write: a new epoch begins
    </li>
    <li>
      <span class="mark waited" /> waited for its session
    </li>
    <li>
      <span class="mark again" /> asked again after an error
    </li>
  </ul>
)
