/** The requests of a run, the newest first, and what differs from another run. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RequestView } from '../../src/pages/run-views.ts'
import { RequestDetail } from '../detail/request-detail.tsx'
import { requestFacts } from '../filter/request-facts.ts'
import { matches, parseFilter, withField } from '../filter/row-filter.ts'
import { sortOf, sortRows } from '../filter/sort.ts'
import { number } from '../parts/format.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Split } from '../parts/split.tsx'
import { distinctWords } from '../rows/distinct-words.ts'
import { RequestRow } from '../rows/request-row.tsx'
import { RunChooser } from '../runs/run-chooser.tsx'
import { RunDifferences } from '../runs/run-differences.tsx'
import { replaceAddress } from '../store/navigate.ts'
import { linkWith } from '../store/route.ts'
import { setState, useStore } from '../store/store.ts'
import { Ruler } from '../timeline/ruler.tsx'
import { timelineOf } from '../timeline/timeline.ts'
import { LiveFilters } from './live-filters.tsx'

/** Rows on the page. */
const maxShown = 300

export function LiveView({
  cassettes,
  runs,
  params
}: {
  readonly cassettes: readonly string[]
  readonly runs: readonly string[]
  readonly params: URLSearchParams
}): JSX.Element {
  const { requests, paused, route, run } = useStore((state) => state)
  const filter = params.get('q') ?? ''
  const sort = sortOf(params.get('sort'))
  const { found, timeline } = useMemo(() => {
    const terms = parseFilter(filter)
    const found = requests.filter((one) => matches(terms, requestFacts(one)))
    return { found, timeline: timelineOf(found) }
  }, [requests, filter])
  const shown = sortRows(found, sort, (one) => one).slice(0, maxShown)
  const words = distinctWords(shown.map((one) => one.words))
  const timed = new Map(
    timeline.lanes.flatMap((lane) => lane.requests.map((one) => [one.request, one]))
  )
  const id = Number(params.get('id'))
  const chosen = requests.find((one) => one.id === id)
  const against = params.get('against')
  const onFilter = (q: string): void => replaceAddress(linkWith(route, { q }))
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>{run === '' ? 'Live requests' : 'Requests'}</h1>
            <SearchField label="Filter" value={filter} onSearch={onFilter} />
            {run === '' && (
              <button
                type="button"
                aria-pressed={paused}
                onClick={() => setState(() => ({ paused: !paused }))}
              >
                Pause
              </button>
            )}
          </div>
          <RunChooser runs={runs} />
          {against === null ? (
            <>
              <LiveFilters
                requests={requests}
                found={found.length}
                maxShown={maxShown}
                filter={filter}
                onFilter={onFilter}
              />
              {found.length > 1 && (
                <Ruler
                  timeline={timeline}
                  onRange={(first, last) =>
                    onFilter(withRange(filter, first.request, last.request))
                  }
                />
              )}
              <ol class="rows requests">
                {shown.map((one, at) => (
                  <RequestRow
                    key={one.id}
                    request={one}
                    timed={timed.get(one)}
                    words={words[at] ?? one.words}
                    isCurrent={one.id === id}
                    href={linkWith(route, { id: one.id })}
                  />
                ))}
              </ol>
            </>
          ) : (
            <RunDifferences run={run} against={against} filter={filter} />
          )}
        </>
      }
      detail={
        chosen && <RequestDetail key={chosen.id} request={chosen} cassettes={cassettes} />
      }
      hint={hintFor(id, requests)}
    />
  )
}

function withRange(filter: string, first: RequestView, last: RequestView): string {
  const timeOf = ({ at }: RequestView): string => new Date(at).toISOString()
  return withField(withField(filter, 'after', timeOf(first)), 'before', timeOf(last))
}

function hintFor(id: number, requests: readonly RequestView[]): string | undefined {
  const newest = requests[0]?.id
  if (newest === undefined) return 'Send requests to this server, and they appear here.'
  if (id === 0) return undefined
  return id > newest
    ? `This run has no request ${id} yet.`
    : `Request ${id} is no longer kept: only the newest ${number(requests.length)} are.`
}
