/** Which certificates are believed, and through which proxy a wiki is reached. */
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { withoutCredentials } from '../../privacy/url.ts'
import { proxyFor, type Route } from '../../upstream/route.ts'
import { type Given, type Shell, UsageError } from '../verb.ts'

/** @throws UsageError */
export function routeTo(origin: string, given: Given, shell: Shell): Route {
  const proxy = proxyFor(origin, shell.env)
  if (proxy !== undefined && !(/^https?:/i.test(proxy) && URL.canParse(proxy)))
    throw new UsageError(
      `the proxy ${withoutCredentials(proxy)} cannot be used; expected http://host:port or https://host:port in HTTPS_PROXY or HTTP_PROXY`,
    )
  const file = given.text('cacert')
  return {
    proxy,
    ca: file === undefined ? undefined : authorities(file, shell),
    insecure: given.on('insecure'),
  }
}

/** Those of Node, those of NODE_EXTRA_CA_CERTS, and those of the file. @throws UsageError */
function authorities(file: string, shell: Shell): readonly string[] {
  const extra = shell.env['NODE_EXTRA_CA_CERTS']
  return [...tls.rootCertificates, ...(extra === undefined ? [] : [pem(extra)]), pem(file)]
}

function pem(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new UsageError(
    `${file} holds no certificate in PEM; expected -----BEGIN CERTIFICATE----- (openssl x509 -inform der -in FILE writes one from DER)`,
  )
}
