/** Groups of findings that differ only in where they are, for one line: `parameter added ×8: delete deletetalk, main variant, …`. */
import { kinds } from '../drift/changes/kinds.ts'
import type { Finding } from '../drift/findings/finding.ts'
import { groupOf } from './labels.ts'

/** A single finding, or several of one kind. */
export interface FindingGroup {
  readonly first: Finding
  readonly title: string
  /** Where each of several findings is; undefined for a single one. */
  readonly places: readonly string[] | undefined
  readonly count: number
}

/** Harmless changes of the contract, and requests recorded on one side only: often many of a kind. */
function isGroupable(finding: Finding): boolean {
  if (finding.kind === 'interaction.missing' || finding.kind === 'interaction.new') return true
  const group = groupOf(finding)
  return finding.axis === 'contract' && (group === 'note' || group === 'additive')
}

/** Each group where its first finding was. */
export const groupFindings = (findings: readonly Finding[]): readonly FindingGroup[] =>
  findings.flatMap((first): readonly FindingGroup[] => {
    const { kind, title, count } = first
    const similar = isGroupable(first)
      ? findings.filter((one) => one.kind === kind && isGroupable(one))
      : [first]
    if (similar.length === 1) return [{ first, title, places: undefined, count }]
    if (similar[0] !== first) return []
    return [
      {
        first,
        title: kinds[kind].words,
        places: similar.map(({ scope, place }) => `${scope} ${place.replace(/\[\*\]$/, '')}`.trim()),
        count: similar.reduce((sum, one) => sum + one.count, 0),
      },
    ]
  })
