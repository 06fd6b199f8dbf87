/** Findings that differ only in where they are, told in one line: `parameter added ×8: delete deletetalk, main variant, …`. */

import { kinds } from '../drift/changes/kinds.ts'
import type { Finding } from '../drift/findings/finding.ts'
import { groupOf } from './labels.ts'

export type FindingGroup =
  | { readonly kind: 'single'; readonly finding: Finding }
  | {
      readonly kind: 'several'
      readonly first: Finding
      /** How many findings it stands for. */
      readonly findingCount: number
      readonly title: string
      readonly places: readonly string[]
      readonly count: number
    }

/** Harmless changes of the contract, and requests recorded on one side: many, and alike. */
function isGroupable(finding: Finding): boolean {
  if (finding.kind === 'interaction.missing' || finding.kind === 'interaction.new') return true
  const group = groupOf(finding)
  return finding.axis === 'contract' && (group === 'note' || group === 'additive')
}

/** In the order of the first of each kind. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups: FindingGroup[] = []
  const groupedKinds = new Set<string>()
  for (const finding of findings) {
    const similar = isGroupable(finding)
      ? findings.filter((one) => one.kind === finding.kind && isGroupable(one))
      : []
    if (similar.length < 2) groups.push({ kind: 'single', finding })
    else if (!groupedKinds.has(finding.kind)) groups.push(groupOfSeveral(similar, finding))
    if (similar.length >= 2) groupedKinds.add(finding.kind)
  }
  return groups
}

const groupOfSeveral = (similar: readonly Finding[], first: Finding): FindingGroup => ({
  kind: 'several',
  first,
  findingCount: similar.length,
  title: kinds[first.kind].words,
  places: similar.map(({ scope, place }) => `${scope} ${place.replace(/\[\*\]$/, '')}`.trim()),
  count: similar.reduce((sum, one) => sum + one.count, 0),
})
