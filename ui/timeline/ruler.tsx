/** All requests on one axis of time, above their rows. A range that is dragged filters them. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { TimedRequest, Timeline } from './timeline.ts'

/** Marks that are drawn: more would lie on each other. */
const maxMarks = 600
/** Percent of the axis that is a drag and not a click. */
const minDrag = 1

export function Ruler({
  timeline,
  onRange
}: {
  readonly timeline: Timeline
  /** @param first and last requests of the range */
  readonly onRange: (first: TimedRequest, last: TimedRequest) => void
}): JSX.Element {
  const strip = useRef<HTMLDivElement>(null)
  const [range, setRange] = useState<readonly [number, number]>()
  const all = timeline.lanes.flatMap(({ requests }) => requests)
  const step = Math.ceil(all.length / maxMarks)
  const percentAt = ({ clientX }: PointerEvent): number => {
    const { left = 0, width = 1 } = strip.current?.getBoundingClientRect() ?? {}
    const share = Math.min(1, Math.max(0, (clientX - left) / width))
    const isReversed = document.documentElement.dir === 'rtl'
    return 100 * (isReversed ? 1 - share : share)
  }
  const end = (): void => {
    const [from = 0, to = 0] = (range ?? []).toSorted((a, b) => a - b)
    setRange(undefined)
    if (to - from < minDrag) return
    const inside = all
      .filter(({ start, width }) => start + width >= from && start <= to)
      .sort((a, b) => a.request.at - b.request.at)
    const [first] = inside
    const last = inside.at(-1)
    if (first && last) onRange(first, last)
  }
  return (
    <div
      ref={strip}
      class="ruler"
      role="img"
      aria-label="the requests over time; drag to see a part"
      title="drag to see a part; typed: after:12:30:05 before:12:31"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setRange([percentAt(event), percentAt(event)])
      }}
      onPointerMove={(event) => {
        if (range) setRange([range[0], percentAt(event)])
      }}
      onPointerUp={end}
    >
      {all
        .filter((_, at) => at % step === 0)
        .map(({ request, start, width }) => (
          <span
            key={request.id}
            class={`bar-of ${request.outcome}`}
            style={{ insetInlineStart: `${start}%`, width: `max(2px, ${width}%)` }}
          />
        ))}
      {range && (
        <span
          class="dragged"
          style={{
            insetInlineStart: `${Math.min(...range)}%`,
            width: `${Math.abs(range[1] - range[0])}%`
          }}
        />
      )}
    </div>
  )
}
