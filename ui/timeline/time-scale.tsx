/** The axis of time above the lanes, with the pauses that are drawn narrow. */
import type { JSX } from 'preact'
import { clock, duration } from '../parts/format.ts'
import type { Timeline } from './timeline.ts'

export const TimeScale = ({
  timeline: { from, to, pauses }
}: {
  readonly timeline: Timeline
}): JSX.Element => (
  <div class="scale">
    <span>{clock(from)}</span>
    {pauses.map((pause, at) => (
      <span
        key={at}
        class="pause-label"
        style={{ insetInlineStart: `${pause.start}%` }}
        title="a pause"
      >
        {duration(pause.ms)}
      </span>
    ))}
    <span>{clock(to)}</span>
  </div>
)
