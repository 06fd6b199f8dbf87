/** Flags of commands that send requests to a live wiki. Their readers throw UsageError for wrong values. */

import type { EngineRegistryOptions } from '../../recorder/engine/registry/registry-options.ts'
import { type ApiUrl, readApiUrl } from '../../recorder/http/api-url.ts'
import { type Mode, mayAskWiki } from '../../recorder/playback/decide.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { isInCi, namedMode } from '../../recorder/settings/choose-mode.ts'
import {
  type Command,
  choiceFlag,
  expectArgs,
  type Invocation,
  numberFlag,
  readOrThrow,
  UsageError
} from '../args/command.ts'

/** A bare name is none, and may be a command's. */
export const looksLikeAddress = (argument: string): boolean =>
  /[.:/]|^localhost/.test(argument)

export const readApiUrlArg = (text: string): ApiUrl => readOrThrow(readApiUrl(text))

/** The one argument that names a wiki, or the project's setting. */
export function addressArg(command: Command, call: Invocation): string {
  const { settings } = call
  if (call.positionals.length > 0 || settings?.apiUrl === undefined)
    return expectArgs(command, call, 1)[0] ?? ''
  const { apiUrl, file } = settings
  const shown = redactUrl(apiUrl)
  // A file of a clone must not choose who gets a password.
  if (
    call.value('login') !== undefined ||
    call.values('header').length > 0 ||
    call.env['WIKITAPE_BEARER']
  )
    throw new UsageError(
      `${file} names the wiki, and credentials go only to one that the command line names: wikitape ${command.name} ${shown} …`
    )
  call.stderr(`wikitape: the wiki is ${shown}, as ${file} says\n`)
  return apiUrl
}

const isLiveForbidden = ({ env, isOn }: Invocation) => isInCi(env) && !isOn('allow-live')

/** No request is sent in CI unless a flag allows it. */
export function assertLiveAllowed(call: Invocation): void {
  if (isLiveForbidden(call))
    throw new UsageError(
      'CI=true, and this command sends requests to a live wiki; add --allow-live to allow it'
    )
}

/** X-Cassette-Mode can narrow the mode, and with `allowControl` also choose one that reaches further. */
export function chosenMode(call: Invocation): {
  readonly mode: Mode
  readonly allowControl: boolean
} {
  const mode =
    namedMode(call.value('mode'), call.env, call.settings?.mode) ?? 'new_episodes'
  const isOffline = isLiveForbidden(call)
  if (isOffline && mayAskWiki(mode))
    throw new UsageError(
      `CI=true, and mode ${mode} may send requests to the live wiki; add --allow-live, or replay`
    )
  return { mode, allowControl: call.isOn('allow-control') && !isOffline }
}

export const writesPolicy = (call: Invocation): 'record' | 'refuse' | undefined =>
  choiceFlag(call, 'writes', ['record', 'refuse'])

/** From the flags of commands that record. @throws UsageError */
export const recordingOptions = (
  call: Invocation
): Pick<EngineRegistryOptions, 'recordErrors' | 'keepCookies' | 'refuseWrites'> => ({
  recordErrors: call.isOn('record-errors'),
  keepCookies: call.values('keep-cookie'),
  refuseWrites: writesPolicy(call) === 'refuse'
})

export const timeoutMs = (call: Invocation): number =>
  numberFlag(call, 'timeout', 60, 3600) * 1000
