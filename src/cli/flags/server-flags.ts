/** Flags of a server: where it listens, what it answers, what it reports, which errors it plays. Their readers throw UsageError for wrong values. */

import { toDay } from '../../recorder/cassette/format/manifest.ts'
import { type TroubleState, troublePlan } from '../../recorder/playback/trouble.ts'
import { commandName, shellQuote } from '../../recorder/store/command-name.ts'
import type { Store } from '../../recorder/store/store.ts'
import { plural } from '../../recorder/text/words.ts'
import {
  choiceFlag,
  type Invocation,
  numberFlag,
  orUsageError,
  UsageError
} from '../args/command.ts'
import { flagsIn } from '../args/flags.ts'

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

/** Why a cassette is too old, or may be; undefined if it is not (docs/decisions/0007-expiry.md). @throws UsageError */
export function expiryReason(
  { dir, manifest }: Store,
  call: Invocation
): string | undefined {
  const maxDays = readMaxAge(call)
  if (maxDays === undefined) return undefined
  const { recorded } = manifest
  const next = `${commandName} refresh ${shellQuote(dir)} --confirm records everything again and dates it`
  if (recorded === undefined)
    return `cassette.json has no date ("recorded"), so its age is unknown; ${next}`
  const today = Date.parse(toDay(call.now()))
  const age = Math.floor((today - Date.parse(recorded)) / 86_400_000)
  if (age <= maxDays) return undefined
  return `the oldest part is of ${recorded}, ${plural(age, 'day')} ago; at most ${maxDays} allowed; ${next}`
}

/** @throws UsageError */
export function readTrouble(call: Invocation): TroubleState | undefined {
  const kinds = call.value('trouble')
  if (kinds === undefined) {
    const lonely = flagsIn('@trouble').find(({ name }) => call.value(name) !== undefined)
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
