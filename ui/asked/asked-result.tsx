/** What replay answers to a request: which recording and why, what is nearest, and the answer. */
import type { JSX } from 'preact'
import type { AskView, RequestView } from '../../src/pages/run-views.ts'
import { Badge } from '../parts/badge.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { Text } from '../parts/text.tsx'
import { linkTo } from '../store/route.ts'
import { postJson } from '../store/server-api.ts'
import { useFetch } from '../store/use-fetch.ts'
import { AskedAnswer } from './asked-answer.tsx'
import { ChangedSince } from './changed-since.tsx'
import { KeySteps } from './key-steps.tsx'
import { NearMiss } from './near-miss.tsx'
import { Remedy } from './remedy.tsx'

export function AskedResult({
  cassette,
  address,
  form,
  like,
  sent,
  isBrief = false
}: {
  readonly cassette: string
  readonly address: string
  readonly form?: string | undefined
  readonly like?: string | undefined
  /** What a client got for it earlier. */
  readonly sent?: Pick<RequestView, 'outcome' | 'answer'>
  /** True if the answer is not shown. */
  readonly isBrief?: boolean
}): JSX.Element {
  const asked = useFetch<AskView>(
    'api/ask',
    { cassette, address, form, like },
    { by: postJson }
  )
  return (
    <Fetched state={asked}>
      {(one) => (
        <>
          {sent !== undefined && isOther(one, sent) && <ChangedSince />}
          <p class="verdict">
            <Badge of={one.outcome} /> <Verdict asked={one} cassette={cassette} />
          </p>
          {one.miss !== undefined && (
            <>
              <p>
                <Text>{one.miss.what}</Text>
              </p>
              <Remedy miss={one.miss} />
              {one.miss.nearest.map((near) => (
                <NearMiss key={near.key} near={near} cassette={cassette} />
              ))}
            </>
          )}
          <details open={isBrief || one.miss !== undefined}>
            <summary>How the key {one.key} comes about</summary>
            <KeySteps steps={one.steps} undescribed={one.undescribed} />
          </details>
          {!isBrief && one.miss === undefined && (
            <AskedAnswer asked={one} cassette={cassette} />
          )}
        </>
      )}
    </Fetched>
  )
}

const isOther = (
  now: AskView,
  { outcome, answer }: Pick<RequestView, 'outcome' | 'answer'>
): boolean => now.outcome !== outcome || (answer !== '' && now.answer !== answer)

function Verdict({
  asked,
  cassette
}: {
  readonly asked: AskView
  readonly cassette: string
}): JSX.Element {
  const { recordedKey, from, by, key, miss } = asked
  const link = (one: string): JSX.Element => (
    <a key={one} href={linkTo('cassette', { cassette, key: one })}>
      <code>{one}</code>
    </a>
  )
  if (recordedKey !== '') return <>answered by the recording {link(recordedKey)}</>
  if (miss !== undefined) return <>not recorded: {miss.reason}</>
  if (from.length === 0) return <>answered without a recording, under the key {key}</>
  return (
    <>
      made of {from.length === 1 ? 'the recording' : `${from.length} recordings`}{' '}
      {from
        .slice(0, 12)
        .flatMap((one, at) => (at === 0 ? [link(one)] : [', ', link(one)]))}
      {by !== '' && `, ${by}`}
    </>
  )
}
