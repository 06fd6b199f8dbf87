/** Files from which a program's runtime learns whom to trust: in a folder of their own, for one run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rootCertificates } from 'node:tls'
import { readOrElse } from '../../recorder/text/error-text.ts'
import type { EnvironmentVariables } from '../../recorder/upstream/connection/connection-options.ts'
import { javaTrustStore } from './java-trust-store.ts'

export interface TrustFiles {
  readonly folder: string
  /** The authorities of the system, those that the environment named, and wikitape's own. */
  readonly bundle: string
  /** Wikitape's own alone. */
  readonly authority: string
  readonly javaStore: string
  /** With a `.ini` for PHP. */
  readonly phpFolder: string
  readonly wgetrc: string
  readonly rProfile: string
  readonly remove: () => void
}

/** Variables that name a file with authorities, each read by some runtime. */
export const bundleVariables = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PERL_LWP_SSL_CA_FILE',
  'CARGO_HTTP_CAINFO',
  'AWS_CA_BUNDLE',
  'NIX_SSL_CERT_FILE'
] as const

/** Where systems keep their authorities, in PEM: Debian, Fedora, Alpine and macOS. */
const systemBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem'
]

/** @param authority certificate of wikitape's own, in PEM @param proxy as PHP's streams name it @param directory one that stays */
export function writeTrustFiles(
  authority: string,
  proxy: { readonly address: string; readonly authorization: string },
  env: EnvironmentVariables,
  directory?: string
): TrustFiles {
  // Readable by this user alone.
  const folder =
    directory === undefined
      ? mkdtempSync(path.join(tmpdir(), 'wikitape-'))
      : path.resolve(directory)
  const write = (name: string, content: string | Buffer) => {
    const file = path.join(folder, name)
    writeFileSync(file, content)
    return file
  }
  const remove = () => {
    process.off('exit', remove)
    if (directory === undefined) rmSync(folder, { recursive: true, force: true })
  }
  // After a second signal nothing else runs.
  process.once('exit', remove)
  const certificates = [...trustedCertificates(env), authority]
  const bundle = write('bundle.pem', certificates.join('\n'))
  const der = certificates.map((pem) =>
    Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
  )
  const prepended = write('proxy.php', phpProxy(proxy))
  write(
    'wikitape.ini',
    `curl.cainfo="${bundle}"\nopenssl.cafile="${bundle}"\nauto_prepend_file="${prepended}"\n`
  )
  return {
    folder,
    bundle,
    authority: write('authority.pem', authority),
    javaStore: write('java.jks', javaTrustStore(der)),
    phpFolder: folder,
    rProfile: write('profile.R', rProfile(env)),
    wgetrc: write('wgetrc', `${wgetrcOf(env)}\nca_certificate = ${bundle}\n`),
    remove
  }
}

function trustedCertificates(env: EnvironmentVariables) {
  const read = (file: string) => readOrElse('', () => readFileSync(file, 'utf8'))
  const named = [...bundleVariables, 'NODE_EXTRA_CA_CERTS', 'DENO_CERT'].map(
    (name) => env[name]
  )
  const system =
    systemBundles.map(read).find((text) => text !== '') ?? rootCertificates.join('\n')
  const texts = [system, ...[...new Set(named)].map((file) => (file ? read(file) : ''))]
  const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
  return [...new Set(texts.flatMap((text) => text.match(pem) ?? []))]
}

/** Streams of PHP know no proxy but that of their context. */
const phpProxy = (proxy: { readonly address: string; readonly authorization: string }) =>
  `<?php
stream_context_set_default(['http' => [
  'proxy' => 'tcp://${proxy.address}',
  'request_fulluri' => true,
  'header' => 'Proxy-Authorization: ${proxy.authorization}',
]]);
`

/** R reads one profile of its user, too. What httr loads has authorities that were compiled in. */
function rProfile(env: EnvironmentVariables) {
  const named = env['R_PROFILE_USER']
  const own = named === undefined ? ['.Rprofile', '~/.Rprofile'] : [named]
  return `for (file in c(${own.map((file) => JSON.stringify(file)).join(', ')})) {
  if (file.exists(file)) { source(file); break }
}
setHook(packageEvent('httr', 'onLoad'), function(...) {
  httr::set_config(httr::config(cainfo = Sys.getenv('CURL_CA_BUNDLE')))
})
`
}

/** wget reads one file of its user: what stands there stays true. */
function wgetrcOf(env: EnvironmentVariables) {
  const file = env['WGETRC'] ?? path.join(env['HOME'] ?? '', '.wgetrc')
  return readOrElse('', () => readFileSync(file, 'utf8'))
}
