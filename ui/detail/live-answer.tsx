/** The answer that a live request got. */
import type { JSX } from 'preact'
import type { RequestView } from '../../src/pages/run-views.ts'
import type { InteractionView } from '../../src/pages/views.ts'
import { RecordedAnswer } from '../answer/recorded-answer.tsx'
import { AskedResult } from '../asked/asked-result.tsx'
import { Fetched } from '../parts/fetched.tsx'
import type { AskedRequest } from '../request/asked-request.ts'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'

export function LiveAnswer({
  request: { outcome, cassette, key, why },
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
          <>
            <p class="verdict">
              recording{' '}
              <a href={linkTo('cassette', { cassette, key })}>
                <code>{key}</code>
              </a>
              {responses.length > 1 && `, one of its ${responses.length} answers`}
            </p>
            {responses.map((response, at) => (
              <RecordedAnswer
                key={at}
                cassette={cassette}
                id={key}
                at={at}
                response={response}
              />
            ))}
          </>
        )}
      </Fetched>
    )
  if (asked === undefined) return <p class="quiet">Loading…</p>
  if (outcome === 'synthesized' || outcome === 'miss')
    return <AskedResult cassette={cassette} {...asked} />
  return (
    <p class="quiet">
      This answer was not recorded{why === '' ? '' : `: ${why}`}, and answers are not kept
      beside recordings.
    </p>
  )
}
