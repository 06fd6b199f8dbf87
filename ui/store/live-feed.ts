/** Keeps the live requests in the store, the newest first. */
import type { RequestView } from '../../src/ui/run-views.ts'
import { address } from './server-api.ts'
import { setState } from './store.ts'

/** Requests in memory. */
const maxRequests = 2000

let source: EventSource | undefined

/** The server sends a new page the last requests, and repeats none after a pause. */
export function connectFeed(): void {
  source = new EventSource(address('api/requests'))
  source.addEventListener('open', () => setState(() => ({ connection: 'connected' })))
  source.addEventListener('error', () => setState(() => ({ connection: 'lost' })))
  source.addEventListener('requests', ({ data }: MessageEvent<string>) => {
    const fresh = (JSON.parse(data) as readonly RequestView[]).toReversed()
    setState(({ requests: before }) => {
      const last = before[0]?.id ?? 0
      // A restarted server counts from one again.
      const isNewRun = (fresh[0]?.id ?? 0) < last
      const added = fresh.filter(({ id }) => isNewRun || id > last)
      return { requests: [...added, ...(isNewRun ? [] : before)].slice(0, maxRequests) }
    })
  })
}

export function setPaused(paused: boolean): void {
  setState(() => ({ paused }))
  source?.close()
  if (!paused) connectFeed()
}
