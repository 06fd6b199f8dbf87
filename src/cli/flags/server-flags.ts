/** Flags of a server: where it listens, what it answers, what it reports, which errors it plays. Their readers throw UsageError for wrong values. */
import { toDay } from '../../recorder/cassette/format/manifest.ts'
import { defaultMissStatus } from '../../recorder/engine/engine-options.ts'
import {
  type TroubleState,
  troubleKinds,
  troublePlan
} from '../../recorder/playback/trouble.ts'
import { commandName, shellQuote } from '../../recorder/store/command-name.ts'
import type { Store } from '../../recorder/store/store.ts'
import { plural } from '../../recorder/text/words.ts'
import {
  choiceFlag,
  type Flags,
  flagsOf,
  type Invocation,
  numberFlag,
  orUsageError,
  UsageError
} from '../args/command.ts'

export const onMissFlag: Flags = {
  'on-miss POLICY': {
    help: 'for requests that are not recorded: synthesize (default; build the answer if the recordings prove it) or error',
    choices: ['synthesize', 'error']
  }
}

/** The files that prune and check read. */
export const usageFilesFlag: Flags = {
  'usage FILE…':
    'a file that a run wrote with --usage; with several, a recording is unused if no run used it'
}

export const trustFlag: Flags = {
  'trust WHAT': {
    help: "learned: synthesize only by rules that the recordings prove, not by built-in rules for the wiki's version",
    choices: ['learned']
  }
}

export const listenFlags: Flags = {
  'port N': 'port to listen on; 0 chooses a free one (default 4050, or 0 with a command)',
  'host ADDRESS': 'address to listen on (default 127.0.0.1)'
}

export const serverFlags: Flags = {
  verbose: 'print one line per request: outcome, status, module, key, time, reason',
  'log FILE':
    'append one JSON line per request: time, outcome, status, method, module, key, ms, User-Agent, why; `wikitape review` reads it',
  'run FILE':
    'write the run to this file, one JSON line per request without bodies; `wikitape ui --run FILE` shows it (default $WIKITAPE_RUN, to which is appended)',
  ...listenFlags,
  'allow-origin ORIGIN…':
    'also record requests by web pages of this origin, e.g. https://app.example, or null for pages opened from files; other pages get answers that are not recorded',
  'max-body BYTES': 'largest accepted request body (default 16777216)',
  'miss-status N': `HTTP status of a miss (default ${defaultMissStatus}: clients then print the reason instead of retrying)`,
  ...trustFlag,
  'match HOW': {
    help: 'strict: match only the same method and the same parameters in the same order and spelling (fixed when the cassette is created)',
    choices: ['strict']
  },
  'rewrite-urls':
    "replace the wiki's addresses in answers (server, url, Location …) with this server's; the recordings keep them",
  'usage FILE':
    'write the recordings that the run did not use to this file, for wikitape prune and check',
  'expires AGE': 'warn if the cassette is older than this, e.g. 30d or 6w'
}

/** How variables for programs are printed. */
export const lineForms = [
  'sh',
  'fish',
  'powershell',
  'compose',
  'github',
  'kubernetes'
] as const

/** For commands that may be the forward proxy of a program. */
export const interceptFlags: Flags = {
  intercept:
    'be the forward proxy of the command for this wiki: the program needs no WIKITAPE_API_URL, and may name the wiki itself, with https, too',
  'allow-none': 'do not fail if no request of the command reaches wikitape',
  'ca DIR':
    'without a command: be a forward proxy that programs are set up for, whose authority and token are kept in this folder',
  'lines FORM': {
    help: 'without a command: the form in which the variables for programs are printed (default: sh)',
    choices: lineForms
  },
  'others POLICY': {
    help: 'for hosts that are no wiki, without <api-url>: pass (default): send requests on, and record nothing; record; refuse. A replay refuses them, and with refuse does not fail for it',
    choices: ['pass', 'record', 'refuse']
  }
}

