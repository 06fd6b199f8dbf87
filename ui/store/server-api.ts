/** Requests to the server. */
export type QueryParams = Readonly<Record<string, string | number | undefined>>

export function address(path: string, query: QueryParams = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) params.set(name, String(value))
  const text = params.toString()
  return `/__wikitape/${path}${text === '' ? '' : `?${text}`}`
}

/** Nobody answers: what was loaded before is as good as it gets. */
export class NoServer extends Error {}

/** @throws Error with the server's message */
async function fetchOk(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options).catch(() => {
    throw new NoServer('The server does not respond. Is it still running?')
  })
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  throw new Error(
    infoIn(body) ?? `the server answered with HTTP status ${response.status}`
  )
}

/** @throws Error with the server's message */
export const fetchJson = async (url: string, signal: AbortSignal): Promise<unknown> =>
  (await fetchOk(url, { signal })).json()

/** Sends the query in the body, where it may have any length. @throws Error with the server's message */
export async function postJson(url: string, signal: AbortSignal): Promise<unknown> {
  const [path = '', query] = url.split('?')
  const body = JSON.stringify(Object.fromEntries(new URLSearchParams(query)))
  const headers = { 'content-type': 'application/json' }
  return (await fetchOk(path, { method: 'POST', headers, body, signal })).json()
}

/** @throws Error with the server's message */
export const fetchBytes = async (
  url: string,
  signal: AbortSignal
): Promise<ArrayBuffer> => (await fetchOk(url, { signal })).arrayBuffer()

function infoIn(body: unknown): string | undefined {
  const error =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'object' && error !== null && 'info' in error
    ? String(error.info)
    : undefined
}

export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
