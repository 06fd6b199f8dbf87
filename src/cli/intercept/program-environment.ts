/** The environment in which a program sends its requests to wikitape, and trusts it: a table of what each runtime reads. */

import type { ProxyAccess } from '../../recorder/server/proxy/proxy-access.ts'
import type { EnvironmentVariables } from '../../recorder/upstream/connection/connection-options.ts'
import { packageFile } from '../package-version.ts'
import { bundleVariables, type TrustFiles, writeTrustFiles } from './trust-files.ts'

/** The proxy as a program sees it. */
interface ProxySettings {
  /** Of the server. */
  readonly origin: string
  readonly access: ProxyAccess
  /** Of wikitape's own authority, in PEM. */
  readonly certificate: string
  /** Hosts that are not asked through the proxy. */
  readonly direct: readonly string[]
  /** A folder that keeps the files. */
  readonly directory?: string | undefined
}

/** Programs may ask servers of this machine that are no wikis, such as a test's own. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '::1']

interface ProgramEnvironment {
  readonly variables: EnvironmentVariables
  readonly files: TrustFiles
}

/** @param env to which some of it is added */
export function programEnvironment(
  settings: ProxySettings,
  env: EnvironmentVariables
): ProgramEnvironment {
  const { origin, access, certificate, directory } = settings
  const proxy = { address: new URL(origin).host, authorization: access.authorization }
  const files = writeTrustFiles(certificate, proxy, env, directory)
  return { variables: variablesFor(settings, files, env), files }
}

function variablesFor(
  { origin, access, direct }: ProxySettings,
  files: TrustFiles,
  env: EnvironmentVariables
) {
  const proxy = access.addressAt(origin)
  // The proxy itself: some programs obey these variables in two places.
  const exempt = [new URL(origin).host, ...direct].join(',')
  const proxies = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']
  return {
    ...Object.fromEntries(proxies.map((name) => [name, proxy])),
    ...Object.fromEntries(bundleVariables.map((name) => [name, files.bundle])),
    all_proxy: undefined,
    ALL_PROXY: undefined,
    no_proxy: exempt,
    NO_PROXY: exempt,
    PERL_LWP_ENV_PROXY: '1',
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: files.bundle,
    NODE_OPTIONS: joined(
      env['NODE_OPTIONS'],
      `--require ${JSON.stringify(packageFile('dist/cli/node-proxy.cjs'))}`
    ),
    DENO_CERT: files.authority,
    // An empty part stands for the folder that PHP was built with.
    PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}:${files.phpFolder}`,
    WGETRC: files.wgetrc,
    R_PROFILE_USER: files.rProfile,
    JAVA_TOOL_OPTIONS: joined(
      env['JAVA_TOOL_OPTIONS'],
      javaOptions(origin, files.javaStore, direct)
    )
  }
}

const joined = (before: string | undefined, added: string) =>
  before === undefined || before === '' ? added : `${before} ${added}`

/** Java reads no variables for proxies, and sends no token: its connections are known by their owner. */
function javaOptions(origin: string, store: string, direct: readonly string[]) {
  const { hostname, port } = new URL(origin)
  const exempt = direct.map((host) => host.replace('::1', '[::1]')).join('|')
  const properties = ['http', 'https'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=${hostname}`,
    `-D${scheme}.proxyPort=${port}`
  ])
  return [
    ...properties,
    `-Dhttp.nonProxyHosts=${exempt}`,
    `-Djavax.net.ssl.trustStore=${store}`,
    '-Djavax.net.ssl.trustStoreType=JKS'
  ].join(' ')
}
