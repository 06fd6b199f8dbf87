/** Sockets to the host of a URL, and the TLS options that a connection has. */
import net, { isIP, type Socket } from 'node:net'
import tls from 'node:tls'

interface CertificateTrust {
  readonly ca?: readonly string[] | undefined
  readonly insecure?: boolean | undefined
}

export const tlsOptionsOf = ({ ca, insecure }: CertificateTrust): tls.ConnectionOptions => ({
  ...(ca === undefined ? {} : { ca: [...ca] }),
  ...(insecure === true ? { rejectUnauthorized: false } : {}),
})

/** The name of a host, IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Host, port and, for names, `servername`, as node:tls wants them. */
export function tlsAddress(url: URL): { host: string; port: number; servername?: string } {
  const host = hostOf(url)
  return { host, port: Number(url.port || 443), ...(isIP(host) ? {} : { servername: host }) }
}

export const connectTo = (url: URL, options: tls.ConnectionOptions, onConnected?: () => void): Socket =>
  url.protocol === 'https:'
    ? tls.connect({ ...options, ...tlsAddress(url) }, onConnected)
    : net.connect({ host: hostOf(url), port: Number(url.port || 80) }, onConnected)
