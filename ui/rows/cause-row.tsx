/** A cause of drift as a row. */
import type { JSX } from 'preact'
import { type Cause, groupOf } from '../compare/drift-report.ts'
import { Badge } from '../parts/badge.tsx'
import { plural } from '../parts/format.ts'
import { Row } from '../parts/row.tsx'
import { Text } from '../parts/text.tsx'

export const CauseRow = ({
  cause,
  scopes,
  href,
  isCurrent
}: {
  readonly cause: Cause
  /** Modules, or requests, that it concerns. */
  readonly scopes: readonly string[]
  readonly href: string
  readonly isCurrent: boolean
}): JSX.Element => (
  <Row href={href} isCurrent={isCurrent}>
    <Badge of={groupOf(cause)} />
    <span class="words">
      <i title={scopes.join(', ')}>
        <Text>{scopes[0] ?? ''}</Text>
        {scopes.length > 1 && ` +${scopes.length - 1}`}
      </i>{' '}
      <b>
        <Text>{cause.title}</Text>
      </b>
      {cause.since !== undefined && <span class="param"> since {cause.since}</span>}
    </span>
    <span class="number">
      {cause.requests === 0 ? '' : plural(cause.requests, 'request')}
    </span>
  </Row>
)
