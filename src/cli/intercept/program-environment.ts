/** The environment in which a program sends its requests to wikitape, and trusts it: a table of what each runtime reads. */
import type { EnvironmentVariables } from '../../recorder/upstream/connection/connection-options.ts'
import { nodeProxyFile } from '../package-version.ts'
import { bundleVariables, type TrustFiles } from './trust-files.ts'

/** The proxy as a program sees it. */
export interface ProxySettings {
  /** With its token. */
  readonly proxy: string
  readonly files: TrustFiles
  /** True if wikis on this machine are asked through the proxy, too. */
  readonly includesLoopback: boolean
}

/** @param env to which some of it is added */
export function programEnvironment(
  program: ProxySettings,
  env: EnvironmentVariables
): EnvironmentVariables {
  const { proxy, files, includesLoopback } = program
  const { host } = new URL(proxy)
  // The proxy itself: some programs obey these variables in two places.
  const exempt = [
    host,
    ...(includesLoopback ? [] : ['localhost', '127.0.0.1', '::1'])
  ].join(',')
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
      `--require ${JSON.stringify(nodeProxyFile())}`
    ),
    DENO_CERT: files.authority,
    // An empty part stands for the folder that PHP was built with.
    PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}:${files.phpFolder}`,
    WGETRC: files.wgetrc,
    R_PROFILE_USER: files.rProfile,
    JAVA_TOOL_OPTIONS: joined(env['JAVA_TOOL_OPTIONS'], javaOptions(program))
  }
}

const joined = (before: string | undefined, added: string) =>
  before === undefined || before === '' ? added : `${before} ${added}`

/** Java reads no variables for proxies, and sends no token: its connections are known by their owner. */
function javaOptions({ proxy, files, includesLoopback }: ProxySettings) {
  const { hostname, port } = new URL(proxy)
  const exempt = includesLoopback ? '' : 'localhost|127.*|[::1]'
  const properties = ['http', 'https'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=${hostname}`,
    `-D${scheme}.proxyPort=${port}`
  ])
  return [
    ...properties,
    `-Dhttp.nonProxyHosts=${exempt}`,
    `-Djavax.net.ssl.trustStore=${files.javaStore}`,
    '-Djavax.net.ssl.trustStoreType=JKS'
  ].join(' ')
}
