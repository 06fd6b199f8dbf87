/** One interaction: its request, the caller, and each response. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { InteractionView, ParamView, ResponseView, TextView } from '../../src/ui/views.ts'
import { Command, Fetched, number, Text } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { errorText, fetchJson, type QueryParams, useFetch } from '../server-api.ts'
import { Tree } from './response-tree.tsx'

export function Interaction({
  cassette,
  id,
}: {
  readonly cassette: string
  readonly id: string
}): JSX.Element {
  const known = useFetch<InteractionView>('api/interaction', { cassette, key: id })
  return (
    <Fetched state={known}>
      {(one) => (
        <>
          <p>
            <a href={linkTo('cassette', { cassette, folder: one.folder })}>
              ← <Text>{one.folder}</Text>
            </a>
          </p>
          <h1>
            <Text>{one.words}</Text>
          </h1>
          <p class="quiet">
            <Text>{requestSummary(one)}</Text>
          </p>
          <Params params={one.params} />
          {one.responses.map((response, at) => (
            <Response
              key={at}
              response={response}
              answer={{ cassette, key: id, response: at }}
              number={at}
              of={one.responses.length}
            />
          ))}
          <h2>In a terminal</h2>
          <Command>{one.command}</Command>
          <p class="quiet">
            <Text>{one.file}</Text>
          </p>
        </>
      )}
    </Fetched>
  )
}

const requestSummary = ({ who, state, key }: InteractionView): string =>
  `requested ${who === '' ? 'anonymously' : `as ${who}`}${state === '' ? '' : `, after ${state}`} · key ${key}`

const Params = ({ params }: { readonly params: readonly ParamView[] }): JSX.Element => (
  <>
    <h2>Request</h2>
    <dl class="params">
      {params.map(({ name, value, sent }) => (
        <div key={name}>
          <dt>
            <Text>{name}</Text>
          </dt>
          <dd>
            <Text>{sent ?? value}</Text>
            {sent !== undefined && (
              <>
                {' '}
                <span class="quiet">
                  matched as <Text>{value}</Text>
                </span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  </>
)

function Response({
  response,
  answer,
  number: at,
  of,
}: {
  readonly response: ResponseView
  readonly answer: QueryParams
  readonly number: number
  readonly of: number
}): JSX.Element {
  const { status, headers, cookies, body, size } = response
  const [raw, setRaw] = useState(body !== 'json')
  return (
    <section class="response">
      <h2>
        {of === 1 ? 'Response' : `Response ${at + 1} of ${of}`} <span class="quiet">HTTP {status}</span>
      </h2>
      <ul class="headers">
        {headers.map(([name, value]) => (
          <li key={name}>
            {name}: <Text>{value}</Text>
          </li>
        ))}
        {cookies.map((cookie) => (
          <li key={cookie}>
            set-cookie: <Text>{cookie}</Text>
          </li>
        ))}
      </ul>
      <p>
        {body === 'json' && (
          <button type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            Raw
          </button>
        )}{' '}
        <span class="quiet">
          {number(size)} {body === 'binary' ? 'bytes' : 'characters'}
        </span>
      </p>
      {raw ? <Raw answer={answer} /> : <Tree answer={answer} />}
    </section>
  )
}

/** The text as the wiki sent it, in pieces. */
function Raw({ answer }: { readonly answer: QueryParams }): JSX.Element {
  const first = useFetch<TextView>('api/text', answer)
  const [more, setMore] = useState<readonly TextView[]>([])
  const [fault, setFault] = useState('')
  return (
    <Fetched state={first}>
      {(firstPiece) => {
        const pieces = [firstPiece, ...more]
        const { next, total } = pieces.at(-1) ?? firstPiece
        const loadMore = (): void => {
          fetchJson<TextView>('api/text', { ...answer, from: next }).then(
            (piece) => setMore([...more, piece]),
            (error: unknown) => setFault(errorText(error)),
          )
        }
        return (
          <>
            <textarea
              class="raw"
              dir="auto"
              readOnly
              rows={20}
              aria-label="response as sent by the wiki"
              value={pieces.map(({ text }) => text).join('')}
            />
            {next < total && (
              <button type="button" onClick={loadMore}>
                Show the next part ({number(total - next)} left)
              </button>
            )}
            {fault !== '' && <p class="fault">{fault}</p>}
          </>
        )
      }}
    </Fetched>
  )
}
