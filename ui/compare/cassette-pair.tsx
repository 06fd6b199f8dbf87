/** Chooses two cassettes, older and newer. */
import type { JSX } from 'preact'

export interface Pair {
  readonly a: string
  readonly b: string
}

export function CassettePair({
  a,
  b,
  cassettes,
  link
}: Pair & {
  readonly cassettes: readonly string[]
  readonly link: (pair: Pair) => string
}): JSX.Element {
  const go = (pair: Pair): void => {
    location.hash = link(pair)
  }
  return (
    <span class="pair">
      <Side
        label="From"
        value={a}
        cassettes={cassettes}
        onChange={(one) => go({ a: one, b })}
      />
      <span aria-hidden="true">→</span>
      <Side
        label="To"
        value={b}
        cassettes={cassettes}
        onChange={(one) => go({ a, b: one })}
      />
      <button type="button" onClick={() => go({ a: b, b: a })}>
        Swap
      </button>
    </span>
  )
}

const Side = ({
  label,
  value,
  cassettes,
  onChange
}: {
  readonly label: string
  readonly value: string
  readonly cassettes: readonly string[]
  readonly onChange: (cassette: string) => void
}): JSX.Element => (
  <select
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  >
    {cassettes.map((one) => (
      <option key={one} value={one}>
        {one}
      </option>
    ))}
  </select>
)
