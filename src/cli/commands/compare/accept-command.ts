/** `wikitape accept`: writes down that a drift was looked at and agreed to. */
import { acceptanceForCause, encodeAcceptances } from '../../../drift/findings/acceptances.ts'
import type { Cause } from '../../../drift/findings/cause.ts'
import type { DriftReport } from '../../../drift/findings/drift-report.ts'
import type { Acceptance } from '../../../drift/findings/finding.ts'
import { placeText } from '../../../report/labels.ts'
import { visible } from '../../../text/escape-control-characters.ts'
import { plural } from '../../../text/plural.ts'
import { type Given, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { compareFlags, compareNamed } from '../../compare/compare-sides.ts'
import { acceptFile, readAcceptances, writeText } from '../../files/drift-files.ts'

export const accept: Verb = {
  name: 'accept',
  args: 'A B FINGERPRINT… --reason TEXT [flags]',
  summary:
    'Accepts causes or single findings of wikitape diff A B, so that they no longer fail it; the file is for committing.',
  flags: [
    { name: 'reason', value: 'TEXT', help: 'why this drift is fine' },
    { name: 'expires', value: 'DATE', help: 'last day on which it is, e.g. 2027-01-31 (default never)' },
    { name: 'file', value: 'FILE', help: `where to write (default ${acceptFile})` },
    { name: 'list', help: 'show what the file holds' },
    { name: 'remove', help: 'take the fingerprints out of the file; needs no A and B' },
    ...compareFlags.filter(({ name }) => name !== 'probe'),
  ],
  examples: [
    'wikitape accept cassettes/ru-1.35 cassettes/ru-1.43 f1b3366c --reason "we no longer read it" --expires 2027-01-31',
    'wikitape accept --list',
    'wikitape accept --remove f1b3366c',
  ],
  async run(given, shell) {
    const file = given.text('file') ?? acceptFile
    const old = readAcceptances(given, 'file')
    if (given.on('list')) return list(old, file, shell)
    if (given.on('remove')) return remove(given.positionals, old, file, shell)
    const [a, b, ...prints] = given.positionals
    if (a === undefined || b === undefined || prints.length === 0)
      throw new UsageError(`too few arguments; usage: wikitape accept ${accept.args}`)
    prints.forEach(mustBePrint)
    const reason = given.text('reason')?.trim() ?? ''
    if (reason === '')
      throw new UsageError('--reason is missing; expected a few words for those who read it later')
    const expires = dayOf(given, shell)
    const [report] = await compareNamed([a, b], [], given, shell)
    const fresh = prints.map((print) => {
      const found = drifted(print, report, [a, b])
      tell(found, shell)
      return acceptanceForCause(found, reason, expires)
    })
    writeText(file, encodeAcceptances([...old, ...fresh]))
    shell.err(`wikitape: wrote ${file}\n`)
    return 0
  },
}

function list(entries: readonly Acceptance[], file: string, shell: Shell): number {
  for (const { fingerprint, about, reason, expires } of entries) {
    const until = expires === undefined ? '' : `  until ${expires}`
    shell.out(`${visible(`${fingerprint}${until}  ${about}: ${reason}`)}\n`)
  }
  if (entries.length === 0) shell.err(`wikitape: ${file} holds no acceptance\n`)
  return 0
}

/** @throws UsageError */
function remove(prints: readonly string[], old: readonly Acceptance[], file: string, shell: Shell): number {
  if (prints.length === 0)
    throw new UsageError('too few arguments; usage: wikitape accept --remove FINGERPRINT…')
  const going = new Set(
    prints.map((print) => {
      mustBePrint(print)
      return only(
        old.filter(({ fingerprint }) => fingerprint.startsWith(print)),
        print,
        `${file} holds no acceptance ${print}; wikitape accept --list shows them`,
      )
    }),
  )
  writeText(file, encodeAcceptances(old.filter((one) => !going.has(one))))
  shell.err(`wikitape: took ${plural(going.size, 'acceptance')} out of ${file}\n`)
  return 0
}

/** @throws UsageError */
function mustBePrint(text: string): void {
  if (!/^[0-9a-f]{4,12}$/.test(text))
    throw new UsageError(
      `"${text}" is no fingerprint; expected twelve hex digits as wikitape diff shows them, or the first four and more`,
    )
}

/** The only one; a prefix of several says nothing. @throws UsageError */
function only<T>(found: readonly T[], print: string, none: string): T {
  const [first, second] = found
  if (first === undefined) throw new UsageError(none)
  if (second !== undefined)
    throw new UsageError(`${print} begins ${found.length} fingerprints; give more of it`)
  return first
}

/** @throws UsageError for what is no day of the calendar, or over */
function dayOf(given: Given, shell: Shell): string | undefined {
  const text = given.text('expires')
  if (text === undefined) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new UsageError(`--expires is "${text}"; expected a day such as 2027-01-31`)
  if (text < new Date(shell.now()).toISOString().slice(0, 10))
    throw new UsageError(`--expires is "${text}", a day that is over; expected one to come`)
  return text
}

/** A cause, or one finding as if it were one. */
type Accepted = Pick<Cause, 'fingerprint' | 'findings' | 'title'>

/** The cause, or the finding, whose fingerprint begins so. @throws UsageError */
function drifted(
  print: string,
  report: DriftReport | undefined,
  [a, b]: readonly [string, string],
): Accepted {
  const byPrint = new Map<string, Accepted>()
  for (const one of report?.findings ?? [])
    byPrint.set(one.fingerprint, { fingerprint: one.fingerprint, findings: [one], title: one.title })
  for (const cause of report?.causes ?? []) byPrint.set(cause.fingerprint, cause)
  const found = [...byPrint].filter(([fingerprint]) => fingerprint.startsWith(print))
  const none = `${print} is no finding between ${a} and ${b}; wikitape diff ${a} ${b} lists them`
  return only(found, print, none)[1]
}

function tell({ fingerprint, findings, title }: Accepted, shell: Shell): void {
  const [{ severity }] = findings
  shell.err(`wikitape: accepted ${fingerprint} ${severity}: ${visible(title)}\n`)
  for (const one of findings) shell.err(`  ${visible(`${one.title}  ${placeText(one)}`)}\n`)
}
