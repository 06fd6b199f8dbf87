/** Loads answers of the server into the store. */
import { useEffect } from 'preact/hooks'
import {
  address,
  errorText,
  fetchJson,
  NoServer,
  type QueryParams
} from './server-api.ts'
import { type FetchState, getState, setState, useStore } from './store.ts'

/** Answers that are kept, and milliseconds in which one is not loaded again. */
const maxKept = 40
const freshMs = 15_000

export interface Fetch<T> {
  readonly value?: T
  readonly fault?: string
}

interface FetchOptions {
  /** Milliseconds between reloads; no reloads unless given. */
  readonly every?: number
  /** True if it is loaded again only when it is shown again: the server reads all files for it. */
  readonly isCostly?: boolean
  /** How it is loaded: JSON by GET unless given. */
  readonly by?: typeof fetchJson
}

function keep(url: string, state: FetchState): void {
  setState(({ fetched }) => {
    const others = [...fetched].filter(([other]) => other !== url).slice(-maxKept)
    return { fetched: new Map([...others, [url, state]]) }
  })
}

async function load(
  url: string,
  by: typeof fetchJson,
  signal: AbortSignal,
  changes: number
): Promise<void> {
  try {
    keep(url, { value: await by(url, signal), at: Date.now(), changes })
  } catch (error) {
    const known = getState().fetched.get(url)?.value
    const isKept = error instanceof NoServer && known !== undefined
    const state = isKept ? { value: known } : { fault: errorText(error) }
    if (!signal.aborted) keep(url, { ...state, at: Date.now(), changes })
  }
}

export const hasEnded = (): boolean => getState().connection === 'ended'

/** @param path undefined: nothing is loaded */
export function useFetch<T>(
  path: string | undefined,
  query: QueryParams = {},
  { every, by = fetchJson, isCostly = false }: FetchOptions = {}
): Fetch<T> {
  const url = path === undefined ? undefined : address(path, query)
  const changes = useStore((state) => (isCostly ? 0 : state.changes))
  useEffect(() => {
    if (url === undefined) return
    const controller = new AbortController()
    const run = (): void => void load(url, by, controller.signal, changes)
    const known = getState().fetched.get(url)
    const isFresh =
      known !== undefined && known.changes === changes && Date.now() - known.at < freshMs
    if (every !== undefined || !isFresh) run()
    const timer =
      every === undefined
        ? undefined
        : setInterval(() => document.hidden || hasEnded() || run(), every)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [url, every, changes])
  const state = useStore(({ fetched }) =>
    url === undefined ? undefined : fetched.get(url)
  )
  return (state ?? {}) as Fetch<T>
}
