/** Decides whether a request that no cassette answers may go to the network: to a wiki only if an option allows it. */

import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { isInCi } from '../../recorder/settings/choose-mode.ts'
import { type OutgoingRequest, originOf } from './in-process-request.ts'

/** An inserted cassette, or a suite, that requests are watched for. */
export interface RequestWatch {
  /** How messages name it, e.g. `the cassette cassettes/mine`. */
  readonly label: string
  /** The api.php that it answers for, where that is known. */
  readonly apiUrl: string | undefined
  /** Addresses of wikis that may be requested although no cassette answers for them. */
  readonly allowOtherWikis?: readonly string[] | undefined
  readonly warn: (line: string) => void
  /** Called with the reason of a refused request. */
  readonly onRefused?: (why: string) => void
  /** Why its wiki may not be requested now, with CI=true or not. */
  readonly closedReason?: string
  readonly isActive?: () => boolean
}

const warnedAddresses = new Set<string>()

/** @throws Error if the request is to a wiki that is closed, or with CI=true to one that nothing allows */
export function checkLiveRequest(
  { method, url }: OutgoingRequest,
  all: readonly RequestWatch[]
): void {
  const watches = all.filter(({ isActive }) => isActive?.() ?? true)
  for (const { apiUrl = '', closedReason } of watches)
    if (closedReason !== undefined && originOf(apiUrl) === url.origin)
      throw new Error(
        `wikitape: ${closedReason} This request to ${url.origin} was not sent.`
      )
  const own = watches.find(({ apiUrl = '' }) => originOf(apiUrl) === url.origin)
  const watch = own ?? watches[0]
  if (!watch || !isWikiRequest(url, watches) || (!own && isAllowed(url, watches))) return
  const requestText = `${method} ${redactUrl(url.href).slice(0, 200)}`
  const { label, apiUrl } = watch
  const cassette = apiUrl === undefined ? label : `${label} is of ${apiUrl}`
  const reason = own ? 'no test is running' : 'no cassette answers it'
  const help = own
    ? 'Send it in a test or in a hook (beforeAll), not while the file is read'
    : `Insert a cassette for that wiki too, or allow the request with the option allowOtherWikis: ['${url.origin}']`
  if (isInCi(process.env)) {
    const why = `${requestText} was not sent: CI=true, and ${reason} (${cassette}). ${help}.`
    watches.find(({ onRefused }) => onRefused !== undefined)?.onRefused?.(why)
    throw new Error(`wikitape: ${why}`)
  }
  const address = url.origin + url.pathname
  if (warnedAddresses.has(address)) return
  warnedAddresses.add(address)
  watch.warn(
    `${requestText}: ${reason} (${cassette}), so it is left to the network, and refused where CI=true. ${help}.`
  )
}

/** The entry points of MediaWiki; REST addresses and pretty ones go on behind it. */
export const entryPoint: RegExp = /\/(?:api|rest|index|load)(?:\.|%2e)php5?(?:[/?#]|$)/i

const isWikiRequest = ({ host, pathname }: URL, watches: readonly RequestWatch[]) =>
  entryPoint.test(pathname) ||
  watches.some(({ apiUrl = '' }) => URL.canParse(apiUrl) && new URL(apiUrl).host === host)

/** An address without a port allows every port: that of a test's own server is often drawn. */
const isAllowed = ({ host, hostname }: URL, watches: readonly RequestWatch[]) =>
  watches
    .flatMap(({ allowOtherWikis = [] }) =>
      allowOtherWikis.map((address) => new URL(address))
    )
    .some((allowed) =>
      allowed.port === '' ? allowed.hostname === hostname : allowed.host === host
    )