export const sealedFlag: Flags = {
  sealed:
    'run the command in a network of its own, from which nothing leads out but wikitape (Linux); for programs that ignore proxy settings, too'
}

export const readTrust = (call: Invocation): 'learned' | undefined =>
  choiceFlag(call, 'trust', ['learned'])

/** Origins named with `--allow-origin`. @throws UsageError */
export function allowedOrigins(call: Invocation): ReadonlySet<string> {
  const named = call.values('allow-origin')
  const wrong = named.find((one) => !isOrigin(one))
  if (wrong !== undefined)
    throw new UsageError(`--allow-origin is "${wrong}"; ${originFault(wrong)}`)
  return new Set(named)
}

/** As browsers spell it; the URL Standard spells only those of the web. */
const isOrigin = (text: string) =>
  text === 'null' ||
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(text) ||
  (URL.canParse(text) && new URL(text).origin === text)

function originFault(text: string) {
  if (text === '*')
    return 'that would let every page that is open in your browser record here; name the page’s own origin, e.g. https://app.example (a program that sends "Origin: *" needs none)'
  if (/^file:/i.test(text)) return `the origin of files is null: --allow-origin null`
  return 'expected scheme, host and port, e.g. https://app.example or chrome-extension://ID, or null for files'
}

/** In days; undefined if any age is allowed. @throws UsageError */
export function readMaxAge(call: Invocation): number | undefined {
  const text = call.value('expires') ?? call.settings?.expires
  if (text === undefined) return undefined
  const [, number = '', unit] = /^(\d{1,5})([dw])$/.exec(text) ?? []
  if (number === '')
    throw new UsageError(
      `the age is "${text}"; expected days or weeks, such as 30d or 6w`
    )
  return Number(number) * (unit === 'w' ? 7 : 1)
}

/** Why a cassette is too old, or may be; undefined if it is not (docs/decisions/0007-expiry.md). */
export function expiryReason(
  { dir, manifest }: Store,
  maxDays: number,
  now: number
): string | undefined {
  const { recorded } = manifest
  const next = `${commandName} refresh ${shellQuote(dir)} --confirm records everything again and dates it`
  if (recorded === undefined)
    return `cassette.json has no date ("recorded"), so its age is unknown; ${next}`
  const age = Math.floor((Date.parse(toDay(now)) - Date.parse(recorded)) / 86_400_000)
  if (age <= maxDays) return undefined
  return `the oldest part is of ${recorded}, ${plural(age, 'day')} ago; at most ${maxDays} allowed; ${next}`
}

export const troubleFlags: Flags = {
  'trouble KINDS': `let requests meet errors first, as on a bad day of the wiki: ${troubleKinds.join(', ')}; several with commas, each with the share of the requests that meet it, e.g. maxlag,503=0.2 (docs/bad-day.md)`,
  'trouble-first N':
    'how many times each request meets its trouble before it is answered (default 1)',
  'trouble-modules LIST': 'only requests to these modules, e.g. edit,query+allpages',
  'trouble-delay SECONDS': 'how late answers are with --trouble slow (default 5)',
  'seed N': 'another number chooses other requests and kinds of trouble (default 1)'
}

/** @throws UsageError */
export function readTrouble(call: Invocation): TroubleState | undefined {
  const kinds = call.value('trouble')
  if (kinds === undefined) {
    const lonely = flagsOf(troubleFlags).find(
      ({ name }) => call.value(name) !== undefined
    )
    if (!lonely) return undefined
    throw new UsageError(`--${lonely.name} needs --trouble KINDS`)
  }
  const options = {
    kinds,
    modules: call.value('trouble-modules')?.split(',') ?? [],
    first: numberFlag(call, 'trouble-first', 1, 1000, 1),
    seed: numberFlag(call, 'seed', 1, 2 ** 32),
    delay: numberFlag(call, 'trouble-delay', 5, 600) * 1000
  }
  return { plan: orUsageError('--trouble', () => troublePlan(options)) }
}
