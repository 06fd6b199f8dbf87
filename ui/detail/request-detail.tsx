/** A live request: what the client sent, what it got, and why. */
import type { JSX } from 'preact'
import type { RequestView, SentRequestView } from '../../src/pages/run-views.ts'
import type { CassetteView } from '../../src/pages/views.ts'
import { AskedResult } from '../asked/asked-result.tsx'
import { DetailTabs } from '../parts/detail-tabs.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { clock, duration, plural, size } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { webAddress } from '../request/addresses.ts'
import { askedOf } from '../request/asked-of.ts'
import { copiedOfSent } from '../request/copied-of.ts'
import { readSent } from '../runs/run-lines.ts'
import { linkTo } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { CopyPanel } from './copy-panel.tsx'
import { DetailHead } from './detail-head.tsx'
import { LiveAnswer } from './live-answer.tsx'
import { RecordedCompare } from './recorded-compare.tsx'
import { SentRequest } from './sent-request.tsx'

export function RequestDetail({
  request,
  cassettes
}: {
  readonly request: RequestView
  readonly cassettes: readonly string[]
}): JSX.Element {
  const { id, cassette, words } = request
  const run = useStore((state) => state.run)
  const sent = useFetch<SentRequestView>('api/request', { id, run })
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const upstream = about.value?.upstream ?? ''
  const asked = sent.value && askedOf(readSent(sent.value))
  const api = webAddress(upstream)
  const like =
    request.outcome === 'replayed' || request.outcome === 'recorded'
      ? request.key
      : undefined
  return (
    <>
      <DetailHead
        words={words}
        links={
          asked !== undefined && (
            <>
              <a href={linkTo('ask', { cassette, ...asked, like })}>Edit and ask</a>
              {api !== undefined && asked.form === undefined && (
                <a
                  href={`${api}?${asked.address.replace(/^[^?]*\?/, '')}`}
                  rel="noreferrer"
                  target="_blank"
                >
                  Open on the wiki
                </a>
              )}
            </>
          )
        }
      >
        <RequestFacts request={request} />
      </DetailHead>
      <DetailTabs
        tabs={[
          { name: 'Answer', body: () => <LiveAnswer request={request} asked={asked} /> },
          {
            name: 'Request',
            body: () => (
              <Fetched state={sent}>
                {(one) => <SentRequest sent={readSent(one)} cassette={cassette} />}
              </Fetched>
            )
          },
          {
            name: 'Key',
            body: () =>
              asked === undefined ? (
                <p class="quiet">Loading…</p>
              ) : (
                <AskedResult cassette={cassette} {...asked} like={like} isBrief={true} />
              )
          },
          ...(like === undefined
            ? []
            : [
                {
                  name: 'Compare',
                  body: () => (
                    <RecordedCompare
                      cassette={cassette}
                      cassettes={cassettes}
                      id={like}
                    />
                  )
                }
              ]),
          {
            name: 'Copy',
            body: () => (
              <Fetched state={sent}>
                {(one) => (
                  <CopyPanel of={copiedOfSent(readSent(one))} upstream={upstream} />
                )}
              </Fetched>
            )
          }
        ]}
      />
    </>
  )
}

/** When it was answered, how, for whom and why, in a line. */
function RequestFacts({ request }: { readonly request: RequestView }): JSX.Element {
  const { at, ms, bytes, status, agent, user, session, writes, waitedMs, why } = request
  return (
    <>
      {clock(at)} · HTTP {status} · {size(bytes)} in {duration(ms)}
      {waitedMs > 0 && `, of which ${duration(waitedMs)} waiting for its session`}
      {user !== '' && <Text>{` · as ${user}`}</Text>}
      {session !== '' && <Text>{` · session ${session}`}</Text>}
      {writes > 0 && ` · after ${plural(writes, 'write')}`}
      {agent !== '' && <Text>{` · ${agent}`}</Text>}
      {why !== '' && <Text>{` · ${why}`}</Text>}
    </>
  )
}
