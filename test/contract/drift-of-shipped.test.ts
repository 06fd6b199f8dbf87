/** The shipped cassettes of three real versions: every finding between them was looked at by a person. */
import { describe, expect, it } from 'vitest'
import {
  findingsNow,
  pairs,
  readReviewed,
  reviewOf,
  shippedSides,
  verdictsIn
} from '../../scripts/review-drift.ts'
import { compareCassettes } from '../../src/drift/compare.ts'

const reviewed = readReviewed()
const sides = shippedSides()
const now = findingsNow(sides)

describe('drift between the shipped cassettes', () => {
  it.each(pairs)(
    '%s → %s: exactly the findings that were reviewed (scripts/review-drift.ts)',
    (from, to) => {
      const pair = `${from} → ${to}`
      const verdicts = verdictsIn(reviewed)
      const found = (now[pair] ?? []).map((one) => reviewOf(one, verdicts))
      expect(found).toEqual(reviewed[pair])
      expect(found.filter(({ verdict }) => !verdict.startsWith('True: '))).toEqual([])
    }
  )

  /** Changes of the release notes that these versions and requests can show, with kind and severity. */
  it.each([
    ['1.35 → 1.43', 'error.appeared', 'breaking', 'action=tokens  error'],
    ['1.35 → 1.43', 'module.removed', 'breaking', 'tokens'],
    ['1.35 → 1.43', 'param.removed', 'note', 'query+info  intoken'],
    ['1.35 → 1.43', 'param.removed', 'note', 'query+recentchanges  rctoken'],
    ['1.35 → 1.43', 'param.added', 'additive', 'main  variant'],
    [
      '1.39 → 1.43',
      'enum.value-removed',
      'breaking',
      'meta=userinfo  query.userinfo.rights[*]'
    ],
    [
      '1.39 → 1.43',
      'continuation.value-shape',
      'risky',
      'list=alllinks  continue.alcontinue'
    ],
    ['1.39 → 1.43', 'html.structure', 'risky', 'action=parse  parse.text']
  ])('%s: %s is %s at %s', (pair, kind, severity, path) => {
    expect(reviewed[pair]).toContainEqual(
      expect.objectContaining({ kind, severity, path })
    )
  })

  it.each([...sides])('%s against itself is empty, noise included', (_version, side) => {
    const report = compareCassettes(side, side)
    expect([report.findings, report.suppressed, report.remarks]).toEqual([[], [], []])
    expect(report.listings).toBeGreaterThan(40)
  })
})
