/** A listing as a row: its request, and a bar of what is recorded. */
import type { JSX } from 'preact'
import type { ListingView } from '../../src/pages/views.ts'
import { Badge } from '../parts/badge.tsx'
import { CoverageBar } from '../parts/coverage-bar.tsx'
import { number } from '../parts/format.ts'
import { Row } from '../parts/row.tsx'
import { Text } from '../parts/text.tsx'

export const stateOfListing = ({ complete, conflicts }: ListingView): string =>
  complete ? 'complete' : conflicts.length > 0 ? 'conflict' : 'gaps'

export const ListingRow = ({
  listing,
  href,
  isCurrent
}: {
  readonly listing: ListingView
  readonly href: string
  readonly isCurrent: boolean
}): JSX.Element => (
  <Row href={href} isCurrent={isCurrent}>
    <Badge of={stateOfListing(listing)} />
    <span class="two-lines">
      <span class="words">
        <Text>{listing.listing.replace(/^action=query&/, '')}</Text>
      </span>
      <CoverageBar parts={listing.parts} />
    </span>
    <span class="number">{number(listing.items)}</span>
  </Row>
)
