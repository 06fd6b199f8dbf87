/** Findings that differ only in where they are, told in one line: `parameter added ×8: delete deletetalk, main variant, …`. */

import { kinds } from '../drift/changes/kinds.ts'
import type { Finding } from '../drift/findings/finding.ts'
import { groupOf } from './labels.ts'

export type Folded =
  | { readonly kind: 'single'; readonly finding: Finding }
  | {
      readonly kind: 'several'
      readonly first: Finding
      /** How many findings it stands for. */
      readonly holds: number
      readonly title: string
      readonly places: readonly string[]
      readonly count: number
    }

/** Harmless changes of the contract, and requests recorded on one side: many, and alike. */
function isFoldable(finding: Finding): boolean {
  if (finding.kind === 'interaction.missing' || finding.kind === 'interaction.new') return true
  const group = groupOf(finding)
  return finding.axis === 'contract' && (group === 'note' || group === 'additive')
}

/** In the order of the first of each kind. */
export function foldFindings(findings: readonly Finding[]): readonly Folded[] {
  const folded: Folded[] = []
  const told = new Set<string>()
  for (const finding of findings) {
    const alike = isFoldable(finding)
      ? findings.filter((one) => one.kind === finding.kind && isFoldable(one))
      : []
    if (alike.length < 2) folded.push({ kind: 'single', finding })
    else if (!told.has(finding.kind)) folded.push(several(alike, finding))
    if (alike.length >= 2) told.add(finding.kind)
  }
  return folded
}

const several = (alike: readonly Finding[], first: Finding): Folded => ({
  kind: 'several',
  first,
  holds: alike.length,
  title: kinds[first.kind].words,
  places: alike.map(({ scope, place }) => `${scope} ${place.replace(/\[\*\]$/, '')}`.trim()),
  count: alike.reduce((sum, one) => sum + one.count, 0),
})
