/** Keeps the requests of the chosen run in the store, the newest first. */
import type { RequestView } from '../../src/pages/run-views.ts'
import { readLines } from '../runs/run-lines.ts'
import { address, fetchJson } from './server-api.ts'
import { getState, type State, setState } from './store.ts'

/** Live requests in memory. */
const maxRequests = 2000
const pollMs = 400
/** Times that the server does not answer, each after twice as long: some 12 s. */
const maxFailures = 5

/** Asks for new requests of a run that goes on, and once for those of a file. @returns stops asking */
export function followRequests(run: string, isFile: boolean): () => void {
  const controller = new AbortController()
  if (getState().run !== run)
    setState(() => ({ run, requests: [], connection: 'connecting' }))
  void (isFile ? loadRun(run, controller.signal) : follow(controller.signal))
  return () => controller.abort()
}

async function loadRun(run: string, signal: AbortSignal): Promise<void> {
  try {
    const lines = await fetchJson(address('api/requests', { run }), signal)
    setState(() => ({ requests: readLines(lines).toReversed(), connection: 'file' }))
  } catch {
    if (!signal.aborted) setConnection('ended')
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let failures = 0; failures < maxFailures && !signal.aborted; ) {
    const since = getState().requests[0]?.id ?? 0
    try {
      const url = address('api/requests', { since, run: '' })
      const fresh = (await fetchJson(url, signal)) as readonly RequestView[]
      failures = 0
      setConnection('connected')
      if (fresh.length > 0) addRequests(fresh.toReversed())
    } catch {
      if (signal.aborted) return
      failures += 1
      setConnection(failures < maxFailures ? 'lost' : 'ended')
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs * 2 ** failures))
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
