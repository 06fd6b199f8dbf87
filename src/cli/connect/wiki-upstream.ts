/** The live side of a rack, from an api-url and flags: for clients that ask through wikitape, and for wikitape itself. */

import type { UpstreamOptions } from '../../engine/registry/engine-pool.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { whyUnreachable } from '../../upstream/connection/check-connection.ts'
import { politeUpstream, type RetryPolicy } from '../../upstream/polite-client.ts'
import { followRedirects } from '../../upstream/redirects.ts'
import { httpProxyUpstream } from '../../upstream/transport/http-proxy-upstream.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Invocation } from '../args/command.ts'
import { numberFlag } from '../args/parse-args.ts'
import { timeoutMs } from '../flags/connection-flags.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { operatorHeaders, readContact, readUserAgent } from './outgoing-headers.ts'
import { connectionTo } from './trust.ts'

/** Bytes of an answer that are accepted at most. */
const maxAnswerBytes = 256 * 1024 * 1024

/** For clients: their requests go out as they are; what wikitape adds to them may follow redirects. @throws UsageError */
export function clientUpstreamOptions(api: ApiUrl, call: Invocation): UpstreamOptions {
  const extraHeaders = operatorHeaders(call)
  warnIfInsecure(call)
  return {
    api,
    upstream: () => directUpstream(api, extraHeaders, call)(api.origin),
    ownUpstream: () => ownRequestUpstream(api, call, true),
    secrets: [...extraHeaders.values()],
  }
}

/** For questions without a client: one at a time, patient, and where the wiki has moved to. @throws UsageError */
export function politeUpstreamOptions(api: ApiUrl, call: Invocation, waiting: WaitStatus): UpstreamOptions {
  const retryPolicy = readRetryPolicy(call)
  const clock = call.clock ?? systemClock
  warnIfInsecure(call)
  return {
    api,
    upstream: () =>
      politeUpstream(ownRequestUpstream(api, call), {
        retryPolicy,
        clock,
        onWait: (...reason) => waiting.update(...reason),
      }),
    secrets: [...operatorHeaders(call).values()],
    ownRequestsOnly: true,
  }
}

/** What is waited for at present; for the line that tells how far work has come. */
export class WaitStatus {
  /** E.g. `waiting 30 s: HTTP status 429`; empty while questions go out. */
  text = ''
  readonly #call: Invocation

  constructor(call: Invocation) {
    this.#call = call
  }

  update(reason: string | undefined, milliseconds: number): void {
    const seconds = Math.ceil(milliseconds / 1000)
    this.text = reason === undefined ? '' : `waiting ${seconds} s: ${reason}`
    // Where no line shows it, a long silence is explained.
    if (reason !== undefined && !this.#call.isTerminal && seconds >= 10) printNote(this.#call, this.text)
  }
}

const systemClock: NonNullable<Invocation['clock']> = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
}

/** @throws UsageError */
export const readRetryPolicy = (call: Invocation): RetryPolicy => ({
  retries: numberFlag(call, 'retries', 5, 100),
  maxWait: numberFlag(call, 'max-wait', 300, 86_400) * 1000,
  concurrency: numberFlag(call, 'concurrency', 1, 16),
})

/** For questions of wikitape's own, each asked once. @param withClientCookies true where they carry a client's cookies. @throws UsageError */
export function ownRequestUpstream(api: ApiUrl, call: Invocation, withClientCookies = false): Upstream {
  const extraHeaders = operatorHeaders(call)
  return followRedirects(api, {
    upstream: directUpstream(api, new Map([['user-agent', readUserAgent(call)], ...extraHeaders]), call),
    // A password goes out in a question like any other, and by then the wiki may seem to have moved.
    isConfidential:
      api.authorization !== undefined || extraHeaders.size > 0 || call.value('login') !== undefined,
    hasClientCookies: withClientCookies,
    onMoved: (to) => printNote(call, `${api.href} has moved; the address to use is ${redactUrl(to)}`),
  })
}

/** For looking where a wiki's api.php lies: without any credentials. @throws UsageError */
export function anonymousUpstream(call: Invocation): (origin: string) => Upstream {
  const headers = new Map([['user-agent', readUserAgent(call)]])
  return (origin) =>
    httpProxyUpstream(origin, {
      timeout: timeoutMs(call),
      maxBytes: maxAnswerBytes,
      headers,
      ...connectionTo(origin, call),
    })
}

const directUpstream =
  (api: ApiUrl, headers: ReadonlyMap<string, string>, call: Invocation) =>
  (origin: string): Upstream =>
    httpProxyUpstream(origin, {
      timeout: timeoutMs(call),
      maxBytes: maxAnswerBytes,
      authorization: api.authorization,
      headers,
      ...connectionTo(origin, call),
    })

function warnIfInsecure(call: Invocation): void {
  if (call.isOn('insecure'))
    printNote(
      call,
      'WARNING: --insecure believes any certificate: anybody on the way can read and change everything, passwords included',
    )
}

const privateHost =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|.*\.(?:localhost|local|test|internal|lan)$)/

/** A public wiki wants to know whom to write to. */
export function warnIfNoContact(api: ApiUrl, call: Invocation): void {
  const { hostname } = new URL(api.origin)
  if (privateHost.test(hostname) || !hostname.includes('.')) return
  if (call.value('user-agent') !== undefined || readContact(call) !== undefined) return
  printNote(
    call,
    `${hostname} is not told who asks; public wikis want a contact, and slow down or refuse who has none: --contact you@example.org, or WIKITAPE_CONTACT (docs/real-wikis.md)`,
  )
}

/** Milliseconds after which a connection counts as none. */
const maxConnectMs = 10_000

/** A wiki that is down is known from the first line on, not from the first client's error. @throws UsageError */
export async function warnIfUnreachable(api: ApiUrl, call: Invocation): Promise<void> {
  const timeout = Math.min(timeoutMs(call), maxConnectMs)
  const reason = await whyUnreachable({
    origin: api.origin,
    timeout,
    ...connectionTo(api.origin, call),
  })
  if (reason === undefined) return
  printNote(
    call,
    `${escapeControls(reason.message)}; whatever is not recorded yet is tried there all the same`,
  )
}
