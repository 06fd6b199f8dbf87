/** The age of a cassette, and whether it has expired (docs/decisions/0007-expiry.md). */
import { toDay } from '../../cassette/format/manifest.ts'
import type { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { commandName, shellQuote } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'
import { plural } from '../../text/words.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { printNote } from '../terminal/terminal-output.ts'

/** In days; undefined if any age is allowed. @throws UsageError */
export function readMaxAge(call: Invocation): number | undefined {
  const text = call.value('expires') ?? call.settings?.expires
  if (text === undefined) return undefined
  const [, number = '', unit] = /^(\d{1,5})([dw])$/.exec(text) ?? []
  if (number === '') throw new UsageError(`the age is "${text}"; expected days or weeks, such as 30d or 6w`)
  return Number(number) * (unit === 'w' ? 7 : 1)
}

/** Why a cassette is too old, or may be; undefined if it is not. */
export function expiryReason({ dir, manifest }: Store, maxDays: number, now: number): string | undefined {
  const { recorded } = manifest
  const next = `${commandName} refresh ${shellQuote(dir)} --confirm records everything again and dates it`
  if (recorded === undefined) return `cassette.json has no date ("recorded"), so its age is unknown; ${next}`
  const age = Math.floor((Date.parse(toDay(now)) - Date.parse(recorded)) / 86_400_000)
  if (age <= maxDays) return undefined
  return `the oldest part is of ${recorded}, ${plural(age, 'day')} ago; at most ${maxDays} allowed; ${next}`
}

/** Warns of each cassette that is older than `--expires`. @throws UsageError */
export function warnIfExpired(engines: EngineRegistry, call: Invocation): void {
  const maxDays = readMaxAge(call)
  if (maxDays === undefined) return
  for (const store of new Set(engines.all().map((engine) => engine.store))) {
    // An empty cassette will be recorded today.
    const reason = store.size === 0 ? undefined : expiryReason(store, maxDays, call.now())
    if (reason !== undefined) printNote(call, `${store.dir} has expired: ${reason}`)
  }
}
