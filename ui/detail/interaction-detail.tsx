/** One recorded interaction: its answers, its request, its key, and what can be done with it. */
import type { JSX } from 'preact'
import type { CassetteView, InteractionView } from '../../src/pages/views.ts'
import { RecordedAnswer } from '../answer/recorded-answer.tsx'
import { AskedResult } from '../asked/asked-result.tsx'
import { Command } from '../parts/command.tsx'
import { DetailTabs } from '../parts/detail-tabs.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Pairs } from '../parts/pairs.tsx'
import { Text } from '../parts/text.tsx'
import { webAddress } from '../request/addresses.ts'
import { copiedOf } from '../request/copied-of.ts'
import { plainTarget, queryOfParams } from '../request/recorded-query.ts'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'
import { ComparePanel } from './compare-panel.tsx'
import { CopyPanel } from './copy-panel.tsx'
import { DetailHead } from './detail-head.tsx'
import { HeadersPanel } from './headers-panel.tsx'

export function InteractionDetail({
  cassette,
  cassettes,
  id
}: {
  readonly cassette: string
  readonly cassettes: readonly string[]
  readonly id: string
}): JSX.Element {
  const known = useFetch<InteractionView>('api/interaction', { cassette, key: id })
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const upstream = about.value?.upstream ?? ''
  return (
    <Fetched state={known}>
      {(one) => {
        const query = queryOfParams(one.params)
        const isPlain = plainTarget(one.params) !== undefined
        const api = webAddress(upstream)
        return (
          <>
            <DetailHead
              words={one.words}
              links={
                <>
                  <a href={linkTo('ask', { cassette, address: query, like: id })}>
                    Edit and ask
                  </a>
                  {api !== undefined && !isPlain && !one.wrote && (
                    <a href={`${api}?${query}`} rel="noreferrer" target="_blank">
                      Open on the wiki
                    </a>
                  )}
                </>
              }
            >
              {one.who === '' ? 'anonymous' : <Text>{`as ${one.who}`}</Text>}
              {one.state !== '' && <Text>{`, after ${one.state}`}</Text>} · key{' '}
              <code>{id}</code>
              {one.seconds !== undefined && ` · the wiki took ${one.seconds} s`}
            </DetailHead>
            <DetailTabs
              tabs={[
                { name: 'Answer', body: () => <Answers one={one} cassette={cassette} /> },
                { name: 'Request', body: () => <Params one={one} /> },
                {
                  name: 'Headers',
                  body: () => (
                    <HeadersPanel responses={one.responses} cassette={cassette} />
                  )
                },
                ...(isPlain
                  ? []
                  : [
                      {
                        name: 'Key',
                        body: () => (
                          <AskedResult
                            cassette={cassette}
                            address={query}
                            like={id}
                            isBrief={true}
                          />
                        )
                      }
                    ]),
                {
                  name: 'Compare',
                  body: () => (
                    <ComparePanel one={one} cassette={cassette} cassettes={cassettes} />
                  )
                },
                {
                  name: 'Copy',
                  body: () => <CopyPanel of={copiedOf(one)} upstream={upstream} />
                }
              ]}
            />
            <footer>
              <Command>{one.command}</Command>
              <p class="quiet">
                <Text>{one.file}</Text>
              </p>
            </footer>
          </>
        )
      }}
    </Fetched>
  )
}

function Answers({
  one,
  cassette
}: {
  readonly one: InteractionView
  readonly cassette: string
}): JSX.Element {
  const { key, responses } = one
  return (
    <>
      {responses.map((response, at) => (
        <section key={at}>
          <h3
            class={
              responses.length === 1 && response.status === 200 && response.after === ''
                ? 'hidden'
                : ''
            }
          >
            {responses.length === 1
              ? 'Answer'
              : `Answer ${at + 1} of ${responses.length}`}
            {response.after !== '' && <Text>{`, after ${response.after}`}</Text>} · HTTP{' '}
            {response.status} · {plural(response.size, 'byte')}
          </h3>
          <RecordedAnswer cassette={cassette} id={key} at={at} response={response} />
        </section>
      ))}
    </>
  )
}

const Params = ({ one: { params } }: { readonly one: InteractionView }): JSX.Element => (
  <Pairs
    of={params.map(({ name, value, sent }) => ({
      name,
      value: sent ?? value,
      ...(sent === undefined ? {} : { note: <>matched as {<Text>{value}</Text>}</> })
    }))}
  />
)
