/** The answer that a live request got. */
import type { JSX } from 'preact'
import type { RequestView } from '../../src/pages/run-views.ts'
import type { InteractionView, ResponseView } from '../../src/pages/views.ts'
import { RecordedAnswer } from '../answer/recorded-answer.tsx'
import { AskedResult } from '../asked/asked-result.tsx'
import { ChangedSince } from '../asked/changed-since.tsx'
import { Fetched } from '../parts/fetched.tsx'
import type { AskedRequest } from '../request/asked-request.ts'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'

export function LiveAnswer({
  request: { outcome, cassette, key, why, answer },
  asked
}: {
  readonly request: RequestView
  readonly asked: AskedRequest | undefined
}): JSX.Element {
  const isRecorded = (outcome === 'replayed' || outcome === 'recorded') && key !== ''
  const known = useFetch<InteractionView>(isRecorded ? 'api/interaction' : undefined, {
    cassette,
    key
  })
  if (isRecorded)
    return (
      <Fetched state={known}>
        {({ responses }) => (
          <SentAnswer cassette={cassette} id={key} responses={responses} sent={answer} />
        )}
      </Fetched>
    )
  if (asked === undefined) return <p class="quiet">Loading…</p>
  if (outcome === 'synthesized' || outcome === 'miss')
    return <AskedResult cassette={cassette} {...asked} sent={{ outcome, answer }} />
  return (
    <p class="quiet">
      This answer was not recorded{why === '' ? '' : `: ${why}`}, and answers are not kept
      beside recordings.
    </p>
  )
}

/** The recorded answer that was sent; if the recording has it no longer, what it has now. */
function SentAnswer({
  cassette,
  id,
  responses,
  sent
}: {
  readonly cassette: string
  readonly id: string
  readonly responses: readonly ResponseView[]
  /** Its digest. */
  readonly sent: string
}): JSX.Element {
  const numbered = responses.map((response, at) => ({ response, at }))
  const same = numbered.filter(({ response }) => response.digest === sent)
  return (
    <>
      {same.length === 0 && <ChangedSince />}
      <p class="verdict">
        recording{' '}
        <a href={linkTo('cassette', { cassette, key: id })}>
          <code>{id}</code>
        </a>
        {responses.length > 1 &&
          (same.length === 0
            ? `, ${responses.length} answers`
            : `, answer ${(same[0]?.at ?? 0) + 1} of ${responses.length}`)}
      </p>
      {(same.length === 0 ? numbered : same.slice(0, 1)).map(({ response, at }) => (
        <RecordedAnswer
          key={at}
          cassette={cassette}
          id={id}
          at={at}
          response={response}
        />
      ))}
    </>
  )
}
