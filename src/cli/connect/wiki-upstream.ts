/** The connection of an engine to its wiki, from an api-url and flags: User-Agent, headers, retries, certificates. Each function throws UsageError for wrong flags. */

import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveWiki } from '../../recorder/engine/engine-options.ts'
import type { ApiUrl } from '../../recorder/http/api-url.ts'
import { isPlainObject, tryParsePlain } from '../../recorder/json/plain-json.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { readText } from '../../recorder/store/files/whole-files.ts'
import { whyUnreachable } from '../../recorder/upstream/connection/connection-errors.ts'
import {
  ConnectionOptionsError,
  resolveConnection
} from '../../recorder/upstream/connection/connection-options.ts'
import {
  PoliteClient,
  type PoliteClientOptions,
  type RetryPolicy
} from '../../recorder/upstream/polite-client.ts'
import { followRedirects } from '../../recorder/upstream/redirects.ts'
import { HttpProxyUpstream } from '../../recorder/upstream/transport/http-proxy-upstream.ts'
import type { Upstream, UpstreamRequest } from '../../recorder/upstream/upstream.ts'
import { type Invocation, numberFlag, orUsageError, UsageError } from '../args/command.ts'
import { timeoutMs } from '../flags/connection-flags.ts'
import { packageVersion } from '../package-version.ts'
import { printNote } from '../terminal/terminal-output.ts'

const maxAnswerBytes = 256 * 1024 * 1024

/** Requests of clients go out unchanged; wikitape's own may follow redirects. */
export function clientUpstreamOptions(api: ApiUrl, call: Invocation): LiveWiki {
  const headers = operatorHeaders(call)
  warnIfInsecure(call)
  return {
    api,
    upstream: () => directUpstream(api.origin, headers, call, api.authorization),
    ownUpstream: () => wikitapeUpstream(api, call, { hasClientCookies: true }),
    secrets: [...headers.values()]
  }
}

/**
 * For commands without a client: with rate limit and retries, and redirects followed.
 * @param waitStatus for the progress line, e.g. `retrying in 30 s: HTTP status 429`; empty while requests are sent
 */
export function politeUpstreamOptions(
  api: ApiUrl,
  call: Invocation,
  waitStatus: { text: string }
): LiveWiki {
  const retryPolicy = readRetryPolicy(call)
  const clock = call.clock ?? { now: Date.now, sleep, random: Math.random }
  const onWait: PoliteClientOptions['onWait'] = (reason, milliseconds) => {
    const seconds = Math.ceil(milliseconds / 1000)
    waitStatus.text = reason === undefined ? '' : `retrying in ${seconds} s: ${reason}`
    // A long silence is explained if there is no progress line.
    if (reason !== undefined && !call.isTerminal && seconds >= 10)
      printNote(call, waitStatus.text)
  }
  warnIfInsecure(call)
  return {
    api,
    upstream: () =>
      new PoliteClient(wikitapeUpstream(api, call), { retryPolicy, clock, onWait }),
    secrets: [...operatorHeaders(call).values()],
    hasNoClient: true
  }
}

export const readRetryPolicy = (call: Invocation): RetryPolicy => ({
  retries: numberFlag(call, 'retries', 5, 100),
  maxWait: numberFlag(call, 'max-wait', 300, 86_400) * 1000,
  concurrency: numberFlag(call, 'concurrency', 1, 16)
})

/** @param hasClientCookies true if its requests carry a client's cookies. */
export function wikitapeUpstream(
  api: ApiUrl,
  call: Invocation,
  { hasClientCookies = false }: { readonly hasClientCookies?: boolean } = {}
): Upstream {
  const added = operatorHeaders(call)
  const headers = new Map([['user-agent', readUserAgent(call)], ...added])
  return followRedirects(api, {
    upstream: (origin) => directUpstream(origin, headers, call, api.authorization),
    // A password is sent in a request like any other, and a redirect may then lead elsewhere.
    isConfidential:
      api.authorization !== undefined ||
      added.size > 0 ||
      call.value('login') !== undefined,
    hasClientCookies,
    onMoved: (to) =>
      printNote(call, `${api.href} has moved; the address to use is ${redactUrl(to)}`)
  })
}

/** @param target path and query */
export const getRequest = (target: string): UpstreamRequest => ({
  method: 'GET',
  target,
  headers: {},
  body: new Uint8Array()
})

