/** What differs between two runs, as rows. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { requestFacts } from '../filter/request-facts.ts'
import { matches, parseFilter } from '../filter/row-filter.ts'
import { Badge } from '../parts/badge.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Row } from '../parts/row.tsx'
import { Text } from '../parts/text.tsx'
import { Words } from '../parts/words.tsx'
import { linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { differencesOf, type ParamChange, type RunDifference } from './run-difference.ts'
import { readLines } from './run-lines.ts'

/** Rows on the page. */
const maxShown = 300

export function RunDifferences({
  run,
  against,
  filter
}: {
  readonly run: string
  readonly against: string
  readonly filter: string
}): JSX.Element {
  const older = useFetch('api/requests', { run: against })
  const newer = useFetch('api/requests', { run })
  const differences = useMemo(
    () => differencesOf(readLines(older.value), readLines(newer.value)),
    [older.value, newer.value]
  )
  const terms = parseFilter(filter)
  const found = differences.filter(({ line }) => matches(terms, requestFacts(line)))
  return (
    <Fetched state={older}>
      {() => (
        <Fetched state={newer}>
          {() => (
            <>
              <p role="status" class={differences.length === 0 ? 'good' : 'quiet pad'}>
                {summaryOf(found)}
              </p>
              <ol class="rows misses">
                {found.slice(0, maxShown).map((one) => (
                  <DifferenceRow
                    key={`${one.kind} ${one.line.id}`}
                    of={one}
                    older={against}
                  />
                ))}
              </ol>
            </>
          )}
        </Fetched>
      )}
    </Fetched>
  )
}

function summaryOf(found: readonly RunDifference[]): string {
  if (found.length === 0) return 'Both runs sent the same and got the same.'
  const counts = new Map<string, number>()
  for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const parts = [...counts].map(([kind, count]) => `${count} ${kind}`)
  const cut = found.length > maxShown ? `; ${maxShown} are shown` : ''
  return `${plural(found.length, 'difference')}: ${parts.join(', ')}${cut}.`
}

const tones = {
  added: 'additive',
  gone: 'breaking',
  changed: 'risky',
  'answered otherwise': 'risky'
}

function DifferenceRow({
  of: { kind, line, before, changes },
  older
}: {
  readonly of: RunDifference
  readonly older: string
}): JSX.Element {
  const route = useStore((state) => state.route)
  const id = Number(route.params.get('id'))
  const isGone = kind === 'gone'
  // What is gone is a request of the older run.
  const place = isGone ? { run: older, against: '', id: line.id } : { id: line.id }
  return (
    <Row href={linkWith(route, place)} isCurrent={!isGone && line.id === id}>
      <Badge of={kind} tone={tones[kind]} />
      <span class="two-lines">
        <Words of={line.words} />
        <span class="why">
          {line.test !== '' && <Text>{`${line.test} · `}</Text>}
          {changes.map((one) => (
            <Change key={one.name} of={one} />
          ))}
          {before && kind === 'answered otherwise' && (
            <>
              {before.outcome} {before.error} → {line.outcome} {line.error}
              {before.outcome === line.outcome && ' with another answer'}
            </>
          )}
        </span>
      </span>
    </Row>
  )
}

const Change = ({
  of: { name, before, after }
}: {
  readonly of: ParamChange
}): JSX.Element => (
  <span class="difference">
    <i>
      <Text>{name}</Text>
    </i>{' '}
    {before === undefined ? 'not sent' : <Text>{before}</Text>}
    {' → '}
    {after === undefined ? 'not sent' : <Text>{after}</Text>}
  </span>
)
