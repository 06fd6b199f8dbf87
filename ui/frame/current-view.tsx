/** The view that the address names. */
import type { JSX } from 'preact'
import type { View } from '../store/route.ts'
import { AskView } from '../views/ask-view.tsx'
import { CassetteView } from '../views/cassette-view.tsx'
import { CheckView } from '../views/check-view.tsx'
import { CompareView } from '../views/compare-view.tsx'
import { DriftView } from '../views/drift-view.tsx'
import { ListingsView } from '../views/listings-view.tsx'
import { LiveView } from '../views/live-view.tsx'
import { MissesView } from '../views/misses-view.tsx'
import { TimelineView } from '../views/timeline-view.tsx'

export function CurrentView({
  view,
  params,
  cassette,
  cassettes,
  runs
}: {
  readonly view: View
  readonly params: URLSearchParams
  readonly cassette: string
  readonly cassettes: readonly string[]
  readonly runs: readonly string[]
}): JSX.Element {
  switch (view) {
    case 'live':
      return <LiveView cassettes={cassettes} runs={runs} params={params} />
    case 'timeline':
      return <TimelineView cassettes={cassettes} params={params} />
    case 'misses':
      return <MissesView params={params} />
    case 'cassette':
      return <CassetteView cassette={cassette} cassettes={cassettes} params={params} />
    case 'coverage':
      return <ListingsView cassette={cassette} params={params} />
    case 'ask':
      return <AskView cassette={cassette} params={params} />
    case 'compare':
      return <CompareView cassette={cassette} cassettes={cassettes} params={params} />
    case 'drift':
      return <DriftView cassette={cassette} cassettes={cassettes} params={params} />
    case 'check':
      return <CheckView cassette={cassette} params={params} />
  }
}
