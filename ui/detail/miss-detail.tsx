/** A miss: what is missing, what to run, and how the nearest recordings differ. */
import type { JSX } from 'preact'
import type { MissView } from '../../src/pages/views.ts'
import { NearMiss } from '../asked/near-miss.tsx'
import { Remedy } from '../asked/remedy.tsx'
import { Badge } from '../parts/badge.tsx'
import { Text } from '../parts/text.tsx'
import { linkTo } from '../store/route.ts'
import { DetailHead } from './detail-head.tsx'

export const MissDetail = ({ miss }: { readonly miss: MissView }): JSX.Element => {
  const { key, cassette, reason, request, what, nearest, recorded } = miss
  return (
    <>
      <DetailHead words={request.replaceAll(', ', ' · ')}>
        {reason} · <Text>{cassette}</Text> · key <code>{key}</code>
      </DetailHead>
      <div class="panel">
        <p>
          <Badge of={recorded ? 'recorded' : 'miss'} /> <Text>{what}</Text>
        </p>
        {recorded ? (
          <p class="good">
            This request is recorded now.{' '}
            <a href={linkTo('cassette', { cassette, key })}>Open the recording</a>
          </p>
        ) : (
          <Remedy miss={miss} />
        )}
        {nearest.map((near) => (
          <NearMiss key={near.key} near={near} cassette={cassette} />
        ))}
      </div>
    </>
  )
}
