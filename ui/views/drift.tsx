/** Chooses two cassettes to compare. The report is a page of its own, as `wikitape diff --format html` writes it. */
import type { JSX } from 'preact'
import type { AboutView } from '../../src/ui/views.ts'
import { linkTo } from '../route.ts'
import { address } from '../server-api.ts'

export function Drift({
  about,
  cassette,
  params,
}: {
  readonly about: AboutView
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const { cassettes } = about
  const a = params.get('a') ?? cassettes.find((one) => one !== cassette) ?? cassette
  const b = params.get('b') ?? cassette
  const go = (next: { readonly a: string; readonly b: string }): void => {
    location.hash = linkTo('drift', { cassette, ...next })
  }
  return (
    <>
      <h1>Drift</h1>
      <p>The differences between two cassettes: in behaviour, contract and data.</p>
      <div class="bar">
        <Side label="From" value={a} cassettes={cassettes} onChange={(one) => go({ a: one, b })} />
        <Side label="To" value={b} cassettes={cassettes} onChange={(one) => go({ a, b: one })} />
        <a class="button" href={address('drift', { a, b })}>
          Compare
        </a>
      </div>
      {cassettes.length < 2 && (
        <p class="quiet">There is no other cassette in this folder to compare with.</p>
      )}
    </>
  )
}

const Side = ({
  label,
  value,
  cassettes,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly cassettes: readonly string[]
  readonly onChange: (cassette: string) => void
}): JSX.Element => (
  <label>
    {label}{' '}
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {cassettes.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  </label>
)
