/** Headers and cookies of recorded answers; cookies with what they are for. */
import type { JSX } from 'preact'
import type { CassetteView, ResponseView } from '../../src/pages/views.ts'
import { Pairs } from '../parts/pairs.tsx'
import { cookieKind } from '../request/cookie-kind.ts'
import { useFetch } from '../store/use-fetch.ts'

export function HeadersPanel({
  responses,
  cassette
}: {
  readonly responses: readonly ResponseView[]
  readonly cassette: string
}): JSX.Element {
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const sessionNames = about.value?.sessionCookies ?? []
  return (
    <>
      {responses.map(({ status, headers, cookies }, at) => {
        const names = cookies.map((cookie) => cookie.split('=', 1)[0] ?? '')
        return (
          <section key={at}>
            <h3>{responses.length === 1 ? 'Answer' : `Answer ${at + 1}`}</h3>
            <Pairs
              of={[
                { name: 'status', value: String(status) },
                ...headers.map(([name, value]) => ({ name, value })),
                ...cookies.map((value, nth) => ({
                  name: 'set-cookie',
                  value,
                  note: cookieKind(names[nth] ?? '', names, sessionNames)
                }))
              ]}
            />
          </section>
        )
      })}
      <p class="quiet">
        Other headers belong to the connection or the web server, and are not recorded.
      </p>
    </>
  )
}
