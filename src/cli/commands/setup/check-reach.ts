/** Whether a program's requests reach wikitape: it runs as under `record`, every request is passed on, and nothing is recorded. */
import { EngineRegistry } from '../../../recorder/engine/registry/engine-registry.ts'
import { WikiHosts } from '../../../recorder/server/proxy/wiki-hosts.ts'
import type { Invocation } from '../../args/command.ts'
import { assertLiveAllowed } from '../../flags/connection-flags.ts'
import { runChild, spawnWith } from '../../serve/child-process.ts'
import { hostsText, programProxy, requireNamespaces } from '../../serve/intercepting.ts'
import { listen, servedOptions } from '../../serve/serve.ts'
import { hostRecording } from '../record/record-command.ts'

interface Reach {
  /** Hosts with the number of requests; empty if there was none. */
  readonly passed: string
  readonly refused: string
  /** What went wrong on the way, e.g. that the program does not trust wikitape. */
  readonly faults: readonly string[]
  /** Of the command. */
  readonly exitCode: number
}

/** @throws UsageError */
export async function checkReach(call: Invocation): Promise<Reach> {
  assertLiveAllowed(call)
  if (call.isOn('sealed')) requireNamespaces()
  const faults: string[] = []
  const collecting = {
    ...call,
    stderr: (text: string) => void faults.push(text.replace('wikitape: ', '').trim())
  }
  const engines = new EngineRegistry({
    ...servedOptions(collecting),
    cassette: undefined,
    live: undefined,
    isLive: true,
    mode: 'passthrough'
  })
  const hosts = new WikiHosts({
    known: [],
    isClosed: true,
    recording: hostRecording(call)
  })
  const silent = { ...call, stderr: () => undefined }
  const program = programProxy(engines, hosts, silent, undefined)
  const server = await listen({ engines, program }, collecting)
  const variables = program.environment(server.url)
  const childCommand = await program.command(server)
  // What is found is printed on stdout.
  const exitCode = await runChild(variables, {
    spawn: spawnWith(['inherit', 2, 2]),
    ...call,
    childCommand
  })
  await server.close()
  await engines.end()
  program.end()
  const passed = hostsText(hosts.passed)
  return { passed, refused: hostsText(hosts.refused), faults, exitCode }
}
