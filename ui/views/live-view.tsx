/** Live requests, the newest first. */
import type { JSX } from 'preact'
import type { RequestView } from '../../src/pages/run-views.ts'
import { RequestDetail } from '../detail/request-detail.tsx'
import { number, plural } from '../parts/format.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Split } from '../parts/split.tsx'
import { distinctWords } from '../rows/distinct-words.ts'
import { RequestRow } from '../rows/request-row.tsx'
import { setPaused } from '../store/live-feed.ts'
import { linkWith } from '../store/route.ts'
import { type State, setState, useStore } from '../store/store.ts'

/** Rows on the page. */
const maxShown = 300

const outcomes = [
  'replayed',
  'synthesized',
  'recorded',
  'passthrough',
  'override',
  'miss',
  'trouble',
  'failed'
] as const

export function LiveView({
  cassettes,
  params
}: {
  readonly cassettes: readonly string[]
  readonly params: URLSearchParams
}): JSX.Element {
  const { requests, hiddenOutcomes, filter, paused, connection, route } = useStore(
    (state) => state
  )
  const found = requests.filter(
    (one) => !hiddenOutcomes.has(one.outcome) && matchesWords(one, filter)
  )
  const shown = found.slice(0, maxShown)
  const words = distinctWords(shown.map((one) => one.words))
  const id = Number(params.get('id'))
  const chosen = requests.find((one) => one.id === id)
  const present = new Set(requests.map(({ outcome }) => outcome))
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>Live requests</h1>
            <SearchField
              label="Filter"
              value={filter}
              onSearch={(text) => setState(() => ({ filter: text }))}
            />
            <button
              type="button"
              aria-pressed={paused}
              onClick={() => setPaused(!paused)}
            >
              Pause
            </button>
          </div>
          <fieldset class="filters">
            <legend class="hidden">Show</legend>
            {outcomes
              .filter((one) => present.has(one))
              .map((one) => (
                <label key={one}>
                  <input
                    type="checkbox"
                    checked={!hiddenOutcomes.has(one)}
                    onChange={() => toggle(one)}
                  />
                  <span class={`dot ${one}`} />
                  {one}
                </label>
              ))}
            <span role="status" class="quiet">
              {statusText({ connection, paused }, found.length, requests)}
            </span>
          </fieldset>
          <ol class="rows requests">
            {shown.map((one, at) => (
              <RequestRow
                key={one.id}
                request={one}
                words={words[at] ?? one.words}
                isCurrent={one.id === id}
                href={linkWith(route, { id: one.id })}
              />
            ))}
          </ol>
        </>
      }
      detail={
        chosen && <RequestDetail key={chosen.id} request={chosen} cassettes={cassettes} />
      }
      hint={hintFor(id, requests)}
    />
  )
}

const toggle = (outcome: string): void =>
  setState(({ hiddenOutcomes: before }) => ({
    hiddenOutcomes: new Set(
      before.has(outcome)
        ? [...before].filter((one) => one !== outcome)
        : [...before, outcome]
    )
  }))

function hintFor(id: number, requests: readonly RequestView[]): string | undefined {
  const newest = requests[0]?.id
  if (newest === undefined) return 'Send requests to this server, and they appear here.'
  if (id === 0) return undefined
  return id > newest
    ? `This run has no request ${id} yet.`
    : `Request ${id} is no longer kept: only the newest ${number(requests.length)} are.`
}

function statusText(
  { connection, paused }: Pick<State, 'connection' | 'paused'>,
  found: number,
  requests: readonly RequestView[]
): string {
  const kept = requests.length
  const all = requests[0]?.id ?? 0
  if (paused) return 'Paused.'
  if (connection === 'lost') return 'Connection lost. Retrying…'
  if (all === 0) return connection === 'connecting' ? 'Connecting…' : 'No requests yet.'
  const lost = kept < all ? `, of which the newest ${number(kept)} are kept` : ''
  const cut = found > maxShown ? `; ${maxShown} are shown` : ''
  const part = found < kept ? `${number(found)} of ` : ''
  return `${part}${plural(all, 'request')}${lost}${cut}.`
}

function matchesWords(request: RequestView, words: string): boolean {
  const {
    outcome,
    status,
    method,
    module,
    key,
    why,
    cassette,
    words: said,
    user,
    session,
    agent,
    error,
    isWrite
  } = request
  const text =
    `${outcome} ${status} ${method} ${module} ${key} ${why} ${cassette} ${said} ${user} ${session} ${agent} ${error} ${isWrite ? 'write' : ''}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
