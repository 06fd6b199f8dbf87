/** Errors of connections to a wiki, in words that say what to do. */
import { maxHeaderSize } from 'node:http'
import { redactUrl } from '../../privacy/redact/redact-url.ts'
import { failureCode, UpstreamError, type UpstreamFault } from '../upstream.ts'
import {
  connectTo,
  needsNode22,
  nockTooNew,
  tlsOptionsOf,
  type UpstreamConnection
} from './agent.ts'

/** The wiki, as messages name it, and the limits that a request to it has. */
export interface ConnectionTarget extends UpstreamConnection {
  readonly origin: string
  /** Milliseconds without a byte. */
  readonly timeout: number
}

/** Times `timeout` that one answer may take in all. */
export const maxTimeouts = 10

export type AbortReason = 'aborted' | 'timeout' | 'too-slow'

export function toUpstreamError(
  error: unknown,
  abortReason: AbortReason | undefined,
  target: ConnectionTarget
): UpstreamError {
  if (error instanceof UpstreamError && abortReason === undefined) return error
  const through =
    target.proxy === undefined ? '' : ` through the proxy ${redactUrl(target.proxy)}`
  const [fault, message] =
    abortReason === undefined
      ? connectionFailure(error, target.origin, through)
      : abortFailure(abortReason, target, through)
  return new UpstreamError(fault, message, error)
}

type Failure = readonly [fault: UpstreamFault, message: string]

function abortFailure(
  reason: AbortReason,
  target: ConnectionTarget,
  through: string
): Failure {
  const { origin, timeout } = target
  switch (reason) {
    case 'aborted':
      return ['aborted', 'the client disconnected before the wiki answered']
    case 'timeout':
      return [
        'timeout',
        `${origin} timed out: no data for ${timeout / 1000} s${through}; raise --timeout`
      ]
    case 'too-slow': {
      const limit = `${(maxTimeouts * timeout) / 1000} s (${maxTimeouts} × --timeout)`
      return [
        'timeout',
        `${origin} timed out: response incomplete after ${limit}; raise --timeout`
      ]
    }
  }
}

function connectionFailure(error: unknown, origin: string, through: string): Failure {
  const code = failureCode(error)
  const certificateFault = certificateProblem(code, error)
  if (certificateFault !== undefined)
    return ['untrusted', `${origin}${through}: ${certificateFault} (${code})`]
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_ASSERTION')
    return [
      'reset',
      `${origin} closed the connection without an answer${through} (${code})`
    ]
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      'undecodable',
      `${origin} answers with headers longer than ${maxHeaderSize} bytes; set NODE_OPTIONS=--max-http-header-size=131072`
    ]
  if (code.startsWith('HPE_'))
    return ['undecodable', `${origin} does not answer in HTTP${through} (${code})`]
  if (code === needsNode22)
    return ['unreachable', `${origin}: request not sent: ${nockTooNew()}`]
  return ['unreachable', `${origin} cannot be reached${through} (${code})`]
}

const cacertHint =
  'if that is intended, name the certificate of the authority that signed it with --cacert FILE (a company’s proxy that inspects TLS has one)'

/** Source: https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes */
function certificateProblem(code: string, error: unknown): string | undefined {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired; tell its operator, or continue without verifying it: --insecure'
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet; is the clock of this machine right?'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'its certificate is self-signed; if it is yours, name it with --cacert FILE'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `its certificate is signed by an unknown authority; ${cacertHint}`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is for another name: ${error instanceof Error ? error.message : ''}; use the name that it is for`
    default:
      return otherTlsProblem(code, error instanceof Error ? error.message : '')
  }
}

function otherTlsProblem(code: string, message: string) {
  if (/^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT)/.test(code))
    return `its certificate is not trusted; ${cacertHint}`
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined
  return /alert.(?:handshake.failure|certificate.required)/i.test(code + message)
    ? 'the server wants a certificate of the client, or another kind of TLS; wikitape sends none: reach it through a proxy that does'
    : 'the server does not speak TLS correctly; is it http:// rather than https://?'
}

/** The error of a proxy that refused the request. @param status of its answer */
export function proxyRefusal(
  status: number,
  { origin, proxy = '' }: ConnectionTarget
): UpstreamError {
  const name = redactUrl(proxy)
  const what =
    status === 407
      ? `the proxy ${name} requires a user name and a password: put them into its address, e.g. HTTPS_PROXY=http://NAME:PASSWORD@host:port (https_proxy, http_proxy likewise)`
      : `the proxy ${name} refuses to connect to ${origin} (status ${status}); exclude the wiki with NO_PROXY, or ask whoever runs it`
  return new UpstreamError('proxy', what)
}

/** Why nothing answers there; undefined where something does. Behind a proxy only that is connected to. */
export function whyUnreachable(
  target: ConnectionTarget
): Promise<UpstreamError | undefined> {
  const { proxy, origin, insecure, timeout } = target
  const options = { ...tlsOptionsOf(target), rejectUnauthorized: insecure !== true }
  return new Promise((resolve) => {
    const finish = (why: UpstreamError | undefined): void => {
      socket.destroy()
      resolve(why)
    }
    const socket = connectTo(new URL(proxy ?? origin), options, () => finish(undefined))
    socket.unref()
    socket.setTimeout(timeout, () =>
      finish(toUpstreamError(new Error('silent'), 'timeout', target))
    )
    socket.on('error', (error) => finish(toUpstreamError(error, undefined, target)))
    socket.on('close', () => resolve(undefined))
  })
}
