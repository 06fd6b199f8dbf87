/** Misses: why a request was not answered, the nearest recording, and the command that records it. */
import type { JSX } from 'preact'
import type { DifferenceView, MissView, NearMissView } from '../../src/ui/views.ts'
import { Badge, Command, Fetched, number, plural, Text } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { useFetch } from '../server-api.ts'

/** Milliseconds between reloads: the user may have run the command. */
const refreshMs = 1500

export function Misses({ params }: { readonly params: URLSearchParams }): JSX.Element {
  const state = useFetch<readonly MissView[]>('api/misses', {}, refreshMs)
  const key = params.get('key')
  return (
    <>
      <h1>Misses</h1>
      <Fetched state={state}>
        {(misses) => {
          const waiting = misses.filter(({ recorded }) => !recorded).length
          return (
            <>
              <p role="status" class={misses.length > 0 && waiting === 0 ? 'good' : 'quiet'}>
                {missSummary(misses.length, waiting)}
              </p>
              {misses.toReversed().map((miss) => (
                <Miss
                  key={`${miss.cassette} ${miss.key}`}
                  miss={miss}
                  open={key === null ? misses.length < 4 : key === miss.key}
                />
              ))}
            </>
          )
        }}
      </Fetched>
    </>
  )
}

function missSummary(all: number, waiting: number): string {
  if (all === 0) return 'No misses.'
  if (waiting === 0) return `All missed requests (${number(all)}) are recorded now.`
  return `${plural(waiting, 'request')} not recorded${all > waiting ? `, ${number(all - waiting)} recorded in the meantime` : ''}.`
}

function Miss({ miss, open }: { readonly miss: MissView; readonly open: boolean }): JSX.Element {
  const { key, cassette, reason, request, what, nearest, advice, command, recorded } = miss
  return (
    <details class={`missed row ${recorded ? 'done' : ''}`} open={open}>
      <summary>
        <Badge of={recorded ? 'recorded' : 'miss'} /> <Text>{request}</Text> <code>{key}</code>
      </summary>
      <p>
        <Text>{what}</Text>
      </p>
      <p class="quiet">
        {reason} · <Text>{cassette}</Text>
      </p>
      {recorded ? (
        <p class="good">
          This request is recorded now. <a href={linkTo('cassette', { cassette, key })}>Open the recording</a>
        </p>
      ) : (
        <>
          <h2>{advice}</h2>
          {command === '' ? null : <Command>{command}</Command>}
        </>
      )}
      {nearest.map((near) => (
        <NearMiss key={near.key} near={near} cassette={cassette} />
      ))}
    </details>
  )
}

const NearMiss = ({
  near,
  cassette,
}: {
  readonly near: NearMissView
  readonly cassette: string
}): JSX.Element => (
  <section>
    <h2>
      Nearest recording{' '}
      <a href={linkTo('cassette', { cassette, key: near.key })}>
        <Text>{near.words === '' ? near.key : near.words}</Text>
      </a>
    </h2>
    {near.differences.length === 0 ? (
      <p>This recording has the same parameters.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Recorded</th>
            <th scope="col">Requested</th>
          </tr>
        </thead>
        <tbody>
          {near.differences.map((one) => (
            <Difference key={one.param} difference={one} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)

const Difference = ({
  difference: { param, recorded, got },
}: {
  readonly difference: DifferenceView
}): JSX.Element => {
  const [a, b] = markDifference(recorded, got)
  return (
    <tr>
      <th scope="row">
        <Text>{param}</Text>
      </th>
      <td>{a}</td>
      <td>{b}</td>
    </tr>
  )
}

/** Both values, with their differences marked. */
function markDifference(
  recorded: string | undefined,
  got: string | undefined,
): readonly [JSX.Element, JSX.Element] {
  const none = <span class="quiet">not sent</span>
  if (recorded === undefined || got === undefined)
    return [marked(recorded, 0, 0) ?? none, marked(got, 0, 0) ?? none]
  const [a, b] = [[...recorded], [...got]]
  const most = Math.min(a.length, b.length)
  let begin = 0
  while (begin < most && a[begin] === b[begin]) begin += 1
  let end = 0
  while (end < most - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return [marked(recorded, begin, end) ?? none, marked(got, begin, end) ?? none]
}

/** @param begin number of equal letters at the start. @param end at the end */
function marked(value: string | undefined, begin: number, end: number): JSX.Element | undefined {
  if (value === undefined) return undefined
  const letters = [...value]
  const part = (from: number, to: number): string => letters.slice(from, to).join('')
  return (
    <bdi dir="auto">
      {part(0, begin)}
      <mark>{part(begin, letters.length - end)}</mark>
      {part(letters.length - end, letters.length)}
    </bdi>
  )
}
