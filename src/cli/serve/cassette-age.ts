/** How old a cassette may be (docs/decisions/0007-expiry.md). */

import { dayOf } from '../../cassette/format/manifest.ts'
import type { Rack } from '../../engine/registry/engine-registry.ts'
import { commandName } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'
import { plural } from '../../text/plural.ts'
import { type Given, type Shell, UsageError } from '../args/command.ts'
import { expiresFlag } from '../flags/cassette-flags.ts'

const dayLength = 24 * 60 * 60 * 1000

/** The age that is allowed, in days; undefined where none was named. @throws UsageError */
export function allowedAge(given: Given, shell: Shell): number | undefined {
  const text = given.text(expiresFlag.name) ?? shell.settings?.expires
  if (text === undefined) return undefined
  const [, number = '', unit] = /^(\d{1,5})([dw])$/.exec(text) ?? []
  if (number === '') throw new UsageError(`the age is "${text}"; expected days or weeks, such as 30d or 6w`)
  return Number(number) * (unit === 'w' ? 7 : 1)
}

/** Why a cassette is too old, or may be; undefined where it is not. */
export function whyExpired({ dir, manifest }: Store, allowed: number, now: number): string | undefined {
  const { recorded } = manifest
  const next = `${commandName} refresh ${dir} --confirm asks everything again and dates it`
  if (recorded === undefined)
    return `cassette.json does not say since when it holds ("recorded"), so its age is unknown; ${next}`
  const age = Math.floor((Date.parse(dayOf(now)) - Date.parse(recorded)) / dayLength)
  if (age <= allowed) return undefined
  return `the oldest part is of ${recorded}, ${plural(age, 'day')} ago, and ${allowed} ${allowed === 1 ? 'is' : 'are'} allowed; ${next}`
}

/** One line a cassette on stderr where `--expires` says so. @throws UsageError */
export function warnOfAge(rack: Rack, given: Given, shell: Shell): void {
  const allowed = allowedAge(given, shell)
  if (allowed === undefined) return
  for (const store of new Set(rack.engines().map((engine) => engine.store))) {
    // What is recorded from here on is of today.
    const why = store.size === 0 ? undefined : whyExpired(store, allowed, shell.now())
    if (why !== undefined) shell.err(`wikitape: ${store.dir} has expired: ${why}\n`)
  }
}
