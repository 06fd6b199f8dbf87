/** Chooses two cassettes to compare, older and newer. The report is a page of its own, as `wikitape diff --format html` writes it. */
import type { JSX } from 'preact'
import { Fetched } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { address, useFetch } from '../server-api.ts'

export function Drift({
  cassette,
  params,
}: {
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const order = useFetch<readonly string[]>('api/oldest-first')
  return (
    <>
      <h1>Drift</h1>
      <p>The differences between two cassettes: in behaviour, contract and data.</p>
      <Fetched state={order}>
        {(cassettes) => <Form cassettes={cassettes} cassette={cassette} params={params} />}
      </Fetched>
    </>
  )
}

/** Proposes the chosen cassette and the one just older; of the oldest one the next. */
function Form({
  cassettes,
  cassette,
  params,
}: {
  /** Oldest first. */
  readonly cassettes: readonly string[]
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const at = Math.max(1, cassettes.indexOf(cassette))
  const a = params.get('a') ?? cassettes[at - 1] ?? cassette
  const b = params.get('b') ?? cassettes[at] ?? cassette
  const go = (next: { readonly a: string; readonly b: string }): void => {
    location.hash = linkTo('drift', { cassette, ...next })
  }
  return (
    <>
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
