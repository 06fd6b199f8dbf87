/** A live request as Ask takes it. */
import type { SentRequestView } from '../../src/pages/run-views.ts'
import type { AskedRequest } from './asked-request.ts'
import { sendable } from './recorded-query.ts'

export function askedOf({ method, path, params }: SentRequestView): AskedRequest {
  const query = new URLSearchParams(
    params.map(({ name, value }): [string, string] => [name, sendable(name, value)])
  ).toString()
  if (method === 'POST') return { address: path, form: query }
  return { address: query === '' ? path : `${path}?${query}`, form: undefined }
}
