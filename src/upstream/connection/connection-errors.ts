/** What went wrong on the way to a wiki, in words that say what to do. */
import { maxHeaderSize } from 'node:http'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import { failureCode } from '../failure-code.ts'
import { UpstreamError } from '../upstream.ts'
import type { UpstreamConnection } from './agent.ts'

/** Whom a failure is told of. */
export interface ConnectionTarget extends UpstreamConnection {
  readonly origin: string
  /** Milliseconds without a byte. */
  readonly timeout: number
  /** Milliseconds that one answer may take in all. */
  readonly maxDuration?: number
}

/** Why a request that never had an answer failed. @param abortReason what this side did about it */
export function toUpstreamError(
  error: unknown,
  abortReason: 'aborted' | 'timeout' | 'too-slow' | undefined,
  target: ConnectionTarget,
): UpstreamError {
  if (error instanceof UpstreamError && abortReason === undefined) return error
  const { origin, timeout } = target
  const through = target.proxy === undefined ? '' : ` through the proxy ${redactUrl(target.proxy)}`
  if (abortReason === 'aborted')
    return new UpstreamError('aborted', 'the client left before the wiki had answered', error)
  if (abortReason === 'timeout')
    return new UpstreamError(
      'timeout',
      `${origin} was silent for ${timeout / 1000} s${through}; raise --timeout`,
      error,
    )
  if (abortReason === 'too-slow') {
    const seconds = (target.maxDuration ?? 10 * timeout) / 1000
    const why = `${origin} had not ended its answer after ${seconds} s; raise --timeout, of which that is ten times`
    return new UpstreamError('timeout', why, error)
  }
  const code = failureCode(error)
  const certificateFault = certificateProblem(code, error)
  if (certificateFault !== undefined)
    return new UpstreamError('untrusted', `${origin}${through}: ${certificateFault} (${code})`, error)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_ASSERTION')
    return new UpstreamError(
      'reset',
      `${origin} closed the connection without an answer${through} (${code})`,
      error,
    )
  if (code === 'HPE_HEADER_OVERFLOW') {
    const why = `${origin} answers with headers longer than ${maxHeaderSize} bytes; set NODE_OPTIONS=--max-http-header-size=131072`
    return new UpstreamError('undecodable', why, error)
  }
  if (code.startsWith('HPE_'))
    return new UpstreamError('undecodable', `${origin} does not answer in HTTP${through} (${code})`, error)
  return new UpstreamError('unreachable', `${origin} cannot be reached${through} (${code})`, error)
}

const cacertHint =
  'if it is in order, name the certificate of the authority that signed it with --cacert FILE (a company’s proxy that looks into TLS has one)'

/** Source: https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes */
function certificateProblem(code: string, error: unknown): string | undefined {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired; tell its operator, or go on without any proof of who answers: --insecure'
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet; is the clock of this machine right?'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return 'its certificate is signed by itself; if it is yours, name it with --cacert FILE'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `its certificate is signed by an authority that is not known here; ${cacertHint}`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is for another name: ${error instanceof Error ? error.message : ''}; use the name that it is for`
    default:
      return /^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT)/.test(code)
        ? `its certificate is not believed; ${cacertHint}`
        : tlsProblem(code)
  }
}

const tlsProblem = (code: string): string | undefined =>
  code === 'EPROTO' || code.startsWith('ERR_SSL_')
    ? 'what answers there does not speak TLS as it should; is it http:// rather than https://?'
    : undefined

/** A proxy that would not let the request through. @param status of its answer */
export function proxyRefusal(status: number, { origin, proxy = '' }: ConnectionTarget): UpstreamError {
  const name = redactUrl(proxy)
  const what =
    status === 407
      ? `the proxy ${name} wants a name and a password: put them into its address, e.g. HTTPS_PROXY=http://NAME:PASSWORD@host:port (https_proxy, http_proxy likewise)`
      : `the proxy ${name} refuses to connect to ${origin} (status ${status}); except the wiki from it with NO_PROXY, or ask whoever runs it`
  return new UpstreamError('proxy', what)
}
