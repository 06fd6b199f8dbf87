/** What went wrong on the way to a wiki, in words that say what to do. */
import { maxHeaderSize } from 'node:http'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import { codeOf } from '../failure-code.ts'
import { UpstreamError } from '../upstream.ts'
import type { Route } from './agent.ts'

/** Whom a failure is told of. */
export interface Way extends Route {
  readonly origin: string
  /** Milliseconds without a byte. */
  readonly timeout: number
  /** Milliseconds that one answer may take in all. */
  readonly patience?: number
}

/** Why a request that never had an answer failed. @param broken what this side did about it */
export function explain(
  error: unknown,
  broken: 'aborted' | 'timeout' | 'too-slow' | undefined,
  way: Way,
): UpstreamError {
  if (error instanceof UpstreamError && broken === undefined) return error
  const { origin, timeout } = way
  const through = way.proxy === undefined ? '' : ` through the proxy ${withoutCredentials(way.proxy)}`
  if (broken === 'aborted')
    return new UpstreamError('aborted', 'the client left before the wiki had answered', error)
  if (broken === 'timeout')
    return new UpstreamError(
      'timeout',
      `${origin} was silent for ${timeout / 1000} s${through}; raise --timeout`,
      error,
    )
  if (broken === 'too-slow') {
    const seconds = (way.patience ?? 10 * timeout) / 1000
    const why = `${origin} had not ended its answer after ${seconds} s; raise --timeout, of which that is ten times`
    return new UpstreamError('timeout', why, error)
  }
  const code = codeOf(error)
  const distrust = whyDistrusted(code, error)
  if (distrust !== undefined)
    return new UpstreamError('untrusted', `${origin}${through}: ${distrust} (${code})`, error)
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

const ownAuthority =
  'if it is in order, name the certificate of the authority that signed it with --cacert FILE (a company’s proxy that looks into TLS has one)'

/** Source: https://nodejs.org/docs/latest-v20.x/api/tls.html#x509-certificate-error-codes */
function whyDistrusted(code: string, error: unknown): string | undefined {
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
      return `its certificate is signed by an authority that is not known here; ${ownAuthority}`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `its certificate is for another name: ${error instanceof Error ? error.message : ''}; use the name that it is for`
    default:
      return /^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT)/.test(code)
        ? `its certificate is not believed; ${ownAuthority}`
        : noTls(code)
  }
}

const noTls = (code: string): string | undefined =>
  code === 'EPROTO' || code.startsWith('ERR_SSL_')
    ? 'what answers there does not speak TLS as it should; is it http:// rather than https://?'
    : undefined

/** A proxy that would not let the request through. @param status of its answer */
export function refusedByProxy(status: number, { origin, proxy = '' }: Way): UpstreamError {
  const name = withoutCredentials(proxy)
  const what =
    status === 407
      ? `the proxy ${name} wants a name and a password: put them into its address, e.g. HTTPS_PROXY=http://NAME:PASSWORD@host:port (https_proxy, http_proxy likewise)`
      : `the proxy ${name} refuses to connect to ${origin} (status ${status}); except the wiki from it with NO_PROXY, or ask whoever runs it`
  return new UpstreamError('proxy', what)
}
