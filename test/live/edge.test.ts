/** Real wikis behind an edge like a public one: every call of the spec captured once, and nothing of the edge kept. */
import { describe, expect, it } from 'vitest'
import { labUrl, wikiAnswering } from '../../scripts/wiki/lab.ts'
import { captureThroughEdge, passOn, tracesIn } from '../helpers/edge-run.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { scaled } from '../helpers/scale.ts'
import { someSpecCalls } from '../helpers/spec-calls.ts'

/** No call twice. */
const [some, others] = [0, 1].map((which) => [...new Set(someSpecCalls(which))])

/** Of the usual third of the calls so large a share that every kind of trouble strikes. */
const trouble = 0.06 * scaled(3, 1)

describe.each([
  ['wikimedia', 'tls', '1.43', some ?? [], [1]],
  ['fandom', 'tunnel', '1.35', others ?? [], [2]]
] as const)('behind an edge like that of %s (%s)', (farm, by, version, calls, orders) => {
  it(`MediaWiki ${version} is captured whole, whatever strikes`, async () => {
    const wiki = await wikiAnswering(labUrl(version))
    expect(
      wiki,
      `MediaWiki ${version} must run: npm run wiki -- up ${version}`
    ).toBeDefined()
    const through = await captureThroughEdge({
      farm,
      calls,
      orders,
      by,
      trouble,
      behind: (seen) => passOn(labUrl(version), seen)
    })
    const { first, again, edge, interactions, changed, answered, requests, cassette } =
      through
    const struck = [...edge.struck].map(([kind, times]) => `${kind} ${times}`).join(', ')
    process.stdout.write(
      `MediaWiki ${wiki} behind ${farm} (${by}): ${calls.length} calls, ${interactions} recordings, ${requests.join(' + ')} requests (${struck}), ` +
        `${edge.most()} at one time, ${edge.shortestRest()} ms after a 429 at least, ${changed.length} files changed\n`
    )
    expect([first, ...again].map(({ code }) => code)).toEqual([0, 0])
    expect(first.stderr).toContain(`${calls.length} of ${calls.length}`)
    // What broke was asked again, what was answered never.
    expect(new Set(answered).size).toBe(answered.length)
    expect(changed).toEqual([])
    expect(tracesIn(cassette)).toEqual([])
    expect(edge.most()).toBe(1)
    expect(edge.shortestRest()).toBeGreaterThanOrEqual(2000)
    expect(interactions).toBe(calls.length)
    const replay = await startProxy(undefined, { cassette })
    for (const call of calls) await ask(`${replay.api}?${encodeURI(call)}&format=json`)
    const { replayed, synthesized, unused } = replay.rack.counts()
    expect({ replayed, synthesized, unused }).toEqual({
      replayed: calls.length,
      synthesized: 0,
      unused: 0
    })
  })
})
