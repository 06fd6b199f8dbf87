/** Live requests. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RequestView } from '../../src/ui/views.ts'
import { Badge, number, plural, Search, Text } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { address } from '../server-api.ts'

/** Requests in memory, and rows on the page. */
const maxRequests = 2000
const maxShown = 200

const outcomes = ['replayed', 'synthesized', 'recorded', 'passthrough', 'miss', 'trouble', 'failed'] as const

type ConnectionState = 'connecting' | 'connected' | 'lost'

/** The newest first. The server sends a new page the last requests, and repeats none after a pause. */
function useRequests(paused: boolean): {
  readonly requests: readonly RequestView[]
  readonly state: ConnectionState
} {
  const [requests, setRequests] = useState<readonly RequestView[]>([])
  const [state, setState] = useState<ConnectionState>('connecting')
  useEffect(() => {
    if (paused) return
    const source = new EventSource(address('api/requests'))
    source.addEventListener('open', () => setState('connected'))
    source.addEventListener('error', () => setState('lost'))
    source.addEventListener('requests', ({ data }: MessageEvent<string>) => {
      const fresh = (JSON.parse(data) as readonly RequestView[]).toReversed()
      setRequests((before) => {
        const last = before[0]?.id ?? 0
        // A restarted server counts from one again.
        const isNewRun = (fresh[0]?.id ?? 0) < last
        return [...fresh.filter(({ id }) => isNewRun || id > last), ...(isNewRun ? [] : before)].slice(
          0,
          maxRequests,
        )
      })
    })
    return () => source.close()
  }, [paused])
  return { requests, state }
}

export function LiveView(): JSX.Element {
  const [paused, setPaused] = useState(false)
  const [words, setWords] = useState('')
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { requests, state } = useRequests(paused)
  const found = requests.filter((one) => !hidden.has(one.outcome) && matchesWords(one, words))
  const toggle = (outcome: string): void =>
    setHidden(
      (before) =>
        new Set(before.has(outcome) ? [...before].filter((one) => one !== outcome) : [...before, outcome]),
    )
  return (
    <>
      <h1>Live requests</h1>
      <search class="bar">
        <Search label="Filter" value={words} onSearch={setWords} />
        <fieldset>
          <legend>Show</legend>
          {outcomes.map((one) => (
            <label key={one}>
              <input type="checkbox" checked={!hidden.has(one)} onChange={() => toggle(one)} /> {one}
            </label>
          ))}
        </fieldset>
        <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          Pause
        </button>
      </search>
      <p role="status" class="quiet">
        {statusText(state, paused, found.length, requests.length)}
      </p>
      <ol class="rows">
        {found.slice(0, maxShown).map((one) => (
          <RequestRow key={one.id} request={one} />
        ))}
      </ol>
    </>
  )
}

function statusText(state: ConnectionState, paused: boolean, found: number, all: number): string {
  if (paused) return 'Paused.'
  if (state === 'lost') return 'Connection lost. Retrying…'
  if (all === 0)
    return state === 'connecting' ? 'Connecting…' : 'No requests yet. Send requests to this server.'
  const cut = found > maxShown ? `; the newest ${maxShown} are shown` : ''
  return found === all
    ? `${plural(all, 'request')}${cut}.`
    : `${number(found)} of ${plural(all, 'request')}${cut}.`
}

const matchesWords = (request: RequestView, words: string): boolean => {
  const text =
    `${request.outcome} ${request.status} ${request.method} ${request.module} ${request.key} ${request.why} ${request.cassette}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function RequestRow({ request }: { readonly request: RequestView }): JSX.Element {
  const { outcome, status, ms, method, module, sources, at } = request
  const why = sources > 0 ? `built from ${plural(sources, 'recording')}` : request.why
  const link = linkOf(request)
  return (
    <li class="row">
      <Badge of={outcome} />
      <span class="what">
        {link === undefined ? (
          <Text>{module}</Text>
        ) : (
          <a href={link}>
            <Text>{module}</Text>
          </a>
        )}{' '}
        {why !== '' && (
          <span class="why">
            <Text>{why}</Text>
          </span>
        )}
      </span>
      <span class="meta">
        {status} · {ms < 10 ? ms : Math.round(ms)} ms · {method} ·{' '}
        <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
      </span>
    </li>
  )
}

/** The page with details; none for what is not recorded. */
function linkOf({ outcome, cassette, key, source }: RequestView): string | undefined {
  switch (outcome) {
    case 'replayed':
    case 'recorded':
      return linkTo('cassette', { cassette, key })
    case 'synthesized':
      return source === '' ? undefined : linkTo('cassette', { cassette, key: source })
    case 'miss':
      return linkTo('misses', { key })
    default:
      return undefined
  }
}

const clock = (at: number): string => new Date(at).toLocaleTimeString('en-GB')
