/** What each session did that wrote: reads, a write, the reads after it, … */
import type { JSX } from 'preact'
import type { RowView } from '../../src/pages/views.ts'
import { epochOf } from '../filter/recorded-facts.ts'
import { termFor } from '../filter/row-filter.ts'
import { plural } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { type LinkParams, linkTo } from '../store/route.ts'

/** Writes of a session that are shown. */
const maxWrites = 30

export function Stories({
  rows,
  cassette
}: {
  readonly rows: readonly RowView[]
  readonly cassette: string
}): JSX.Element | null {
  const writers = new Set(rows.flatMap(({ wrote, who }) => (wrote ? who : [])))
  if (writers.size === 0) return null
  return (
    <>
      <h3>Sessions that wrote</h3>
      {[...writers].map((who) => (
        <ol key={who} class="story" aria-label={who || 'anonymous'}>
          <li>
            <Text>{who || 'anonymous'}</Text>
          </li>
          {stepsOf(rows, who).map(({ words, params }, at) => (
            <li key={at}>
              <a class="chip" href={linkTo('cassette', { cassette, ...params })}>
                <Text>{words}</Text>
              </a>
            </li>
          ))}
        </ol>
      ))}
    </>
  )
}

interface Step {
  readonly words: string
  readonly params: LinkParams
}

/** Its epochs in order: what was read in each, and the write that ended it. */
function stepsOf(rows: readonly RowView[], who: string): readonly Step[] {
  const own = rows.filter((row) => row.who === who)
  const epochs = [...new Set(own.map(epochOf))].sort((a, b) => a - b)
  return epochs.slice(0, maxWrites).flatMap((epoch) => {
    const inside = own.filter((row) => epochOf(row) === epoch)
    const reads = inside.filter(({ wrote }) => !wrote).length
    const q = `${termFor('user', who || 'anonymous')} epoch:${epoch} -write`
    const writes = inside.filter(({ wrote }) => wrote)
    return [
      ...(reads === 0 ? [] : [{ words: plural(reads, 'read'), params: { q } }]),
      ...writes.map(({ words, key }) => ({ words, params: { key } }))
    ]
  })
}
