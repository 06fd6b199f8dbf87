/** The live side of a rack, from an api-url and flags: for clients that ask through wikitape, and for wikitape itself. */

import type { LiveSide } from '../../engine/registry/engine-pool.ts'
import type { ApiUrl } from '../../http/api-url.ts'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { whyUnreachable } from '../../upstream/connection/check-connection.ts'
import { type Patience, politeUpstream } from '../../upstream/polite-client.ts'
import { followingUpstream } from '../../upstream/redirects.ts'
import { httpProxyUpstream } from '../../upstream/transport/http-proxy-upstream.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { type Given, numberFlag, type Shell } from '../args/command.ts'
import { timeoutOf } from '../flags/cassette-flags.ts'
import { addedHeaders, contactOf, userAgent } from './outgoing-headers.ts'
import { routeTo } from './trust.ts'

/** Bytes of an answer that are accepted at most. */
const maxAnswer = 256 * 1024 * 1024

/** For clients: their requests go out as they are; what wikitape adds to them may follow redirects. @throws UsageError */
export function liveSide(api: ApiUrl, given: Given, shell: Shell): LiveSide {
  const added = addedHeaders(given)
  warnOfInsecurity(given, shell)
  return {
    api,
    upstream: () => straight(api, added, given, shell)(api.origin),
    own: () => following(api, given, shell, true),
    secrets: [...added.values()],
  }
}

/** For questions without a client: one at a time, patient, and where the wiki has moved to. @throws UsageError */
export function ownLiveSide(api: ApiUrl, given: Given, shell: Shell, waiting: Waiting): LiveSide {
  const patience = patienceOf(given)
  const clock = shell.clock ?? systemClock
  warnOfInsecurity(given, shell)
  return {
    api,
    upstream: () =>
      politeUpstream(following(api, given, shell), {
        patience,
        clock,
        waiting: (...why) => waiting.tell(...why),
      }),
    secrets: [...addedHeaders(given).values()],
    asksItself: true,
  }
}

/** What is waited for at present; for the line that tells how far work has come. */
export class Waiting {
  /** E.g. `waiting 30 s: HTTP status 429`; empty while questions go out. */
  text = ''
  readonly #shell: Shell

  constructor(shell: Shell) {
    this.#shell = shell
  }

  tell(why: string | undefined, milliseconds: number): void {
    const seconds = Math.ceil(milliseconds / 1000)
    this.text = why === undefined ? '' : `waiting ${seconds} s: ${why}`
    // Where no line shows it, a long silence is explained.
    if (why !== undefined && !this.#shell.terminal && seconds >= 10)
      this.#shell.err(`wikitape: ${this.text}\n`)
  }
}

const systemClock: NonNullable<Shell['clock']> = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
}

/** @throws UsageError */
export const patienceOf = (given: Given): Patience => ({
  retries: numberFlag(given, 'retries', 5, 100),
  maxWait: numberFlag(given, 'max-wait', 300, 86_400) * 1000,
  concurrency: numberFlag(given, 'concurrency', 1, 16),
})

/** For questions of wikitape's own, each asked once. @param borrowed true where they carry a client's cookies. @throws UsageError */
export function following(api: ApiUrl, given: Given, shell: Shell, borrowed = false): Upstream {
  const added = addedHeaders(given)
  return followingUpstream(api, {
    upstream: straight(api, new Map([['user-agent', userAgent(given, shell)], ...added]), given, shell),
    // A password goes out in a question like any other, and by then the wiki may seem to have moved.
    confidential: api.authorization !== undefined || added.size > 0 || given.text('login') !== undefined,
    borrowed,
    moved: (to) =>
      shell.err(`wikitape: ${api.href} has moved; the address to use is ${withoutCredentials(to)}\n`),
  })
}

/** For looking where a wiki's api.php lies: without any credentials. @throws UsageError */
export function anywhere(given: Given, shell: Shell): (origin: string) => Upstream {
  const headers = new Map([['user-agent', userAgent(given, shell)]])
  return (origin) =>
    httpProxyUpstream(origin, {
      timeout: timeoutOf(given),
      maxBytes: maxAnswer,
      headers,
      ...routeTo(origin, given, shell),
    })
}

const straight =
  (api: ApiUrl, headers: ReadonlyMap<string, string>, given: Given, shell: Shell) =>
  (origin: string): Upstream =>
    httpProxyUpstream(origin, {
      timeout: timeoutOf(given),
      maxBytes: maxAnswer,
      authorization: api.authorization,
      headers,
      ...routeTo(origin, given, shell),
    })

function warnOfInsecurity(given: Given, shell: Shell): void {
  if (given.on('insecure'))
    shell.err(
      'wikitape: WARNING: --insecure believes any certificate: anybody on the way can read and change everything, passwords included\n',
    )
}

const isPrivate =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|.*\.(?:localhost|local|test|internal|lan)$)/

/** A public wiki wants to know whom to write to. */
export function warnOfNoContact(api: ApiUrl, given: Given, shell: Shell): void {
  const { hostname } = new URL(api.origin)
  if (isPrivate.test(hostname) || !hostname.includes('.')) return
  if (given.text('user-agent') !== undefined || contactOf(given, shell) !== undefined) return
  shell.err(
    `wikitape: ${hostname} is not told who asks; public wikis want a contact, and slow down or refuse who has none: --contact you@example.org, or WIKITAPE_CONTACT (docs/real-wikis.md)\n`,
  )
}

/** Milliseconds after which a connection counts as none. */
const connectPatience = 10_000

/** A wiki that is down is known from the first line on, not from the first client's error. @throws UsageError */
export async function tellIfUnreachable(api: ApiUrl, given: Given, shell: Shell): Promise<void> {
  const timeout = Math.min(timeoutOf(given), connectPatience)
  const why = await whyUnreachable({ origin: api.origin, timeout, ...routeTo(api.origin, given, shell) })
  if (why === undefined) return
  shell.err(`wikitape: ${visible(why.message)}; whatever is not recorded yet is tried there all the same\n`)
}
