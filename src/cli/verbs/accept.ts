/** `wikitape accept`: writes down that a drift was looked at and agreed to. */
import { acceptanceFor, encodeAcceptances, isFingerprint } from '../../drift/accept.ts'
import type { Finding } from '../../drift/finding.ts'
import type { DriftReport } from '../../drift/report.ts'
import { placeText } from '../../report/words.ts'
import { compareFlags, compareNamed } from '../drift/run.ts'
import { acceptFile, readAcceptances, writeText } from '../files/drift-files.ts'
import { type Given, type Shell, UsageError, type Verb } from '../verb.ts'

export const accept: Verb = {
  name: 'accept',
  args: 'A B FINGERPRINT… --reason TEXT [flags]',
  summary:
    'Accepts findings of wikitape diff A B, so that they no longer fail it; the file is for committing.',
  flags: [
    { name: 'reason', value: 'TEXT', help: 'why this drift is fine' },
    { name: 'expires', value: 'DATE', help: 'last day on which it is, e.g. 2027-01-31 (default never)' },
    { name: 'file', value: 'FILE', help: `where to write (default ${acceptFile})` },
    ...compareFlags.filter(({ name }) => name !== 'probe'),
  ],
  examples: [
    'wikitape accept cassettes/ru-1.35 cassettes/ru-1.43 f1b3366ccc42 --reason "we no longer read it" --expires 2027-01-31',
  ],
  async run(given, shell) {
    const [a, b, ...prints] = given.positionals
    if (a === undefined || b === undefined || prints.length === 0)
      throw new UsageError(`too few arguments; usage: wikitape accept ${accept.args}`)
    const wrong = prints.find((one) => !isFingerprint(one))
    if (wrong !== undefined)
      throw new UsageError(
        `"${wrong}" is no fingerprint; expected twelve hex digits as wikitape diff shows them`,
      )
    const reason = given.text('reason')?.trim() ?? ''
    if (reason === '')
      throw new UsageError('--reason is missing; expected a few words for those who read it later')
    const expires = dayOf(given)
    const file = given.text('file') ?? acceptFile
    const old = readAcceptances(given, 'file')
    const [report] = await compareNamed([a, b], [], given, shell)
    const findings = findingsFor(prints, report, [a, b])
    const fresh = findings.map((one) => acceptanceFor(one, reason, expires))
    writeText(file, encodeAcceptances([...old, ...fresh]))
    tell(findings, file, shell)
    return 0
  },
}

/** @throws UsageError for what is no day of the calendar */
function dayOf(given: Given): string | undefined {
  const text = given.text('expires')
  if (text === undefined) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new UsageError(`--expires is "${text}"; expected a day such as 2027-01-31`)
  return text
}

function findingsFor(
  prints: readonly string[],
  report: DriftReport | undefined,
  [a, b]: readonly [string, string],
): readonly Finding[] {
  return prints.map((print) => {
    const found = report?.findings.find(({ fingerprint }) => fingerprint === print)
    if (found === undefined)
      throw new UsageError(`${print} is no finding between ${a} and ${b}; wikitape diff ${a} ${b} lists them`)
    return found
  })
}

function tell(findings: readonly Finding[], file: string, shell: Shell): void {
  for (const one of findings)
    shell.err(`wikitape: accepted ${one.fingerprint} ${one.severity}: ${one.title}  ${placeText(one)}\n`)
  shell.err(`wikitape: wrote ${file}\n`)
}
