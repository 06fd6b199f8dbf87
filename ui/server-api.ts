/** Requests to the server, and the state of their answers. */
import { useEffect, useState } from 'preact/hooks'

export type QueryParams = Readonly<Record<string, string | number | undefined>>

/** State of an answer; `value` stays while it is reloaded. */
export interface FetchState<T> {
  readonly value?: T
  /** Message of a failed request. */
  readonly fault?: string
  readonly loading: boolean
}

export function address(path: string, query: QueryParams = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value))
  const text = params.toString()
  return `/__wikitape/${path}${text === '' ? '' : `?${text}`}`
}

/** @throws Error with the server's message */
export async function fetchJson<T>(path: string, query: QueryParams = {}, signal?: AbortSignal): Promise<T> {
  const response = await fetch(address(path, query), signal === undefined ? {} : { signal }).catch(() => {
    throw new Error('The server does not respond. Is it still running?')
  })
  const body: unknown = await response.json()
  if (response.ok) return body as T
  throw new Error(infoIn(body) ?? `the server answered with HTTP status ${response.status}`)
}

function infoIn(body: unknown): string | undefined {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'object' && error !== null && 'info' in error ? String(error.info) : undefined
}

/**
 * Loads an answer whenever path or query change.
 * @param path undefined: nothing is loaded
 * @param every milliseconds between reloads; no reloads unless given
 */
export function useFetch<T>(
  path: string | undefined,
  query: QueryParams = {},
  every?: number,
): FetchState<T> {
  const url = path === undefined ? undefined : address(path, query)
  const [state, setState] = useState<FetchState<T> & { readonly of?: string }>({ loading: true })
  useEffect(() => {
    if (path === undefined || url === undefined) return
    const controller = new AbortController()
    const load = (): Promise<void> =>
      fetchJson<T>(path, query, controller.signal).then(
        (value) => setState({ value, loading: false, of: url }),
        (error: unknown) => {
          if (!controller.signal.aborted) setState({ fault: errorText(error), loading: false, of: url })
        },
      )
    void load()
    const timer = every === undefined ? undefined : setInterval(() => void (document.hidden || load()), every)
    return () => {
      clearInterval(timer)
      controller.abort()
    }
  }, [url, every])
  return state.of === url ? state : { loading: true }
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))
