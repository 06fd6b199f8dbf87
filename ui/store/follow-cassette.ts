/** Notices changes of a cassette on disk; what is shown of it is then loaded again (`useFetch`). */
import { useEffect } from 'preact/hooks'
import { address, fetchJson } from './server-api.ts'
import { setState } from './store.ts'
import { hasEnded } from './use-fetch.ts'

const pollMs = 1_000
/** Milliseconds after a change: while recording, each request is one. */
const restMs = 3_000

export function useChanges(cassette: string): void {
  useEffect(() => {
    const controller = new AbortController()
    void follow(cassette, controller.signal)
    return () => controller.abort()
  }, [cassette])
}

async function follow(cassette: string, signal: AbortSignal): Promise<void> {
  let known: unknown
  while (!signal.aborted) {
    const version =
      document.hidden || hasEnded()
        ? known
        : await fetchJson(address('api/version', { cassette }), signal).catch(() => known)
    const isChanged = known !== undefined && version !== known
    known = version
    if (isChanged && !signal.aborted)
      setState(({ changes }) => ({ changes: changes + 1 }))
    await new Promise((resolve) => setTimeout(resolve, isChanged ? restMs : pollMs))
  }
}
