/** Steps that cannot be served in batches other than recorded: they end in a miss, never in a wrong answer. */
import type { LabVersion } from '../../scripts/wiki/lab.ts'

export interface Limitation {
  /** As `nameOf` says it. */
  readonly session: string
  readonly step: string
  readonly wikis: readonly LabVersion[]
  readonly why: string
}

const both = ['1.35', '1.43'] as const

export const limitations: readonly Limitation[] = [
  {
    session: 'm3api, read',
    step: 'links of a generator, walked',
    wikis: both,
    why: 'a `prop` with a limit of its own over the pages of a generator'
  },
  {
    session: 'like Pywikibot, write',
    step: 'contributions',
    wikis: both,
    why: 'three rows are wanted of a list of which two were recorded'
  }
]
