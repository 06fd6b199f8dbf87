/** A cause of drift: its findings with examples. */
import type { JSX } from 'preact'
import { DetailHead } from '../detail/detail-head.tsx'
import { Badge } from '../parts/badge.tsx'
import { plural } from '../parts/format.ts'
import { type Cause, type DriftReport, groupOf } from './drift-report.ts'
import { FindingCard } from './finding-card.tsx'

const maxShown = 60

export function CauseDetail({
  cause,
  report,
  a,
  b
}: {
  readonly cause: Cause
  readonly report: DriftReport
  readonly a: string
  readonly b: string
}): JSX.Element {
  const mine = new Set(cause.findings)
  const findings = report.findings.filter(({ fingerprint }) => mine.has(fingerprint))
  return (
    <>
      <DetailHead words={cause.title}>
        <Badge of={groupOf(cause)} /> {plural(findings.length, 'finding')} in{' '}
        {plural(cause.requests, 'request')}
        {cause.since !== undefined && ` · since ${cause.since}`} · accept it by{' '}
        <code>{cause.fingerprint}</code>
      </DetailHead>
      <div class="panel">
        {findings.slice(0, maxShown).map((one) => (
          <FindingCard key={one.fingerprint} finding={one} a={a} b={b} />
        ))}
        {findings.length > maxShown && (
          <p class="quiet">{findings.length - maxShown} more findings of this cause.</p>
        )}
      </div>
    </>
  )
}
