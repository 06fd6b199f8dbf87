/** The rows of a listing around the one that is shown, with the continue values and gaps between them. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListingRowView } from '../../src/pages/run-views.ts'
import { memberOf } from '../../src/recorder/json/json-tree.ts'
import { readTree } from '../../src/recorder/json/read-json.ts'
import { childrenOf, preview } from '../json/json-text.ts'
import { number } from '../parts/format.ts'
import { Scroll } from '../parts/scroll.tsx'
import { Text } from '../parts/text.tsx'
import { linkTo } from '../store/route.ts'
import { rowNumbers } from './batches.ts'

const step = 300
const maxColumns = 16

type Parsed = {
  readonly row: ListingRowView
  readonly fields: ReadonlyMap<string, string>
  readonly at: number
  readonly number: number
}

export function ListingTable({
  rows,
  current,
  cassette,
  more
}: {
  readonly rows: readonly ListingRowView[]
  readonly current: number
  readonly cassette: string
  readonly more: number
}): JSX.Element {
  const [count, setCount] = useState(step)
  const place = useRef<HTMLTableRowElement>(null)
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [current])
  const from = Math.floor(current / step) * step
  const numbers = rowNumbers(rows)
  const shown = rows.slice(from, from + count).map((row, at) => ({
    row,
    fields: fieldsOf(row),
    at: from + at,
    number: numbers[from + at] ?? 0
  }))
  const names = [...new Set(shown.flatMap(({ fields }) => [...fields.keys()]))].slice(
    0,
    maxColumns
  )
  const rest = rows.length - from - shown.length
  return (
    <Scroll label="rows of the listing">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">row</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                <Text>{name}</Text>
              </th>
            ))}
            <th scope="col">recording</th>
          </tr>
        </thead>
        <tbody>
          {shown.flatMap((one) =>
            lines(one, names, cassette, one.at === current ? place : undefined)
          )}
        </tbody>
      </table>
      {rest > 0 && (
        <button type="button" onClick={() => setCount(count + step)}>
          Show more ({number(rest)} left)
        </button>
      )}
      {more > 0 && <p class="quiet">{number(more)} more rows are not shown.</p>}
    </Scroll>
  )
}

function fieldsOf(row: ListingRowView): ReadonlyMap<string, string> {
  if (row.kind === 'gap') return new Map()
  const page = readTree(row.page)
  const title = memberOf(page, 'title')
  const item = readTree(row.text)
  if (item === undefined) return new Map([['value', row.text]])
  const children = childrenOf(item).map(
    ({ name, value }) => [name, cellText(preview(value, 200))] as const
  )
  const own = children.length > 0 ? children : [['value', cellText(row.text)] as const]
  return new Map([
    ...(title === undefined ? [] : [['page', cellText(preview(title, 200))] as const]),
    ...own
  ])
}

const cellText = (text: string): string =>
  text.startsWith('"') ? String(JSON.parse(text)) : text

function lines(
  { row, fields, at, number: numberOfRow }: Parsed,
  names: readonly string[],
  cassette: string,
  place: { current: HTMLTableRowElement | null } | undefined
): readonly JSX.Element[] {
  const width = names.length + 2
  if (row.kind === 'gap')
    return [
      <tr key={at} class="gap" {...(place === undefined ? {} : { ref: place })}>
        <td colSpan={width}>{row.words}</td>
      </tr>
    ]
  const line = (
    <tr
      key={at}
      class={place === undefined ? '' : 'current'}
      {...(place === undefined ? {} : { ref: place })}
    >
      <th scope="row">{numberOfRow}</th>
      {names.map((name) => (
        <td key={name}>
          <Text>{fields.get(name) ?? ''}</Text>
        </td>
      ))}
      <td>
        <a class="source" href={linkTo('cassette', { cassette, key: row.key })}>
          {row.key}
        </a>
      </td>
    </tr>
  )
  if (row.continues === '') return [line]
  return [
    <tr key={`${at} continue`} class="continue">
      <td colSpan={width}>
        <Text>{`continue: ${row.continues}`}</Text>
      </td>
    </tr>,
    line
  ]
}
