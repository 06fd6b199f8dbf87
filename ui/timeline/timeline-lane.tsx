/** The requests of one client and session over time. */
import type { JSX } from 'preact'
import { duration } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { replaceAddress } from '../store/navigate.ts'
import { linkTo } from '../store/route.ts'
import type { Lane, TimedRequest, Timeline } from './timeline.ts'

export function TimelineLane({
  lane: { name, requests },
  current,
  timeline
}: {
  readonly lane: Lane
  /** Id of the request that is shown. */
  readonly current: number
  readonly timeline: Timeline
}): JSX.Element {
  const writes = requests.filter(({ request }) => request.isWrite).length
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const at = requests.findIndex(({ request }) => request.id === current)
    const next = requests[at + by]
    if (by === 0 || next === undefined) return
    event.preventDefault()
    replaceAddress(linkTo('timeline', { id: next.request.id }))
  }
  const hasCurrent = requests.some(({ request }) => request.id === current)
  return (
    <section class="lane" aria-label={name}>
      <h2>
        <Text>{name}</Text>{' '}
        <span class="quiet">
          {requests.length} request{requests.length === 1 ? '' : 's'}
          {writes > 0 && `, ${writes} write${writes === 1 ? '' : 's'}`}
        </span>
      </h2>
      <div
        class="track"
        role="toolbar"
        aria-label={`requests of ${name}`}
        onKeyDown={onKey}
      >
        {timeline.pauses.map((pause, at) => (
          <span
            key={at}
            class="pause"
            style={{ insetInlineStart: `${pause.start}%`, width: `${pause.width}%` }}
          />
        ))}
        {requests.map((one, at) => (
          <Bar
            key={one.request.id}
            of={one}
            isCurrent={one.request.id === current}
            isStop={hasCurrent ? one.request.id === current : at === 0}
          />
        ))}
      </div>
    </section>
  )
}

function Bar({
  of,
  isCurrent,
  isStop
}: {
  readonly of: TimedRequest
  readonly isCurrent: boolean
  readonly isStop: boolean
}): JSX.Element {
  const { request, start, width, waited, isRetry } = of
  const { id, outcome, words, ms, isWrite, writes, error } = request
  const label = [
    `${outcome}: ${words}`,
    duration(ms),
    isWrite ? `a write, number ${writes} of its session` : '',
    isRetry ? 'again' : '',
    error
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <a
      class={`bar-of ${outcome} ${isWrite ? 'wrote' : ''} ${isRetry ? 'again' : ''}`}
      href={linkTo('timeline', { id })}
      aria-label={label}
      title={label}
      aria-current={isCurrent ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
      style={{ insetInlineStart: `${start}%`, width: `max(4px, ${width}%)` }}
    >
      {waited > 0 && <span class="waited" style={{ width: `${100 * waited}%` }} />}
    </a>
  )
}
