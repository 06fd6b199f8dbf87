/** A miss as a row: what was asked, and how the nearest recording differs. */
import type { JSX } from 'preact'
import type { DifferenceView, MissView } from '../../src/pages/views.ts'
import { Badge } from '../parts/badge.tsx'
import { Row } from '../parts/row.tsx'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'

/** Differences that a row says. */
const maxShown = 2

export function MissRow({
  miss,
  href,
  isCurrent
}: {
  readonly miss: MissView
  readonly href: string
  readonly isCurrent: boolean
}): JSX.Element {
  const { recorded, request, reason, nearest } = miss
  const differences = nearest[0]?.differences ?? []
  return (
    <Row href={href} isCurrent={isCurrent}>
      <Badge of={recorded ? 'recorded' : 'miss'} />
      <span class="two-lines">
        <Words of={request.replaceAll(', ', ' · ')} />
        <span class="why">
          {differences.length === 0 ? reason : ''}
          {differences.slice(0, maxShown).map((one) => (
            <Difference key={one.param} of={one} />
          ))}
          {differences.length > maxShown && ` and ${differences.length - maxShown} more`}
        </span>
      </span>
    </Row>
  )
}

const Difference = ({
  of: { param, recorded, got }
}: {
  readonly of: DifferenceView
}): JSX.Element => (
  <span class="difference">
    <i>{param}</i>{' '}
    {got === undefined ? 'not sent' : got === '' ? 'sent' : <Text>{got}</Text>}
    {'; recorded '}
    {recorded === undefined ? 'without it' : <Text>{recorded}</Text>}
  </span>
)