/** Sends no credentials: for the search for a wiki's api.php. */
export const anonymousUpstream = (origin: string, call: Invocation): Upstream =>
  directUpstream(origin, new Map([['user-agent', readUserAgent(call)]]), call, undefined)

const directUpstream = (
  origin: string,
  headers: ReadonlyMap<string, string>,
  call: Invocation,
  authorization: string | undefined
) =>
  new HttpProxyUpstream(origin, {
    timeout: timeoutMs(call),
    maxBytes: maxAnswerBytes,
    authorization,
    headers,
    ...connectionTo(origin, call)
  })

/** Which certificates are trusted, and through which proxy the wiki is reached. */
function connectionTo(origin: string, call: Invocation) {
  try {
    const options = { cacert: call.value('cacert'), insecure: call.isOn('insecure') }
    return resolveConnection(origin, options, call.env)
  } catch (error) {
    throw error instanceof ConnectionOptionsError ? new UsageError(error.message) : error
  }
}

function warnIfInsecure(call: Invocation) {
  const danger =
    'anyone on the network path can read and change everything, passwords included'
  if (call.isOn('insecure'))
    printNote(call, `WARNING: --insecure accepts any certificate: ${danger}`)
}

const privateHost =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|.*\.(?:localhost|local|test|internal|lan)$)/

/** Public wikis require a contact in the User-Agent. */
export function warnIfNoContact(api: ApiUrl, call: Invocation): void {
  const { hostname } = new URL(api.origin)
  if (privateHost.test(hostname) || !hostname.includes('.')) return
  if (call.value('user-agent') !== undefined || readContact(call) !== undefined) return
  const what = `${hostname} gets no contact in the User-Agent; public wikis slow down or refuse such clients`
  printNote(
    call,
    `${what}: --contact you@example.org, or WIKITAPE_CONTACT (docs/real-wikis.md)`
  )
}

/** Warns at the start, before the first client's request fails. */
export async function warnIfUnreachable(api: ApiUrl, call: Invocation): Promise<void> {
  const { origin } = api
  const timeout = Math.min(timeoutMs(call), 10_000)
  const reason = await whyUnreachable({ origin, timeout, ...connectionTo(origin, call) })
  if (reason)
    printNote(
      call,
      `${reason.message}; requests that are not recorded are still sent there`
    )
}

/** As public wikis demand it: https://w.wiki/4wJS (robot policy), https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy */
function readUserAgent(call: Invocation) {
  const whole = call.value('user-agent')
  if (whole !== undefined) return headerValue('--user-agent', whole)
  const contact = readContact(call)
  const owner = contact === undefined ? '' : ` (${contact})`
  return `wikitape/${packageVersion()}${owner} node/${process.version.replace(/^v/, '')}`
}

/** Flag, then environment, then the project's settings, then the user's. */
function readContact(call: Invocation) {
  const named = call.value('contact') ?? call.env['WIKITAPE_CONTACT']
  const contact = named || call.settings?.contact || contactInFile(call.env)
  return contact === undefined
    ? undefined
    : headerValue('the contact', contact.replace(/[()]/g, ''))
}

/** Headers of `--header`, names in lower case. */
function operatorHeaders(call: Invocation) {
  return new Map(
    call.values('header').map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]{1,100}):(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(
          `--header is "${line.split(':', 1)[0]}"; expected 'Name: value'`
        )
      return [name.toLowerCase(), headerValue(`--header ${name}`, value.trim())]
    })
  )
}

/** From the user's own settings. Source: XDG Base Directory Specification; %APPDATA% on Windows. */
function contactInFile(env: Invocation['env']) {
  const home =
    env['XDG_CONFIG_HOME'] ||
    env['APPDATA'] ||
    (env['HOME'] && path.join(env['HOME'], '.config'))
  const file = home ? path.join(home, 'wikitape', 'config.json') : undefined
  const text = file && orUsageError(`cannot read ${file}`, () => readText(file))
  if (text === undefined) return undefined
  const settings = tryParsePlain(text)
  const contact = isPlainObject(settings) ? settings['contact'] : undefined
  if (typeof contact !== 'string')
    throw new UsageError(
      `${file} is not what was expected: {"contact": "you@example.org"}`
    )
  return contact
}

/** @throws UsageError for what Node.js would refuse to send. */
function headerValue(what: string, value: string) {
  if (/^[\t\x20-\x7e\x80-\xff]{1,1000}$/.test(value)) return value
  throw new UsageError(
    `${what} cannot be sent in a header; expected up to 1000 Latin letters, digits and signs`
  )
}
