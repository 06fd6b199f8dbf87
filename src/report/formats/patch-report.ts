/** The report as a patch of the recordings that drifted, as `git apply` and editors read it. */
import { createTwoFilesPatch } from 'diff'
import { encodeInteraction } from '../../cassette/format/encode-interaction.ts'
import type { Interaction } from '../../cassette/interaction.ts'
import { interactionPath } from '../../cassette/interaction-path.ts'
import { type DriftReport, unacceptedFindings } from '../../drift/findings/drift-report.ts'
import type { Finding } from '../../drift/findings/finding.ts'
import { escapeControls, truncateText } from '../../text/escape-control-characters.ts'
import { verdict } from '../drift-counts.ts'
import { groupOf, scopeText, suppressedLines } from '../labels.ts'

/** Edited lines beyond which two recordings are reported as too different for a patch. */
const maxEditLength = 20_000

/**
 * Findings are comments: lines with `#` before a patch, which programs that apply it skip.
 * @param report made with `recordings`
 */
export function patchReport(report: DriftReport): string {
  const open = new Map(unacceptedFindings(report).map((one) => [one.fingerprint, one]))
  const shown = new Set<Finding>()
  const patches: string[] = []
  for (const { recorded, fingerprints } of report.compared) {
    const findings = fingerprints.flatMap((fingerprint) => open.get(fingerprint) ?? [])
    const patch = findings.length === 0 || recorded === undefined ? '' : interactionPatch(...recorded)
    if (patch === '') continue
    for (const one of findings) shown.add(one)
    patches.push(`${findings.map(findingComment).join('')}${patch}`)
  }
  const rest = [...open.values()].filter((one) => !shown.has(one))
  const unplaced =
    rest.length === 0 ? [] : [commentLine('not in any one recording:'), ...rest.map(findingComment)]
  return [...patchHead(report), ...unplaced, ...patches].join('')
}

function patchHead(report: DriftReport): readonly string[] {
  const remarks = report.remarks.map(({ text }) => text)
  return [verdict(report), `${report.a.name} → ${report.b.name}`, ...remarks, ...suppressedLines(report)].map(
    commentLine,
  )
}

const commentLine = (text: string): string => `# ${truncateText(escapeControls(text), 400)}\n`

const findingComment = (finding: Finding): string =>
  commentLine(
    `${finding.fingerprint} ${groupOf(finding)}: ${finding.title}  ${scopeText(finding)}  ${finding.place}`,
  )

/** Empty where the two files are equal: then the finding is about more than this recording. */
function interactionPatch(a: Interaction, b: Interaction): string {
  const [before, after] = [interactionFile(a), interactionFile(b)]
  if (before.text === after.text) return ''
  const options = { context: 3, maxEditLength }
  const patch = createTwoFilesPatch(
    ...([`a/${before.path}`, `b/${after.path}`, before.text, after.text, '', ''] as const),
    options,
  )
  return patch === undefined
    ? commentLine(`${before.path}: too different for a patch`)
    : patch.replace(/^=+\n/, '')
}

function interactionFile(interaction: Interaction): { readonly path: string; readonly text: string } {
  const path = interactionPath(interaction.request, interaction.key)
  const stem = path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
  return { path, text: encodeInteraction(interaction, stem).text }
}
