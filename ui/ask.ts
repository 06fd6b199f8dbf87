/** Questions to the server, and what became of them. */
import { useEffect, useState } from 'preact/hooks'

export type Query = Readonly<Record<string, string | number | undefined>>

/** What is known of an answer; `value` stays while it is asked for again. */
export interface Asked<T> {
  readonly value?: T
  /** What went wrong, in words. */
  readonly fault?: string
  readonly loading: boolean
}

export function address(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value))
  const text = params.toString()
  return `/__wikitape/${path}${text === '' ? '' : `?${text}`}`
}

/** @throws Error with the server's words */
export async function ask<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const response = await fetch(address(path, query), signal === undefined ? {} : { signal })
  const body: unknown = await response.json()
  if (response.ok) return body as T
  throw new Error(infoIn(body) ?? `the server answered ${response.status}`)
}

function infoIn(body: unknown): string | undefined {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'object' && error !== null && 'info' in error ? String(error.info) : undefined
}

/**
 * Asks whenever the question changes.
 * @param path undefined: nothing is asked
 * @param every milliseconds after which it is asked again; never unless given
 */
export function useAsked<T>(path: string | undefined, query: Query = {}, every?: number): Asked<T> {
  const whole = path === undefined ? undefined : address(path, query)
  const [asked, setAsked] = useState<Asked<T> & { readonly of?: string }>({ loading: true })
  useEffect(() => {
    if (path === undefined || whole === undefined) return
    const leaving = new AbortController()
    const once = (): Promise<void> =>
      ask<T>(path, query, leaving.signal).then(
        (value) => setAsked({ value, loading: false, of: whole }),
        (error: unknown) => {
          if (!leaving.signal.aborted) setAsked({ fault: wordsOf(error), loading: false, of: whole })
        },
      )
    void once()
    const timer = every === undefined ? undefined : setInterval(() => void (document.hidden || once()), every)
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [whole, every])
  return asked.of === whole ? asked : { loading: true }
}

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
