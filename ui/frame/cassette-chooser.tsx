/** Chooses the cassette that the views show. */
import type { JSX } from 'preact'
import type { AboutView } from '../../src/pages/views.ts'
import { Text } from '../parts/text.tsx'
import { linkTo, type View } from '../store/route.ts'

export function CassetteChooser({
  about,
  cassette,
  view
}: {
  readonly about: AboutView
  readonly cassette: string
  readonly view: View
}): JSX.Element {
  if (about.cassettes.length < 2)
    return (
      <p class="chooser">
        <Text>{cassette}</Text>
      </p>
    )
  return (
    <label class="chooser">
      <span aria-hidden="true">Cassette</span>
      <select
        aria-label="Cassette"
        value={cassette}
        onChange={(event) => {
          location.hash = linkTo(view, { cassette: event.currentTarget.value })
        }}
      >
        {about.cassettes.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}
