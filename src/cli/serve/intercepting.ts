/** wikitape as the forward proxy of a program: every wiki that it asks has a cassette of its own. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { EngineRegistry } from '../../recorder/engine/registry/engine-registry.ts'
import { addCounts, countsText } from '../../recorder/engine/run-summary.ts'
import {
  CertificateAuthority,
  createAuthority
} from '../../recorder/server/certificates/certificate-authority.ts'
import { Interception } from '../../recorder/server/proxy/interception.ts'
import { type HostRecording, WikiHosts } from '../../recorder/server/proxy/wiki-hosts.ts'
import { readableManifestIn } from '../../recorder/store/contents/manifest-file.ts'
import { cassettesIn } from '../../recorder/store/files/paths-inside.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { cassettesFolder } from '../flags/cassette-flags.ts'
import { loopbackHosts, programEnvironment } from '../intercept/program-environment.ts'
import { storedAuthority } from '../intercept/stored-authority.ts'
import type { TrustFiles } from '../intercept/trust-files.ts'
import { packageFile } from '../package-version.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { addressVariables } from './child-process.ts'
import { type ProgramProxy, replayOptions, type Service } from './serve.ts'

/** Replays every cassette of the folder. @throws UsageError, StoreError */
export function interceptedReplay(call: Invocation): Service {
  const engines = new EngineRegistry({ ...replayOptions(call), cassette: undefined })
  return serviceOfAll('replaying', engines, call)
}

/** @param recording undefined in replay */
export function serviceOfAll(
  activity: Service['activity'],
  engines: EngineRegistry,
  call: Invocation,
  recording?: HostRecording
): Service {
  const hosts = new WikiHosts({ known: recordedWikis(), isClosed: false, recording })
  return {
    activity,
    cassette: `${cassettesFolder}/`,
    apiPath: '',
    engines,
    program: programProxy(engines, hosts, call, undefined),
    reservesStdout: true
  }
}

/** Intercepts the wiki of a service, too. @param recording undefined in replay */
export function withInterception(
  service: Service,
  call: Invocation,
  recording?: HostRecording
): Service {
  const { engines, cassette } = service
  const known = [{ dir: cassette, api: apiAt(engines.first.store.manifest.upstream) }]
  const hosts = new WikiHosts({ known, isClosed: true, recording })
  return { ...service, program: programProxy(engines, hosts, call, service.apiPath) }
}

/** @param apiPath of the wiki that is also served at wikitape's own address */
export function programProxy(
  engines: EngineRegistry,
  hosts: WikiHosts,
  call: Invocation,
  apiPath: string | undefined
): ProgramProxy {
  const dir = call.value('ca')
  const { certificate, key, token } =
    dir === undefined ? { ...createAuthority(1), token: undefined } : storedAuthority(dir)
  const authority = new CertificateAuthority(certificate, key)
  const interception = new Interception(hosts, authority, token)
  let files: TrustFiles | undefined
  return {
    interception,
    environment: (origin) => {
      const own = apiPath === undefined ? {} : addressVariables(origin + apiPath)
      const direct = call.isOn('intercept') ? [] : loopbackHosts
      const made = programEnvironment(
        { origin, access: interception.access, certificate, direct, directory: dir },
        call.env
      )
      files = made.files
      return { ...own, ...made.variables }
    },
    command: async (server) => {
      if (!call.isOn('sealed')) return call.childCommand

      const socket = path.join(files?.folder ?? '', 'wikitape.sock')
      await server.listenAt(socket)
      return sealedCommand(socket, new URL(server.url).port, call.childCommand)
    },
    end: () => {
      files?.remove()
      hosts.close()
      return tellWhatPassed(interception, engines, call)
    }
  }
}

/** Runs it where nothing but the socket can be reached. */
const sealedCommand = (socket: string, port: string, command: readonly string[]) => [
  ...ownNetwork,
  process.execPath,
  packageFile('dist/cli/sealed-relay.cjs'),
  socket,
  port,
  String(process.getuid?.()),
  String(process.getgid?.()),
  ...command
]

const ownNetwork = ['unshare', '--user', '--map-root-user', '--net', '--mount', '--']

/** Before anything is opened. @throws UsageError */
export function requireNamespaces(): void {
  const [name = '', ...args] = ownNetwork
  const { status, stderr, error } = spawnSync(name, [...args, 'ip', 'link'], {
    encoding: 'utf8'
  })
  if (status === 0) return

  const why = error?.message ?? stderr.trim()
  throw new UsageError(
    `--sealed needs namespaces of Linux, unshare and ip, and they cannot be used here (${why}); run it without --sealed`
  )
}

/** @returns the exit code */
function tellWhatPassed(
  { hosts }: Interception,
  engines: EngineRegistry,
  call: Invocation
) {
  const summaries = [...engines.summaries()]
  for (const [{ dir }, all] of summaries.length > 1 ? summaries : [])
    printNote(call, `${dir}: ${countsText(addCounts(all.map(({ counts }) => counts)))}`)

  if (hosts.passed.size > 0)
    printNote(
      call,
      `passed on, not recorded: ${hostsText(hosts.passed)} (--others record records them)`
    )
  if (hosts.refused.size > 0)
    printNote(call, `refused, nothing was sent: ${hostsText(hosts.refused)}`)

  return hosts.refused.size > 0 && call.value('others') !== 'refuse' ? 1 : 0
}

export const hostsText = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([host, count]) => `${host} ${count}`).join(', ')

/** The cassettes below the folder, with the wikis that they are of. */
const recordedWikis = () =>
  cassettesIn(cassettesFolder).flatMap((dir) => {
    const upstream = readableManifestIn(dir)?.upstream ?? ''
    return URL.canParse(upstream) ? [{ dir, api: apiAt(upstream) }] : []
  })

function apiAt(upstream: string) {
  const { href, origin, pathname, host } = new URL(upstream)
  return { href, origin, path: pathname, host, authorization: undefined }
}
