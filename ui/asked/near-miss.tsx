/** A recording that is near to a request, and the parameters in which they differ. */
import type { JSX } from 'preact'
import type { DifferenceView, NearMissView } from '../../src/pages/views.ts'
import { markDifference } from '../compare/mark-difference.tsx'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'
import { linkTo } from '../store/route.ts'

export const NearMiss = ({
  near,
  cassette
}: {
  readonly near: NearMissView
  readonly cassette: string
}): JSX.Element => (
  <section class="near">
    <h3>
      Nearest recording{' '}
      <a href={linkTo('cassette', { cassette, key: near.key })}>
        <Words of={near.words === '' ? near.key : near.words} />
      </a>
    </h3>
    {near.differences.length === 0 ? (
      <p>This recording has the same parameters.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Recorded</th>
            <th scope="col">Requested</th>
          </tr>
        </thead>
        <tbody>
          {near.differences.map((one) => (
            <Difference key={one.param} of={one} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)

/** Longer values are told by what differs. */
const maxValue = 120

function Difference({
  of: { param, text, recorded, got }
}: {
  readonly of: DifferenceView
}): JSX.Element {
  if (Math.max(recorded?.length ?? 0, got?.length ?? 0) > maxValue)
    return (
      <tr>
        <th scope="row">
          <Text>{param}</Text>
        </th>
        <td colSpan={2}>
          <Text>{text}</Text>
        </td>
      </tr>
    )
  const [a, b] = markDifference(recorded, got)
  return (
    <tr>
      <th scope="row">
        <Text>{param}</Text>
      </th>
      <td>{a}</td>
      <td>{b}</td>
    </tr>
  )
}
