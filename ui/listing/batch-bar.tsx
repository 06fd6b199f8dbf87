/** The batches and gaps of a listing as one bar. A click, or the arrow keys, walks along it. */
import type { JSX } from 'preact'
import { plural } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import type { Batch } from './batches.ts'

export function BatchBar({
  batches,
  current,
  onWalk
}: {
  readonly batches: readonly Batch[]
  /** Number of the row that is shown. */
  readonly current: number
  readonly onWalk: (row: number) => void
}): JSX.Element {
  const isAt = ({ from, rows }: Batch): boolean =>
    current >= from && current < from + rows
  const here = batches.find(isAt)
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = batches[batches.findIndex(isAt) + by]
    if (by === 0 || next === undefined) return
    event.preventDefault()
    onWalk(next.from)
    const buttons = (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(
      'button'
    )
    buttons[batches.indexOf(next)]?.focus()
  }
  return (
    <>
      <div
        class="batches"
        role="toolbar"
        aria-label="batches of the listing"
        onKeyDown={onKey}
      >
        {batches.map((one, at) => (
          <button
            key={at}
            type="button"
            class={one.key === '' ? 'gap' : at % 2 === 0 ? 'even' : 'odd'}
            aria-pressed={isAt(one)}
            aria-label={batchText(one)}
            title={batchText(one)}
            tabIndex={isAt(one) || (here === undefined && at === 0) ? 0 : -1}
            style={{ flexGrow: one.key === '' ? 0 : one.rows }}
            onClick={() => onWalk(one.from)}
          />
        ))}
      </div>
      {here !== undefined && (
        <p class="quiet">
          <Text>{batchText(here)}</Text>
        </p>
      )}
    </>
  )
}

function batchText({ key, number, rows, continues }: Batch): string {
  if (key === '') return 'a gap: rows that are not recorded'
  const after = continues === '' ? '' : `, continued from ${continues}`
  return `rows ${number} to ${number + rows - 1}, of recording ${key}: ${plural(rows, 'row')}${after}`
}
