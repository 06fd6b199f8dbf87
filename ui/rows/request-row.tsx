/** A live request as a row. */
import type { JSX } from 'preact'
import type { RequestView } from '../../src/pages/run-views.ts'
import { Badge } from '../parts/badge.tsx'
import { clock, duration, size } from '../parts/format.ts'
import { Row } from '../parts/row.tsx'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'
import type { TimedRequest } from '../timeline/timeline.ts'

export function RequestRow({
  request,
  timed,
  words,
  href,
  isCurrent
}: {
  readonly request: RequestView
  /** When it was under way, of the time of all rows. */
  readonly timed?: TimedRequest | undefined
  /** As in the list that it stands in. */
  readonly words: string
  readonly href: string
  readonly isCurrent: boolean
}): JSX.Element {
  const {
    outcome,
    status,
    ms,
    method,
    words: whole,
    error,
    hasWarnings,
    user,
    writes,
    isWrite,
    bytes,
    at
  } = request
  return (
    <Row
      href={href}
      isCurrent={isCurrent}
      tone={error === '' || outcome === 'miss' ? '' : 'failed'}
    >
      <Badge of={outcome} />
      <span class="method">{method}</span>
      <Words of={words} whole={whole} />
      <span class="flags">
        {isWrite && <Badge of="write" />}
        {error !== '' && outcome !== 'miss' && <Badge of={error} tone="error" />}
        {hasWarnings && <Badge of="warnings" tone="warn" />}
        {status !== 200 && (
          <Badge of={String(status)} tone={status >= 400 ? 'error' : 'plain'} />
        )}
        {user !== '' && (
          <span class="who">
            <Text>{user}</Text>
          </span>
        )}
        {writes > 0 && (
          <span class="epoch" title={`after ${writes} writes of its session`}>
            e{writes}
          </span>
        )}
      </span>
      {timed && (
        <span class="waterfall" aria-hidden="true">
          <span
            class={`bar-of ${outcome}`}
            style={{
              insetInlineStart: `min(${timed.start}%, calc(100% - 3px))`,
              width: `max(3px, ${timed.width}%)`
            }}
          />
        </span>
      )}
      <span class="number">{size(bytes)}</span>
      <span class="number">{duration(ms)}</span>
      <time class="number" dateTime={new Date(at).toISOString()}>
        {clock(at)}
      </time>
    </Row>
  )
}
