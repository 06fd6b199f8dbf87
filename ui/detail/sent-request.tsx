/** A live request as the client sent it, without its secrets. */
import type { JSX } from 'preact'
import type { SentRequestView } from '../../src/pages/run-views.ts'
import type { CassetteView } from '../../src/pages/views.ts'
import { Pairs } from '../parts/pairs.tsx'
import { Text } from '../parts/text.tsx'
import { cookieKind } from '../request/cookie-kind.ts'
import { useFetch } from '../store/use-fetch.ts'

export function SentRequest({
  sent,
  cassette
}: {
  readonly sent: SentRequestView
  readonly cassette: string
}): JSX.Element {
  const { method, path, params, files, unread, headers, cookies } = sent
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const kindOf = (name: string): string =>
    cookieKind(name, cookies, about.value?.sessionCookies ?? [])
  return (
    <>
      <p>
        <b>{method}</b> <Text>{path}</Text>
      </p>
      <h3>Parameters</h3>
      <Pairs of={params} />
      {files.length > 0 && <Pairs of={files.map((value) => ({ name: 'file', value }))} />}
      {unread !== '' && <p class="quiet">The body is not shown: {unread}.</p>}
      <h3>Headers</h3>
      <Pairs of={headers.map(([name, value]) => ({ name, value }))} />
      {cookies.length > 0 && (
        <>
          <h3>Cookies</h3>
          <Pairs
            of={cookies.map((name) => ({ name, value: '(secret)', note: kindOf(name) }))}
          />
        </>
      )}
    </>
  )
}
