/** The way to a wiki as people name it, on the command line and in programs: which proxy, which certificates. */
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { withoutCredentials } from '../../privacy/redact/url-credentials.ts'
import { errorText } from '../../text/error-text.ts'
import { type Expected, flag, text } from '../../text/option-checks.ts'
import { proxyFor, type Route } from './agent.ts'

export interface WayOptions {
  /** Address of the proxy, e.g. `http://name:password@host:port`; unless given HTTPS_PROXY, HTTP_PROXY and NO_PROXY tell. */
  readonly proxy?: string | undefined
  /** File of a certificate authority (PEM) that is believed too. */
  readonly cacert?: string | undefined
  /** Believes any certificate: anybody on the way can read and change everything. */
  readonly insecure?: boolean | undefined
}

export const wayOptions: Expected<WayOptions> = {
  proxy: text('http://127.0.0.1:3128'),
  cacert: text('ca.pem'),
  insecure: flag,
}

type Environment = Readonly<Record<string, string | undefined>>

/** What was named cannot be used. */
export class RouteError extends Error {}

/** @throws RouteError */
export function routeOf(origin: string, options: WayOptions, env: Environment): Route {
  const named = options.proxy ?? proxyFor(origin, env)
  if (named !== undefined && !(/^https?:/i.test(named) && URL.canParse(named)))
    throw new RouteError(
      `the proxy ${withoutCredentials(named)} cannot be used; expected http://host:port or https://host:port in HTTPS_PROXY or HTTP_PROXY`,
    )
  const { cacert, insecure } = options
  const ca = cacert === undefined ? undefined : authorities(cacert, env)
  return { proxy: named, ca, insecure: insecure === true }
}

/** For programs, which have no terminal to warn at. */
export function warnIfInsecure(origin: string, { insecure }: WayOptions): void {
  if (insecure === true)
    process.emitWarning(
      `insecure: true believes any certificate of ${origin}: anybody on the way can read and change everything`,
      'WikitapeWarning',
    )
}

/** Those of Node, those of NODE_EXTRA_CA_CERTS, and those of the file. @throws RouteError */
function authorities(file: string, env: Environment): readonly string[] {
  const extra = env['NODE_EXTRA_CA_CERTS']
  return [...tls.rootCertificates, ...(extra === undefined ? [] : [pem(extra)]), pem(file)]
}

function pem(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new RouteError(`cannot read ${file}: ${errorText(error)}`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new RouteError(
    `${file} holds no certificate in PEM; expected -----BEGIN CERTIFICATE----- (openssl x509 -inform der -in FILE writes one from DER)`,
  )
}
