/** Listings in the order of time: starts, ends and the reverse out of one recorded walk, true or refused. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import {
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { parseUrlencoded } from '../../../src/recorder/wiki/parameters/request-params.ts'
import { rounds } from '../../helpers/scale.ts'
import { deriveQuery, facts, recorded } from './fake-wiki.ts'

interface Change {
  readonly time: string
  readonly id: number
}

const text = (tree: JsonTree): string => writeCompact(tree, 'utf8')
/** Few moments, so that several changes share one. */
const moment = fc
  .integer({ min: 0, max: 40 })
  .map((minute) => `2024-03-01T04:${String(minute).padStart(2, '0')}:00Z`)
const digits = (time: string): string => time.replace(/\D/g, '')

/** What `list=recentchanges` answers. Source: ApiQueryRecentChanges, `addTimestampWhereRange` and its continue value. */
function answer(all: readonly Change[], query: string): JsonTree {
  const params = parseUrlencoded(encodeURI(query))
  const newer = params.get('rcdir') === 'newer'
  const [start, end] = ['rcstart', 'rcend'].map((name) =>
    params.get(name)?.replace(/\D/g, '')
  )
  const [low, high] = newer ? [start, end] : [end, start]
  const keyOf = ({ time, id }: Change): string => digits(time) + id
  const seen = all
    .filter(
      ({ time }) =>
        (low === undefined || digits(time) >= low) &&
        (high === undefined || digits(time) <= high)
    )
    .sort((a, b) => (keyOf(a) < keyOf(b) === newer ? -1 : 1))
  const continueAt = ({ time, id }: Change): string => `${digits(time)}|${id}`
  const sent = params.get('rccontinue')
  const at = sent === undefined ? 0 : seen.findIndex((one) => continueAt(one) === sent)
  const until = at + Number(params.get('rclimit'))
  const next = seen[until]
  const goOn =
    next &&
    jsonObject([
      ['rccontinue', jsonString(continueAt(next))],
      ['continue', jsonString('-||')]
    ])
  const rows = seen.slice(at, until).map(({ time, id }) =>
    jsonObject([
      ['type', jsonString('edit')],
      ['rcid', jsonLiteral(id)],
      ['timestamp', jsonString(time)]
    ])
  )
  return jsonObject([
    ['batchcomplete', jsonString('')],
    ...(goOn === undefined ? [] : [['continue', goOn] as const]),
    ['query', jsonObject([['recentchanges', jsonArray(rows)]])]
  ])
}

const base = 'action=query&format=json&list=recentchanges'
const limit = fc.integer({ min: 1, max: 9 })

test('parts and reverses are the true ones, or none', () => {
  let exact = 0
  const given = fc
    .record(
      { rcstart: moment, rcend: moment, rcdir: fc.constantFrom('newer', 'older') },
      { requiredKeys: [] }
    )
    .map((one) => {
      const { rcstart, rcend, rcdir } = one
      // Seldom the wrong way round, where nothing is found.
      const upside =
        rcstart !== undefined &&
        rcend !== undefined &&
        rcstart < rcend === (rcdir !== 'newer')
      return upside && !rcstart.includes('7:')
        ? { ...one, rcstart: rcend, rcend: rcstart }
        : one
    })
  const changes = fc.uniqueArray(
    fc.record({ time: moment, id: fc.integer({ min: 100, max: 999 }) }),
    {
      maxLength: 30,
      selector: (one) => one.id
    }
  )
  fc.assert(
    fc.property(
      changes,
      limit,
      limit,
      given,
      fc.boolean(),
      (all, walked, asked, more, broken) => {
        const interactions: Interaction[] = []
        let cursor = ''
        for (let step = 0; step < 40; step += 1) {
          const query = `${base}&rclimit=${walked}&continue=${cursor}`
          const tree = answer(all, query)
          interactions.push(recorded(query, tree))
          const value = /"rccontinue":"([^"]*)"/.exec(text(tree))?.[1]
          if (value === undefined) break
          cursor = `-||&rccontinue=${value}`
        }
        const listings = readListings(
          broken ? interactions.slice(1) : interactions,
          facts
        )
        const params = Object.entries(more).map(([name, value]) => `&${name}=${value}`)
        let at = ''
        for (let step = 0; step < 6; step += 1) {
          const query = `${base}&rclimit=${asked}&continue=${at}${params.join('')}`
          const truth = answer(all, query)
          const said = synthesize(deriveQuery(query), listings, facts)
          if (said.kind === 'synthesized' && said.by !== 'own') {
            expect(text(said.body), query).toBe(text(truth))
            exact += 1
          }
          const value = /"rccontinue":"([^"]*)"/.exec(text(truth))?.[1]
          if (value === undefined) break
          at = `-||&rccontinue=${value}`
        }
      }
    ),
    { numRuns: rounds(300) }
  )
  expect(exact).toBeGreaterThan(rounds(40))
})
