/** The live side of a rack, from an api-url and flags: for clients that ask through wikitape, and for wikitape itself. */

import type { UpstreamOptions } from '../../engine/live-wiki.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { whyUnreachable } from '../../upstream/connection/check-connection.ts'
import { politeUpstream, type RetryPolicy } from '../../upstream/polite-client.ts'
import { followRedirects } from '../../upstream/redirects.ts'
import { httpProxyUpstream } from '../../upstream/transport/http-proxy-upstream.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { type CommandContext, numberFlag, type ParsedArgs } from '../args/command.ts'
import { timeoutMs } from '../flags/cassette-flags.ts'
import { operatorHeaders, readContact, readUserAgent } from './outgoing-headers.ts'
import { connectionTo } from './trust.ts'

/** Bytes of an answer that are accepted at most. */
const maxAnswerBytes = 256 * 1024 * 1024

/** For clients: their requests go out as they are; what wikitape adds to them may follow redirects. @throws UsageError */
export function clientUpstreamOptions(
  api: ApiUrl,
  args: ParsedArgs,
  context: CommandContext,
): UpstreamOptions {
  const extraHeaders = operatorHeaders(args)
  warnIfInsecure(args, context)
  return {
    api,
    upstream: () => directUpstream(api, extraHeaders, args, context)(api.origin),
    ownUpstream: () => ownRequestUpstream(api, args, context, true),
    secrets: [...extraHeaders.values()],
  }
}

/** For questions without a client: one at a time, patient, and where the wiki has moved to. @throws UsageError */
export function politeUpstreamOptions(
  api: ApiUrl,
  args: ParsedArgs,
  context: CommandContext,
  waiting: WaitStatus,
): UpstreamOptions {
  const retryPolicy = readRetryPolicy(args)
  const clock = context.clock ?? systemClock
  warnIfInsecure(args, context)
  return {
    api,
    upstream: () =>
      politeUpstream(ownRequestUpstream(api, args, context), {
        retryPolicy,
        clock,
        onWait: (...reason) => waiting.update(...reason),
      }),
    secrets: [...operatorHeaders(args).values()],
    ownRequestsOnly: true,
  }
}

/** What is waited for at present; for the line that tells how far work has come. */
export class WaitStatus {
  /** E.g. `waiting 30 s: HTTP status 429`; empty while questions go out. */
  text = ''
  readonly #context: CommandContext

  constructor(context: CommandContext) {
    this.#context = context
  }

  update(reason: string | undefined, milliseconds: number): void {
    const seconds = Math.ceil(milliseconds / 1000)
    this.text = reason === undefined ? '' : `waiting ${seconds} s: ${reason}`
    // Where no line shows it, a long silence is explained.
    if (reason !== undefined && !this.#context.isTerminal && seconds >= 10)
      this.#context.stderr(`wikitape: ${this.text}\n`)
  }
}

const systemClock: NonNullable<CommandContext['clock']> = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
}

/** @throws UsageError */
export const readRetryPolicy = (args: ParsedArgs): RetryPolicy => ({
  retries: numberFlag(args, 'retries', 5, 100),
  maxWait: numberFlag(args, 'max-wait', 300, 86_400) * 1000,
  concurrency: numberFlag(args, 'concurrency', 1, 16),
})

/** For questions of wikitape's own, each asked once. @param withClientCookies true where they carry a client's cookies. @throws UsageError */
export function ownRequestUpstream(
  api: ApiUrl,
  args: ParsedArgs,
  context: CommandContext,
  withClientCookies = false,
): Upstream {
  const extraHeaders = operatorHeaders(args)
  return followRedirects(api, {
    upstream: directUpstream(
      api,
      new Map([['user-agent', readUserAgent(args, context)], ...extraHeaders]),
      args,
      context,
    ),
    // A password goes out in a question like any other, and by then the wiki may seem to have moved.
    isConfidential:
      api.authorization !== undefined || extraHeaders.size > 0 || args.value('login') !== undefined,
    hasClientCookies: withClientCookies,
    onMoved: (to) =>
      context.stderr(`wikitape: ${api.href} has moved; the address to use is ${redactUrl(to)}\n`),
  })
}

/** For looking where a wiki's api.php lies: without any credentials. @throws UsageError */
export function anonymousUpstream(args: ParsedArgs, context: CommandContext): (origin: string) => Upstream {
  const headers = new Map([['user-agent', readUserAgent(args, context)]])
  return (origin) =>
    httpProxyUpstream(origin, {
      timeout: timeoutMs(args),
      maxBytes: maxAnswerBytes,
      headers,
      ...connectionTo(origin, args, context),
    })
}

const directUpstream =
  (api: ApiUrl, headers: ReadonlyMap<string, string>, args: ParsedArgs, context: CommandContext) =>
  (origin: string): Upstream =>
    httpProxyUpstream(origin, {
      timeout: timeoutMs(args),
      maxBytes: maxAnswerBytes,
      authorization: api.authorization,
      headers,
      ...connectionTo(origin, args, context),
    })

function warnIfInsecure(args: ParsedArgs, context: CommandContext): void {
  if (args.isOn('insecure'))
    context.stderr(
      'wikitape: WARNING: --insecure believes any certificate: anybody on the way can read and change everything, passwords included\n',
    )
}

const privateHost =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|.*\.(?:localhost|local|test|internal|lan)$)/

/** A public wiki wants to know whom to write to. */
export function warnIfNoContact(api: ApiUrl, args: ParsedArgs, context: CommandContext): void {
  const { hostname } = new URL(api.origin)
  if (privateHost.test(hostname) || !hostname.includes('.')) return
  if (args.value('user-agent') !== undefined || readContact(args, context) !== undefined) return
  context.stderr(
    `wikitape: ${hostname} is not told who asks; public wikis want a contact, and slow down or refuse who has none: --contact you@example.org, or WIKITAPE_CONTACT (docs/real-wikis.md)\n`,
  )
}

/** Milliseconds after which a connection counts as none. */
const maxConnectMs = 10_000

/** A wiki that is down is known from the first line on, not from the first client's error. @throws UsageError */
export async function warnIfUnreachable(
  api: ApiUrl,
  args: ParsedArgs,
  context: CommandContext,
): Promise<void> {
  const timeout = Math.min(timeoutMs(args), maxConnectMs)
  const reason = await whyUnreachable({
    origin: api.origin,
    timeout,
    ...connectionTo(api.origin, args, context),
  })
  if (reason === undefined) return
  context.stderr(
    `wikitape: ${escapeControls(reason.message)}; whatever is not recorded yet is tried there all the same\n`,
  )
}
