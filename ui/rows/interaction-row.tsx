/** A recorded interaction as a row. */
import type { JSX } from 'preact'
import type { RowView } from '../../src/pages/views.ts'
import { Marked } from '../answer/marked.tsx'
import { Badge } from '../parts/badge.tsx'
import { size } from '../parts/format.ts'
import { Row } from '../parts/row.tsx'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'

export function InteractionRow({
  row,
  words = row.words,
  find = '',
  href,
  isCurrent
}: {
  readonly row: RowView
  /** As in the list that it stands in. */
  readonly words?: string
  /** What was searched in it, in lower case. */
  readonly find?: string
  readonly href: string
  readonly isCurrent: boolean
}): JSX.Element {
  const {
    words: whole,
    file,
    fault,
    error,
    hasWarnings,
    wrote,
    who,
    state,
    statuses,
    bytes,
    seconds,
    isLarge,
    excerpt,
    key
  } = row
  const odd = statuses.filter((status) => status !== 200)
  return (
    <Row
      href={href}
      isCurrent={isCurrent}
      tone={(fault !== '' && !isLarge) || error !== '' ? 'failed' : ''}
    >
      {excerpt === undefined || excerpt === '' ? (
        <Words of={words === '' ? file : words} whole={whole} />
      ) : (
        <span class="two-lines">
          <Words of={words === '' ? file : words} whole={whole} />
          <span class="why">
            <Marked text={excerpt} words={find} />
          </span>
        </span>
      )}
      <span class="flags">
        {fault !== '' && (
          <span class={isLarge ? 'quiet' : 'fault-text'}>
            <Text>{fault}</Text>
          </span>
        )}
        {wrote && <Badge of="write" />}
        {error !== '' && <Badge of={error} tone="error" />}
        {hasWarnings && <Badge of="warnings" tone="warn" />}
        {odd.length > 0 && <Badge of={odd.join(' ')} tone="plain" />}
        {statuses.length > 1 && <Badge of={`${statuses.length} answers`} tone="plain" />}
        {who !== '' && (
          <span class="who">
            <Text>{who}</Text>
          </span>
        )}
        {state !== '' && (
          <span class="epoch">
            after <Text>{state}</Text>
          </span>
        )}
      </span>
      <span class="number">{seconds === undefined ? '' : `${seconds} s`}</span>
      <span class="number">{size(bytes)}</span>
      <code class="number">{key}</code>
    </Row>
  )
}
