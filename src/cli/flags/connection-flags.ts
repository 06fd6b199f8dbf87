/** Flags of commands that send requests to a live wiki. Their readers throw UsageError for wrong values. */

import type { EngineRegistryOptions } from '../../recorder/engine/registry/registry-options.ts'
import { type ApiUrl, readApiUrl } from '../../recorder/http/api-url.ts'
import { type Mode, mayAskWiki, modes } from '../../recorder/playback/decide.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { namedMode } from '../../recorder/settings/choose-mode.ts'
import { isInCi } from '../../recorder/settings/in-ci.ts'
import {
  type Command,
  choiceFlag,
  expectArgs,
  type Flags,
  type Invocation,
  numberFlag,
  readOrThrow,
  UsageError
} from '../args/command.ts'
import { evictionFlag, movedFlag } from './cassette-flags.ts'

/** A bare name is none, and may be a command's. */
export const looksLikeAddress = (argument: string): boolean =>
  /[.:/]|^localhost/.test(argument)

export const allowLiveFlag: Flags = {
  'allow-live': 'send requests to the wiki even if CI=true'
}

export const timeoutFlag: Flags = {
  'timeout SECONDS':
    'fail if the wiki sends no data for this long (default 60), or if an answer takes ten times as long'
}

const answerFlags: Flags = {
  ...allowLiveFlag,
  'record-errors':
    'also record temporary errors: maxlag, rate limits, read-only, status 429 and 5xx',
  'writes POLICY': {
    help: 'record, or refuse: send no edit, upload or other write to the wiki (default record; refuse for diff, accept and refresh)',
    choices: ['record', 'refuse']
  },
  'keep-cookie NAME…':
    "also record this cookie (default: only MediaWiki's session cookies)",
  ...timeoutFlag
}

export const connectionFlags: Flags = {
  'contact ADDRESS':
    'your e-mail address or user page, for wikitape’s own User-Agent (default WIKITAPE_CONTACT)',
  'user-agent TEXT':
    'the whole User-Agent of wikitape’s own requests; while a client records, only if that client sends none',
  'header LINE…':
    "add this header to each request without it, e.g. 'X-Access: secret'; never recorded",
  'cacert FILE': 'also trust this certificate authority (PEM)',
  insecure:
    'accept any certificate: anyone on the network path can read and change everything'
}

const recordFlags: Flags = {
  'mode MODE': {
    help: 'new_episodes (default): record what is missing; all: record everything again; update: as all, then delete what was not requested; once: record only into an empty cassette; none: replay only; passthrough: record nothing',
    choices: modes
  },
  ...answerFlags,
  ...movedFlag,
  ...evictionFlag,
  ...connectionFlags
}

/** For commands that clients record through. */
export const recordingFlags: Flags = {
  ...recordFlags,
  'allow-control':
    'let the header X-Cassette-Mode choose any mode, also those that overwrite and delete recordings'
}

export const retryFlags: Flags = {
  'retries N': 'number of retries after overload or a closed connection (default 5)',
  'max-wait SECONDS': 'longest time for one answer, including retries (default 300)',
  'concurrency N':
    'number of parallel requests (default 1); more are for a wiki of your own'
}

const ownRequestFlags: Flags = {
  ...retryFlags,
  'login NAME':
    'log in as this user; the password comes from WIKITAPE_PASSWORD or a prompt'
}

/** For `capture`, which sends requests of its own, without a client. */
export const captureFlags: Flags = { ...recordFlags, ...ownRequestFlags }

/** For commands that send the requests of a cassette again. */
export const recaptureFlags: Flags = {
  ...answerFlags,
  ...connectionFlags,
  ...ownRequestFlags
}

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
