/** What makes the server the forward proxy of a program: who may use it, in whose name it answers, and for which hosts. */
import type { CertificateAuthority } from '../certificates/certificate-authority.ts'
import type { TunnelOrigins } from './intercepted-request.ts'
import { ProxyAccess } from './proxy-access.ts'
import type { WikiHosts } from './wiki-hosts.ts'

export class Interception {
  readonly hosts: WikiHosts
  readonly authority: CertificateAuthority
  readonly access: ProxyAccess
  readonly tunnels: TunnelOrigins = new WeakMap()
  /** Requests that came through the proxy. */
  requests = 0

  /** @param token that programs send; a new one unless given */
  constructor(hosts: WikiHosts, authority: CertificateAuthority, token?: string) {
    this.hosts = hosts
    this.authority = authority
    this.access = new ProxyAccess(token)
  }
}
