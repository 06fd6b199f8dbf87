/** The JSON of a drift report (`docs/drift-report.schema.json`), as far as the pages show it. */
export interface DriftReport {
  readonly verdict: string
  readonly counts: Readonly<Record<string, number>>
  readonly a: ReportSide
  readonly b: ReportSide
  readonly compared: { readonly requests: number; readonly listings: number }
  readonly remarks: readonly { readonly text: string; readonly fatal: boolean }[]
  readonly causes: readonly Cause[]
  readonly findings: readonly Finding[]
  readonly suppressed: readonly { readonly count: number }[]
}

interface ReportSide {
  readonly name: string
  readonly engine: string
  readonly interactions: number
}

export interface Cause {
  readonly fingerprint: string
  readonly title: string
  readonly since?: string
  readonly severity: string
  readonly axis: string
  /** Their fingerprints. */
  readonly findings: readonly string[]
  readonly requests: number
}

export interface Finding {
  readonly fingerprint: string
  readonly kind: string
  readonly severity: string
  readonly axis: string
  readonly scope: string
  readonly place: string
  readonly title: string
  readonly count: number
  readonly requests: number
  readonly samples: readonly Sample[]
  readonly hint?: string
}

export interface Sample {
  readonly path: string
  readonly before?: string
  readonly after?: string
  readonly note?: string
  readonly request?: {
    readonly key: string
    readonly params: Readonly<Record<string, string>>
  }
}

/** Changes of the wiki's content are a group of their own, whatever their severity. */
export const groupOf = ({
  severity,
  axis
}: {
  readonly severity: string
  readonly axis: string
}): string => (axis === 'data' ? 'data' : severity)

export const suppressedCount = ({ suppressed }: DriftReport): number =>
  suppressed.reduce((sum, { count }) => sum + count, 0)
