/** Never a wrong answer, by lot: a few draws of what `npm run fidelity:drawn` does at length. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawnListings } from '../../scripts/fidelity/drawn-listings.ts'
import { drawnRequests } from '../../scripts/fidelity/drawn-requests.ts'
import { connectToAll, type DescribedWiki } from '../../scripts/fidelity/wiki.ts'
import { liveWikis } from '../helpers/live-wikis.ts'

const drawn = liveWikis.map((one) =>
  one.kind === undefined
    ? { ...one, listings: 8, requests: 5, least: 5 }
    : { ...one, listings: 8, requests: 2, least: 1 }
)

describe.each(drawn)('drawn by lot, wiki $name', ({ url, listings, requests, least }) => {
  let described: DescribedWiki
  beforeAll(async () => {
    described = await connectToAll(url)
  })
  afterAll(() => {
    described.wiki.close()
  })

  test('listings', async () => {
    const { same, notes } = await drawnListings(described, listings, 1)
    expect([...notes.keys()].filter((note) => note.startsWith('WRONG'))).toEqual([])
    expect(same.exact).toBeGreaterThan(least)
  })

  test('requests in other words', async () => {
    const { sums, wrong } = await drawnRequests(described, requests, 1)
    expect(wrong).toEqual([])
    expect(sums.exact).toBeGreaterThan(least)
  })
})
