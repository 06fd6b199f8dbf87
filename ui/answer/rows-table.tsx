/** The rows of a listing as a table: a column for each field. */
import type { JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { type JsonTree, memberOf } from '../../src/recorder/json/json-tree.ts'
import { childrenOf, preview } from '../json/json-text.ts'
import { number } from '../parts/format.ts'
import { Scroll } from '../parts/scroll.tsx'
import { Text } from '../parts/text.tsx'
import { AnswerContext } from './answer-context.ts'
import { CellText } from './cell-text.tsx'
import { SourceTag } from './source-tag.tsx'

const step = 200
const maxColumns = 24

export function RowsTable({
  rows,
  sourceOf
}: {
  readonly rows: readonly JsonTree[]
  /** Key of the recording of a row. */
  readonly sourceOf: (at: number) => string | undefined
}): JSX.Element {
  const [count, setCount] = useState(step)
  const { search } = useContext(AnswerContext)
  const matches = (row: JsonTree): boolean =>
    search.words === '' || preview(row, 10_000, 4).toLowerCase().includes(search.words)
  const kept = rows.flatMap((row, at) => (matches(row) ? [{ row, at }] : []))
  const shown = kept.slice(0, count)
  const names = [
    ...new Set(shown.flatMap(({ row }) => childrenOf(row).map(({ name }) => name)))
  ].slice(0, maxColumns)
  const hasSources = shown.some(({ at }) => sourceOf(at) !== undefined)
  return (
    <Scroll label="rows">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">row</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                <Text>{name}</Text>
              </th>
            ))}
            {hasSources && <th scope="col">recording</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, at }) => (
            <tr key={at}>
              <th scope="row">{at + 1}</th>
              {names.map((name) => (
                <td key={name}>
                  <Cell name={name} value={memberOf(row, name)} />
                </td>
              ))}
              {hasSources && <td>{<Source of={sourceOf(at)} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {kept.length > count && (
        <button type="button" onClick={() => setCount(count + step)}>
          Show more ({number(kept.length - count)} left)
        </button>
      )}
    </Scroll>
  )
}

const Source = ({ of }: { readonly of: string | undefined }): JSX.Element | null =>
  of === undefined ? null : <SourceTag of={of} />

function Cell({
  name,
  value
}: {
  readonly name: string
  readonly value: JsonTree | undefined
}): JSX.Element {
  if (value === undefined) return <span class="quiet">·</span>
  if (value.kind === 'string' || value.kind === 'literal')
    return (
      <CellText name={name} text={value.kind === 'string' ? value.value : value.text} />
    )
  return (
    <span class="preview">
      <Text>{preview(value, 60)}</Text>
    </span>
  )
}
