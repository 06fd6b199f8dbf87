/** requests.json: what is written is read back, and what is none is refused. */
import { describe, expect, it } from 'vitest'
import {
  callsOf,
  decodeTraffic,
  encodeTraffic,
  type Traffic
} from '../../../../src/recorder/cassette/format/traffic-file.ts'

const count = (
  calls: number,
  agents: Readonly<Record<string, number>>
): Traffic['total'] => ({
  calls,
  first: Date.UTC(2026, 10, 1),
  last: Date.UTC(2026, 10, 8),
  agents: new Map(Object.entries(agents))
})
const traffic: Traffic = {
  sampled: true,
  total: count(9, { 'Bot "x"/1': 5, ['__proto__']: 4 }),
  skipped: new Map([['writes', count(2, {})]]),
  requests: new Map([
    ['b', count(5, { B: 5 })],
    ['a', count(4, { A: 3, B: 1 })]
  ])
}

describe('requests.json', () => {
  it('is read back as it was written', () => {
    expect(decodeTraffic(encodeTraffic(traffic))).toEqual(traffic)
  })

  it('is refused where it is none; a count that is none is left out', () => {
    for (const text of ['', '[]', '{}', '{"total":{"calls":1}}', '<<<<<<< ours'])
      expect(decodeTraffic(text)).toBeUndefined()
    const damaged = JSON.parse(encodeTraffic(traffic))
    damaged.requests.a.first = 'yesterday'
    expect([...(decodeTraffic(JSON.stringify(damaged))?.requests.keys() ?? [])]).toEqual([
      'b'
    ])
  })

  it('adds the calls of requests over the time of the whole log', () => {
    expect(callsOf([{ key: 'a' }, { key: 'b' }, { key: 'none' }], traffic)).toEqual(
      count(9, { A: 3, B: 6 })
    )
  })
})
