/** Flags of a server: where it listens, what it answers, what it reports. Their readers throw UsageError for wrong values. */
import { defaultMissStatus } from '../../engine/engine-options.ts'
import { type Flag, type Invocation, UsageError } from '../args/command.ts'
import { choiceFlag, numberFlag } from '../args/parse-args.ts'

export const onMissFlag: Flag = {
  name: 'on-miss',
  valueName: 'POLICY',
  choices: ['synthesize', 'error'],
  help: 'for requests that are not recorded: synthesize (default; build the answer if the recordings prove it) or error',
}

/** Of a server: the file to write. */
export const usageFlag: Flag = {
  name: 'usage',
  valueName: 'FILE',
  help: 'write the recordings that the run did not use to this file, for wikitape prune and check',
}

/** Of prune and check: the files to read. */
export const usageFilesFlag: Flag = {
  ...usageFlag,
  repeatable: true,
  help: 'a file that a run wrote with --usage; with several, a recording is unused if no run used it',
}

export const expiresFlag: Flag = {
  name: 'expires',
  valueName: 'AGE',
  help: 'warn if the cassette is older than this, e.g. 30d or 6w',
}

export const trustFlag: Flag = {
  name: 'trust',
  valueName: 'WHAT',
  choices: ['learned'],
  help: "learned: synthesize only by rules that the recordings prove, not by built-in rules for the wiki's version",
}

export const verboseFlag: Flag = {
  name: 'verbose',
  help: 'print one line per request: outcome, status, module, key, time, reason',
}

export const logFlag: Flag = {
  name: 'log',
  valueName: 'FILE',
  help: 'append one JSON line per request: time, outcome, status, method, module, key, ms, why',
}

export const portFlag: Flag = {
  name: 'port',
  valueName: 'N',
  help: 'port to listen on; 0 chooses a free one (default 4050, or 0 with a command)',
}

export const hostFlag: Flag = {
  name: 'host',
  valueName: 'ADDRESS',
  help: 'address to listen on (default 127.0.0.1)',
}

const originFlag: Flag = {
  name: 'allow-origin',
  valueName: 'ORIGIN',
  repeatable: true,
  help: 'also record requests by web pages of this origin, e.g. https://app.example, or null for pages opened from files; other pages get answers that are not recorded',
}

const matchFlag: Flag = {
  name: 'match',
  valueName: 'HOW',
  choices: ['strict'],
  help: 'strict: match only the same method and the same parameters in the same order and spelling (fixed when the cassette is created)',
}

export const rewriteFlag: Flag = {
  name: 'rewrite-urls',
  help: "replace the wiki's addresses in answers (server, url, Location …) with this server's; the recordings keep them",
}

const missStatusFlag: Flag = {
  name: 'miss-status',
  valueName: 'N',
  help: `HTTP status of a miss (default ${defaultMissStatus}: clients then print the reason instead of retrying)`,
}

export const serverFlags: readonly Flag[] = [
  verboseFlag,
  logFlag,
  portFlag,
  hostFlag,
  originFlag,
  { name: 'max-body', valueName: 'BYTES', help: 'largest accepted request body (default 16777216)' },
  missStatusFlag,
  trustFlag,
  matchFlag,
  rewriteFlag,
  usageFlag,
  expiresFlag,
]

export const isStrictMatch = (call: Invocation): boolean =>
  choiceFlag(call, matchFlag.name, ['strict']) === 'strict'

export const readTrust = (call: Invocation): 'learned' | undefined =>
  choiceFlag(call, trustFlag.name, ['learned'])

/** @throws UsageError */
export const missStatus = (call: Invocation): number =>
  numberFlag(call, missStatusFlag.name, defaultMissStatus, 599, 200)

/** Origins named with `--allow-origin`. @throws UsageError */
export function allowedOrigins(call: Invocation): ReadonlySet<string> {
  const named = call.values(originFlag.name)
  const wrong = named.find((one) => !isOrigin(one))
  if (wrong !== undefined) throw new UsageError(`--${originFlag.name} is "${wrong}"; ${originFault(wrong)}`)
  return new Set(named)
}

/** As browsers spell it; the URL Standard spells only those of the web. */
const isOrigin = (text: string): boolean =>
  text === 'null' ||
  /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,*]+$/.test(text) ||
  (URL.canParse(text) && new URL(text).origin === text)

function originFault(text: string): string {
  if (text === '*')
    return 'that would let every page that is open in your browser record here; name the page’s own origin, e.g. https://app.example (a program that sends "Origin: *" needs none)'
  if (/^file:/i.test(text)) return `the origin of files is null: --${originFlag.name} null`
  return 'expected scheme, host and port, e.g. https://app.example or chrome-extension://ID, or null for files'
}
