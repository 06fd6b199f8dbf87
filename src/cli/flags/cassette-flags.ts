/** Which cassette a command works on: its flags, and the folder that they name. */
import { existsSync } from 'node:fs'
import { toDay } from '../../recorder/cassette/format/manifest.ts'
import { wikiFolderName } from '../../recorder/cassette/interaction-path.ts'
import { compareWikis } from '../../recorder/cassette/wiki-identity.ts'
import type { ApiUrl } from '../../recorder/http/api-url.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { commandName } from '../../recorder/store/command-name.ts'
import { readableManifestIn } from '../../recorder/store/contents/manifest-file.ts'
import { cassettesIn, pathInside } from '../../recorder/store/files/paths-inside.ts'
import { type OpenedCassette, openIfRemote } from '../../redis/open-store.ts'
import { type Command, expectArgs, type Invocation, UsageError } from '../args/command.ts'

export const cassettesFolder = 'cassettes'

/** The cassette of an argument, a flag, the environment or the settings; else the only one below `cassettes/`. @throws UsageError */
export function existingCassette(call: Invocation, positional?: string): string {
  const named = positional ?? namedCassette(call)
  if (named !== undefined) return named
  const [only, ...others] = cassettesIn(cassettesFolder)
  if (only !== undefined && others.length === 0) return only
  throw new UsageError(
    only === undefined
      ? `no cassette named, and there is none under cassettes/; record one: ${commandName} record <api-url>`
      : `which cassette? Name one with --cassette: ${[only, ...others].join(', ')}`
  )
}

/** Opens the cassette of a command that takes no other argument. @throws UsageError, StoreError */
export const openCassetteArg = (command: Command, call: Invocation): CassetteStore =>
  CassetteStore.open(existingCassette(call, expectArgs(command, call, 1, 0)[0]))

/** @throws UsageError if it is empty, as a variable of a script that is not set */
export function namedCassette({ value, env, settings }: Invocation): string | undefined {
  const named = value('cassette') ?? env['WIKITAPE_CASSETTE'] ?? settings?.cassette
  if (named !== '') return named
  const origin = value('cassette') === '' ? '--cassette' : 'WIKITAPE_CASSETTE'
  throw new UsageError(
    `${origin} is empty; name the folder of a cassette, or leave it out`
  )
}

export const cassetteToRecord = (call: Invocation, api: ApiUrl): string =>
  namedCassette(call) ?? defaultCassette(api)

/** Opens the cassette to record to where it is an address; a folder is opened by the engine. @throws StoreError */
export const openToRecord = (api: ApiUrl, call: Invocation): Promise<OpenedCassette> =>
  openIfRemote(cassetteToRecord(call, api), {
    upstream: api.href,
    day: toDay(call.now()),
    moved: call.isOn('moved'),
    allowEviction: call.isOn('allow-eviction')
  })

/** Before 0.2 the path was no part of the name: such a folder is still used if it is a recording of this wiki. */
export function defaultCassette(api: ApiUrl): string {
  const named = pathInside(cassettesFolder, wikiFolderName(api))
  if (existsSync(named)) return named
  const byHost = pathInside(
    cassettesFolder,
    wikiFolderName({ ...api, path: '/w/api.php' })
  )
  const old = readableManifestIn(byHost)
  return old && compareWikis(old, { upstream: api.href, site: undefined }) === 'same'
    ? byHost
    : named
}
