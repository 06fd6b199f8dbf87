/** The run over time: a lane for each client and session; beside, one request. */
import type { JSX } from 'preact'
import { RequestDetail } from '../detail/request-detail.tsx'
import { plural } from '../parts/format.ts'
import { Split } from '../parts/split.tsx'
import { useStore } from '../store/store.ts'
import { TimeScale } from '../timeline/time-scale.tsx'
import { timelineOf } from '../timeline/timeline.ts'
import { TimelineLane } from '../timeline/timeline-lane.tsx'
import { TimelineLegend } from '../timeline/timeline-legend.tsx'

export function TimelineView({
  cassettes,
  params
}: {
  readonly cassettes: readonly string[]
  readonly params: URLSearchParams
}): JSX.Element {
  const requests = useStore((state) => state.requests)
  const id = Number(params.get('id'))
  const chosen = requests.find((one) => one.id === id)
  const timeline = timelineOf(requests)
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>Timeline</h1>
            <span role="status" class="quiet">
              {plural(requests.length, 'request')} by{' '}
              {plural(timeline.lanes.length, 'client')}
            </span>
          </div>
          {requests.length === 0 ? (
            <p class="quiet pad">No requests yet.</p>
          ) : (
            <>
              <TimelineLegend />
              <div class="timeline">
                <TimeScale timeline={timeline} />
                {timeline.lanes.map((lane) => (
                  <TimelineLane
                    key={lane.name}
                    lane={lane}
                    current={id}
                    timeline={timeline}
                  />
                ))}
              </div>
            </>
          )}
        </>
      }
      detail={
        chosen && <RequestDetail key={chosen.id} request={chosen} cassettes={cassettes} />
      }
      hint="Choose a request in a lane."
    />
  )
}
