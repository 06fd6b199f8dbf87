/** Loads answers of the server into the store. */
import { useEffect } from 'preact/hooks'
import { address, errorText, fetchJson, type QueryParams } from './server-api.ts'
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
  signal: AbortSignal
): Promise<void> {
  try {
    keep(url, { value: await by(url, signal), at: Date.now() })
  } catch (error) {
    if (!signal.aborted) keep(url, { fault: errorText(error), at: Date.now() })
  }
}

/** @param path undefined: nothing is loaded */
export function useFetch<T>(
  path: string | undefined,
  query: QueryParams = {},
  { every, by = fetchJson }: FetchOptions = {}
): Fetch<T> {
  const url = path === undefined ? undefined : address(path, query)
  useEffect(() => {
    if (url === undefined) return
    const controller = new AbortController()
    const run = (): void => void load(url, by, controller.signal)
    const known = getState().fetched.get(url)
    if (known === undefined || every !== undefined || Date.now() - known.at > freshMs)
      run()
    const timer =
      every === undefined ? undefined : setInterval(() => document.hidden || run(), every)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [url, every])
  const state = useStore(({ fetched }) =>
    url === undefined ? undefined : fetched.get(url)
  )
  return (state ?? {}) as Fetch<T>
}
