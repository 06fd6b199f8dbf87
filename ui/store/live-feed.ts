/** Keeps the live requests in the store, the newest first. */
import type { RequestView } from '../../src/pages/run-views.ts'
import { address, fetchJson } from './server-api.ts'
import { getState, type State, setState } from './store.ts'

/** Requests in memory. */
const maxRequests = 2000
const pollMs = 400

let following = new AbortController()

/** Asks the server for new requests until paused; at first for all that it has. */
export async function followRequests(): Promise<void> {
  following = new AbortController()
  const { signal } = following
  while (!signal.aborted) {
    const since = getState().requests[0]?.id ?? 0
    try {
      const fresh = (await fetchJson(
        address('api/requests', { since }),
        signal
      )) as readonly RequestView[]
      setConnection('connected')
      if (fresh.length > 0) addRequests(fresh.toReversed())
    } catch {
      if (!signal.aborted) setConnection('lost')
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function setConnection(connection: State['connection']): void {
  if (getState().connection !== connection) setState(() => ({ connection }))
}

function addRequests(fresh: readonly RequestView[]): void {
  setState(({ requests: before }) => {
    const last = before[0]?.id ?? 0
    // A restarted server counts from one again.
    const isNewRun = (fresh[0]?.id ?? 0) < last
    return { requests: [...fresh, ...(isNewRun ? [] : before)].slice(0, maxRequests) }
  })
}

export function setPaused(paused: boolean): void {
  setState(() => ({ paused }))
  following.abort()
  if (!paused) void followRequests()
}
