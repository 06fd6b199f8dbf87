/** A report as a patch: what the recordings that drifted say differently, as `git apply` and every editor read it. */
import { createTwoFilesPatch } from 'diff'
import { encodeInteraction } from '../../cassette/format/interaction-format.ts'
import type { Interaction } from '../../cassette/interaction.ts'
import { interactionPath } from '../../cassette/interaction-path.ts'
import { type DriftReport, unaccepted } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { cutText, visible } from '../../text/escape-control-characters.ts'
import { groupOf, quietLines, scopeText, verdict } from '../labels.ts'

/** Lines that differ beyond which two recordings are called different as a whole. */
const maxEditLength = 20_000

/**
 * Lines in front of a patch are skipped by whoever applies it; ours begin with `#`.
 * @param report made with `recordings`
 */
export function patchReport(report: DriftReport): string {
  const open = new Map(unaccepted(report).map((one) => [one.fingerprint, one]))
  const shown = new Set<Finding>()
  const patches: string[] = []
  for (const { recorded, fingerprints } of report.compared) {
    const findings = fingerprints.flatMap((print) => open.get(print) ?? [])
    const patch = findings.length === 0 || recorded === undefined ? '' : patchOf(...recorded)
    if (patch === '') continue
    for (const one of findings) shown.add(one)
    patches.push(`${findings.map(findingLine).join('')}${patch}`)
  }
  const rest = [...open.values()].filter((one) => !shown.has(one))
  const apart = rest.length === 0 ? [] : [comment('not in any one recording:'), ...rest.map(findingLine)]
  return [...headOf(report), ...apart, ...patches].join('')
}

function headOf(report: DriftReport): readonly string[] {
  const remarks = report.remarks.map(({ text }) => text)
  return [verdict(report), `${report.a.name} → ${report.b.name}`, ...remarks, ...quietLines(report)].map(
    comment,
  )
}

const comment = (text: string): string => `# ${cutText(visible(text), 400)}\n`

const findingLine = (finding: Finding): string =>
  comment(
    `${finding.fingerprint} ${groupOf(finding)}: ${finding.title}  ${scopeText(finding)}  ${finding.place}`,
  )

/** Empty where the two files are equal: the finding is about more than one recording. */
function patchOf(a: Interaction, b: Interaction): string {
  const [before, after] = [fileOf(a), fileOf(b)]
  if (before.text === after.text) return ''
  const options = { context: 3, maxEditLength }
  const patch = createTwoFilesPatch(
    ...([`a/${before.path}`, `b/${after.path}`, before.text, after.text, '', ''] as const),
    options,
  )
  return patch === undefined
    ? comment(`${before.path}: too different for a patch`)
    : patch.replace(/^=+\n/, '')
}

function fileOf(interaction: Interaction): { readonly path: string; readonly text: string } {
  const path = interactionPath(interaction.request, interaction.key)
  const stem = path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
  return { path, text: encodeInteraction(interaction, stem).text }
}
