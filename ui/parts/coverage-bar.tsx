/** The parts of a listing as a bar: widths by number of items; the size of a gap is unknown. */
import type { JSX } from 'preact'
import type { PartView } from '../../src/pages/views.ts'
import { plural } from './format.ts'

export const partText = (part: PartView): string =>
  part.kind === 'gap'
    ? `not recorded: ${part.words}`
    : part.items === 0
      ? 'an empty listing'
      : `recorded: ${part.first} … ${part.last} (${plural(part.items, 'item')})`

export const CoverageBar = ({
  parts
}: {
  readonly parts: readonly PartView[]
}): JSX.Element => (
  <span class="coverage" role="img" aria-label={parts.map(partText).join('; ')}>
    {parts.map((part, at) => (
      <span
        key={at}
        class={part.kind}
        title={partText(part)}
        style={{ flexGrow: part.kind === 'gap' ? 0 : Math.max(1, part.items) }}
      />
    ))}
  </span>
)
