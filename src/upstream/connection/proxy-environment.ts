/**
 * The proxy that the environment names for an origin: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY; lower case first.
 * Source: https://curl.se/docs/manpage.html (ENVIRONMENT)
 */
import { isIP } from 'node:net'
import { hostOf } from './connect.ts'

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** Undefined for this machine itself, and where none is named. */
export function proxyFromEnvironment(origin: string, env: EnvironmentVariables): string | undefined {
  const url = new URL(origin)
  const host = hostOf(url).toLowerCase()
  if (isLoopback(host)) return undefined
  const read = (name: string): string | undefined => env[name] || env[name.toUpperCase()] || undefined
  const exceptions = (read('no_proxy') ?? '').split(/[\s,]+/).filter((one) => one !== '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (exceptions.some((one) => isExceptedBy(one.toLowerCase(), host, port))) return undefined
  const named = read(`${url.protocol.slice(0, -1)}_proxy`) ?? read('all_proxy')
  return named === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(named) ? named : `http://${named}`
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'))

/** `*`, a host, `.suffix` or `*.suffix`, each perhaps with a port; a bare domain excepts its subdomains too. */
function isExceptedBy(entry: string, host: string, port: string): boolean {
  const [, name = '', only] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return name === '*' || host === domain || host.endsWith(`.${domain}`)
}
