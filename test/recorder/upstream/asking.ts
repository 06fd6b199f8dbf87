/** One question to an upstream, with what a test does not care about filled in. */
import { onTestFinished } from 'vitest'
import {
  type HttpProxyOptions,
  HttpProxyUpstream
} from '../../../src/recorder/upstream/transport/http-proxy-upstream.ts'
import type {
  Upstream,
  UpstreamRequest
} from '../../../src/recorder/upstream/upstream.ts'
import { UpstreamError } from '../../../src/recorder/upstream/upstream.ts'

export const limits: HttpProxyOptions = { timeout: 20_000, maxBytes: 8 * 1024 * 1024 }

export function upstreamAt(
  origin: string,
  options: Partial<HttpProxyOptions> = {}
): Upstream {
  const upstream = new HttpProxyUpstream(origin, { ...limits, ...options })
  onTestFinished(() => upstream.close())
  return upstream
}

export const get = (
  target: string,
  headers: UpstreamRequest['headers'] = {}
): UpstreamRequest => ({
  method: 'GET',
  target,
  headers,
  body: new Uint8Array()
})

export const posting = (
  target: string,
  body: string | Uint8Array,
  headers: UpstreamRequest['headers'] = {}
): UpstreamRequest => ({ method: 'POST', target, headers, body: Buffer.from(body) })

export const textOf = ({ body }: { readonly body: Uint8Array }): string =>
  Buffer.from(body).toString('utf8')

/** The error that a question ended in. */
export async function faultOf(asked: Promise<unknown>): Promise<UpstreamError> {
  const outcome = await asked.then(
    () => 'an answer',
    (error: unknown) => error
  )
  if (!(outcome instanceof UpstreamError))
    throw new Error(`expected an UpstreamError, got ${String(outcome)}`)
  return outcome
}
