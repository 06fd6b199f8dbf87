/** Options of the connection to a wiki, as users give them: which proxy, which certificates. */
import { readFileSync, statSync } from 'node:fs'
import tls from 'node:tls'
import { redactUrl } from '../../privacy/redact/redact-url.ts'
import { isLocalAddress } from '../../privacy/secrets/secret.ts'
import { errorText } from '../../text/error-text.ts'
import {
  booleanOption,
  type OptionExpectations,
  textOption
} from '../../text/option-checks.ts'
import { hostOf, type UpstreamConnection } from './agent.ts'

export interface ConnectionOptions {
  /** Address of the proxy, e.g. `http://name:password@host:port`; unless given, HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide. */
  readonly proxy?: string | undefined
  /** File of a certificate authority (PEM) that is trusted too. */
  readonly cacert?: string | undefined
  /** Trusts any certificate: anyone on the network path can read and change everything. */
  readonly insecure?: boolean | undefined
}

export const connectionOptions: OptionExpectations<ConnectionOptions> = {
  proxy: textOption('http://127.0.0.1:3128'),
  cacert: textOption('ca.pem'),
  insecure: booleanOption
}

export class ConnectionOptionsError extends Error {}

/** @throws ConnectionOptionsError */
export function resolveConnection(
  origin: string,
  options: ConnectionOptions,
  env: EnvironmentVariables
): UpstreamConnection {
  const named = options.proxy ?? proxyFromEnvironment(origin, env)
  if (named !== undefined && !(/^https?:/i.test(named) && URL.canParse(named)))
    throw new ConnectionOptionsError(
      `the proxy ${redactUrl(named)} cannot be used; expected http://host:port or https://host:port in HTTPS_PROXY or HTTP_PROXY`
    )
  const { cacert, insecure } = options
  const ca = cacert === undefined ? undefined : trustedAuthorities(cacert, env)
  return { proxy: named, ca, insecure: insecure === true }
}

/** For programs; the command line warns on stderr. */
export function warnIfInsecure(origin: string, { insecure }: ConnectionOptions): void {
  if (insecure)
    process.emitWarning(
      `insecure: true trusts any certificate of ${origin}: anyone on the network path can read and change everything`,
      'WikitapeWarning'
    )
}

/** The authorities of Node, of NODE_EXTRA_CA_CERTS, and of the file. @throws ConnectionOptionsError */
function trustedAuthorities(file: string, env: EnvironmentVariables) {
  const extra = env['NODE_EXTRA_CA_CERTS']
  return [
    ...tls.rootCertificates,
    ...(extra === undefined ? [] : [readPem(extra)]),
    readPem(file)
  ]
}

function readPem(file: string) {
  let text: string
  try {
    // A device or a pipe may have no end.
    if (!statSync(file).isFile()) throw new Error('it is no plain file')
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConnectionOptionsError(`cannot read ${file}: ${errorText(error)}`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new ConnectionOptionsError(
    `${file} has no PEM certificate; expected -----BEGIN CERTIFICATE----- (openssl x509 -inform der -in FILE writes one from DER)`
  )
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** Undefined for this machine itself, and where none is named. */
export function proxyFromEnvironment(
  origin: string,
  env: EnvironmentVariables
): string | undefined {
  const url = new URL(origin)
  const host = hostOf(url).toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost') || isLocalAddress(host))
    return undefined
  const read = (name: string) => env[name] || env[name.toUpperCase()] || undefined
  const exceptions = (read('no_proxy') ?? '').split(/[\s,]+/).filter((one) => one !== '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (exceptions.some((one) => isExceptedBy(one.toLowerCase(), host, port)))
    return undefined
  const named = read(`${url.protocol.slice(0, -1)}_proxy`) ?? read('all_proxy')
  return named === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(named)
    ? named
    : `http://${named}`
}

/** `*`, a host, `.suffix` or `*.suffix`, each perhaps with a port; a bare domain excepts its subdomains too. */
function isExceptedBy(entry: string, host: string, port: string) {
  const [, name = '', only] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return name === '*' || host === domain || host.endsWith(`.${domain}`)
}
