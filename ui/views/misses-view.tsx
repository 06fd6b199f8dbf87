/** Misses: what was asked and is not recorded; beside one, the nearest recordings and the command that records it. */
import type { JSX } from 'preact'
import type { MissView } from '../../src/pages/views.ts'
import { RecordAll } from '../asked/record-all.tsx'
import { MissDetail } from '../detail/miss-detail.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { number, plural } from '../parts/format.ts'
import { Split } from '../parts/split.tsx'
import { MissRow } from '../rows/miss-row.tsx'
import { readMisses } from '../runs/run-lines.ts'
import { linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'

/** Milliseconds between reloads: the user may have run the command. */
const refreshMs = 1500

export function MissesView({
  params
}: {
  readonly params: URLSearchParams
}): JSX.Element {
  const run = useStore((all) => all.run)
  const state = useFetch<readonly MissView[]>('api/misses', { run }, { every: refreshMs })
  const route = useStore((all) => all.route)
  const newestFirst = readMisses(state.value).toReversed()
  const key = params.get('key')
  // If nothing is chosen, the newest is what somebody looks for.
  const chosen =
    newestFirst.find((one) => one.key === key) ??
    (key === null ? newestFirst[0] : undefined)
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>Misses</h1>
          </div>
          <Fetched state={state}>
            {(misses) => {
              const waiting = misses.filter(({ recorded }) => !recorded).length
              return (
                <>
                  <p
                    role="status"
                    class={misses.length > 0 && waiting === 0 ? 'good' : 'quiet pad'}
                  >
                    {summaryText(misses.length, waiting)}
                  </p>
                  <RecordAll misses={newestFirst} />
                  <ol class="rows misses">
                    {newestFirst.map((one) => (
                      <MissRow
                        key={`${one.cassette} ${one.key}`}
                        miss={one}
                        isCurrent={one === chosen}
                        href={linkWith({ ...route, view: 'misses' }, { key: one.key })}
                      />
                    ))}
                  </ol>
                </>
              )
            }}
          </Fetched>
        </>
      }
      detail={chosen && <MissDetail key={chosen.key} miss={chosen} />}
      hint="Requests that are not recorded appear here."
    />
  )
}

function summaryText(all: number, waiting: number): string {
  if (all === 0) return 'No misses.'
  if (waiting === 0) return `All missed requests (${number(all)}) are recorded now.`
  return `${plural(waiting, 'request')} not recorded${all > waiting ? `, ${number(all - waiting)} recorded in the meantime` : ''}.`
}
