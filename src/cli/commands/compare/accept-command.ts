/** `wikitape accept`: records that a drift is accepted, with the reason. */

import { acceptanceForCause } from '../../../drift/findings/acceptances.ts'
import type { Cause } from '../../../drift/findings/cause.ts'
import type { Acceptance } from '../../../drift/findings/finding.ts'
import { findingPlaceText } from '../../../drift/report/labels.ts'
import { parseDay, toDay } from '../../../recorder/cassette/format/manifest.ts'
import { shellQuote } from '../../../recorder/store/command-name.ts'
import { escapeControls } from '../../../recorder/text/escape-control-characters.ts'
import { plural } from '../../../recorder/text/words.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  onlyMatch,
  UsageError
} from '../../args/command.ts'
import { acceptFile, readAcceptances, saveAcceptances } from '../../files/drift-files.ts'
import { printLine, printNote } from '../../terminal/terminal-output.ts'
import { compareSides } from './compare-sides.ts'

export const acceptCommand: Command = {
  name: 'accept',
  async run(call) {
    const file = call.value('file') ?? acceptFile
    const old = readAcceptances(call, 'file')
    if (call.isOn('list')) return list(old, file, call)
    if (call.isOn('remove')) return remove(old, file, call)
    if (call.isOn('prune')) return prune(old, file, call)
    const [a = '', b = '', ...fingerprints] = expectArgs(acceptCommand, call, Infinity, 3)
    fingerprints.forEach(assertFingerprint)
    const reason = call.value('reason')?.trim() ?? ''
    if (reason === '')
      throw new UsageError(
        '--reason is missing; expected a few words for those who read it later'
      )
    const expires = expiryDay(call)
    const [report] = await compareSides([a, b], [], call)
    // Causes, and findings in the form of one.
    const drift = new Map<string, Pick<Cause, 'fingerprint' | 'findings' | 'title'>>()
    for (const one of report?.findings ?? [])
      drift.set(one.fingerprint, { ...one, findings: [one] })
    for (const one of report?.causes ?? []) drift.set(one.fingerprint, one)
    const fresh = fingerprints.map((prefix) => {
      const none = `${prefix} is not a finding between ${a} and ${b}; wikitape diff ${shellQuote(a)} ${shellQuote(b)} lists them`
      const found = onlyMatch(drift, prefix, 'fingerprints', none)
      const { fingerprint, findings, title } = found
      printNote(call, `accepted ${fingerprint} ${findings[0].severity}: ${title}`)
      for (const one of findings)
        call.stderr(`  ${escapeControls(`${one.title}  ${findingPlaceText(one)}`)}\n`)
      const acceptance = acceptanceForCause(found, reason, expires)
      return { ...acceptance, owner: call.value('owner'), wiki: report?.a.wiki }
    })
    saveAcceptances(file, [...old, ...fresh])
    printNote(call, `wrote ${file}`)
    return 0
  }
}

function list(entries: readonly Acceptance[], file: string, call: Invocation) {
  for (const { fingerprint, about, reason, expires, owner } of entries) {
    const until = expires === undefined ? '' : `  until ${expires}`
    const by = owner === undefined ? '' : `  by ${owner}`
    printLine(call, `${fingerprint}${until}${by}  ${about}: ${reason}`)
  }
  if (entries.length === 0) printNote(call, `${file} has no acceptance`)
  return 0
}

function remove(old: readonly Acceptance[], file: string, call: Invocation) {
  const { positionals } = call
  if (positionals.length === 0)
    throw new UsageError(
      'too few arguments; usage: wikitape accept --remove FINGERPRINT…'
    )
  positionals.forEach(assertFingerprint)
  const named = old.map((one) => [one.fingerprint, one] as const)
  const absent = (prefix: string) =>
    `${file} has no acceptance ${prefix}; wikitape accept --list shows them`
  const removed = new Set(
    positionals.map((one) => onlyMatch(named, one, 'fingerprints', absent(one)))
  )
  saveAcceptances(
    file,
    old.filter((one) => !removed.has(one))
  )
  printNote(call, `removed ${plural(removed.size, 'acceptance')} from ${file}`)
  return 0
}

/** Entries that accept nothing any more. */
async function prune(old: readonly Acceptance[], file: string, call: Invocation) {
  const today = toDay(call.now())
  const expired = old.filter(({ expires }) => expires !== undefined && expires < today)
  const reports =
    call.positionals.length === 2 ? await compareSides(call.positionals, old, call) : []
  const stale = new Set([...expired, ...reports.flatMap((one) => one.unknownAcceptances)])
  saveAcceptances(
    file,
    old.filter((one) => !stale.has(one))
  )
  printNote(call, `removed ${plural(stale.size, 'acceptance')} from ${file}`)
  return 0
}

function assertFingerprint(text: string) {
  if (!/^[0-9a-f]{4,12}$/.test(text))
    throw new UsageError(
      `"${text}" is not a fingerprint; expected twelve hex digits as wikitape diff shows them, or the first four and more`
    )
}

/** @throws UsageError unless it is a day to come */
function expiryDay(call: Invocation) {
  const text = call.value('expires') ?? call.value('until')
  if (text === undefined) return undefined
  if (parseDay(text) === undefined)
    throw new UsageError(`--expires is "${text}"; expected a day such as 2027-01-31`)
  if (text < toDay(call.now()))
    throw new UsageError(
      `--expires is "${text}", which is in the past; expected a future day`
    )
  return text
}
