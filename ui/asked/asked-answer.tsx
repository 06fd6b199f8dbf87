/** The answer that replay gives, with the recordings that its rows stand in. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AskView } from '../../src/pages/run-views.ts'
import type { CassetteView } from '../../src/pages/views.ts'
import { Answer } from '../answer/answer.tsx'
import { plural } from '../parts/format.ts'
import { Pairs } from '../parts/pairs.tsx'
import { address, fetchBytes } from '../store/server-api.ts'
import { useFetch } from '../store/use-fetch.ts'

/** Recordings whose rows are marked. */
const maxRecordings = 60

export function AskedAnswer({
  asked,
  cassette
}: {
  readonly asked: AskView
  readonly cassette: string
}): JSX.Element {
  const { text, from, headers, bytes, status } = asked
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const recordings = useRecordings(cassette, from)
  return (
    <>
      {text === '' && bytes > 0 ? (
        <p>{plural(bytes, 'byte')} that are no text. Open the recording to see them.</p>
      ) : (
        <Answer
          text={text}
          cassette={cassette}
          upstream={about.value?.upstream ?? ''}
          recordings={recordings}
        />
      )}
      <details>
        <summary>Headers of this answer, status {status}</summary>
        <Pairs of={headers.map(([name, value]) => ({ name, value }))} />
      </details>
    </>
  )
}

function useRecordings(
  cassette: string,
  keys: readonly string[]
): readonly (readonly [string, string])[] {
  const [recordings, setRecordings] = useState<readonly (readonly [string, string])[]>([])
  useEffect(() => {
    const controller = new AbortController()
    const read = async (key: string): Promise<readonly [string, string]> => {
      const bytes = await fetchBytes(
        address('api/body', { cassette, key }),
        controller.signal
      )
      return [key, new TextDecoder().decode(bytes)]
    }
    Promise.all(keys.slice(0, maxRecordings).map(read)).then(setRecordings, () =>
      setRecordings([])
    )
    return () => controller.abort()
  }, [cassette, keys.join()])
  return recordings
}
