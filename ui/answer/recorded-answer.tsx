/** A recorded answer, read from the server. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { CassetteView, ResponseView } from '../../src/pages/views.ts'
import { Fetched } from '../parts/fetched.tsx'
import { fetchBytes } from '../store/server-api.ts'
import { useFetch } from '../store/use-fetch.ts'
import { Answer } from './answer.tsx'
import { BinaryView } from './binary-view.tsx'

export function RecordedAnswer({
  cassette,
  id,
  at,
  response: { body, headers }
}: {
  readonly cassette: string
  readonly id: string
  /** Number of the answer among those of its recording. */
  readonly at: number
  readonly response: ResponseView
}): JSX.Element {
  const bytes = useFetch<ArrayBuffer>(
    'api/body',
    { cassette, key: id, response: at },
    { by: fetchBytes }
  )
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const text = useMemo(
    () =>
      bytes.value === undefined || body === 'binary'
        ? ''
        : new TextDecoder().decode(bytes.value),
    [bytes.value, body]
  )
  const contentType = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  return (
    <Fetched state={bytes}>
      {(value) =>
        body === 'binary' ? (
          <BinaryView bytes={value} contentType={contentType} />
        ) : (
          <Answer
            text={text}
            cassette={cassette}
            upstream={about.value?.upstream ?? ''}
          />
        )
      }
    </Fetched>
  )
}
