/** What makes the server the forward proxy of a program: who may use it, in whose name it answers, and for which hosts. */
import type { IncomingMessage } from 'node:http'
import type { OwnError } from '../../http/reply-headers.ts'
import type { CertificateAuthority } from '../certificates/certificate-authority.ts'
import {
  type InterceptedRequest,
  interceptedRequest,
  type TunnelOrigins
} from './intercepted-request.ts'
import { ProxyAccess } from './proxy-access.ts'
import type { WikiHosts } from './wiki-hosts.ts'

export class ForwardProxy {
  readonly authority: CertificateAuthority
  readonly access: ProxyAccess
  readonly tunnels: TunnelOrigins = new WeakMap()

  /** @param token that programs send; a new one unless given */
  constructor(authority: CertificateAuthority, token?: string) {
    this.authority = authority
    this.access = new ProxyAccess(token)
  }

  /** Undefined for requests to wikitape itself. A tunnel was opened only to those that may use it. */
  read(request: IncomingMessage): InterceptedRequest | OwnError | undefined {
    const intercepted = interceptedRequest(request, this.tunnels)
    if (!intercepted || this.tunnels.has(request.socket)) return intercepted
    return this.access.whyRefused(request) ?? intercepted
  }
}

export class Interception extends ForwardProxy {
  readonly hosts: WikiHosts
  /** Requests that came through the proxy. */
  requests = 0

  constructor(hosts: WikiHosts, authority: CertificateAuthority, token?: string) {
    super(authority, token)
    this.hosts = hosts
  }
}
