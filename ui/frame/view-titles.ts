/** The names of the views. */
import type { View } from '../store/route.ts'

export const viewTitles: Readonly<Record<View, string>> = {
  live: 'Live',
  timeline: 'Timeline',
  misses: 'Misses',
  cassette: 'Cassette',
  coverage: 'Listings',
  ask: 'Ask',
  compare: 'Compare',
  drift: 'Drift',
  check: 'Check'
}
