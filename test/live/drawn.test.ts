/** Never a wrong answer, by lot: a few draws of what `npm run fidelity:drawn` does at length. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawnListings } from '../../scripts/fidelity/drawn-listings.ts'
import { drawnRequests } from '../../scripts/fidelity/drawn-requests.ts'
import { connectToAll, type DescribedWiki } from '../../scripts/fidelity/wiki.ts'
import { labUrl, labVersions } from '../../scripts/wiki/lab.ts'

describe.each(labVersions)('drawn by lot, wiki %s', (version) => {
  let described: DescribedWiki
  beforeAll(async () => {
    described = await connectToAll(labUrl(version))
  })
  afterAll(() => {
    described.wiki.close()
  })

  test('listings', async () => {
    const { exact, notes } = await drawnListings(described, 8, 1)
    expect([...notes.keys()].filter((note) => note.startsWith('WRONG'))).toEqual([])
    expect(exact).toBeGreaterThan(5)
  })

  test('requests in other words', async () => {
    const { sums, wrong } = await drawnRequests(described, 5, 1)
    expect(wrong).toEqual([])
    expect(sums.exact).toBeGreaterThan(5)
  })
})
