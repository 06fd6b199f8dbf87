import { describe, expect, it } from 'vitest'
import {
  type ListingFact,
  listingFacts
} from '../../../src/recorder/knowledge/listing-facts.ts'

const kinds = ['list', 'generator', 'prop']
const orders = [
  ...[
    'wire',
    'index',
    'id',
    'ns-id',
    'title',
    'id-down',
    'ns-id-down',
    'title-down',
    'newest',
    'oldest'
  ]
]
const spellings = [
  'db-key',
  'db-key-without-namespace',
  'digits-of-time',
  'category-type'
]
const part =
  /^(?:#|\?|\?(?:page\.)?[a-z]+|'[^'|]*'|(?:page\.)?(?:[a-z]+|\*)(?::[a-z-]+)?|:[a-z-]+)$/

const nameOf = ({ kind, module, when, formatversion }: ListingFact): string =>
  JSON.stringify([kind, module, when, formatversion])

describe('listing facts', () => {
  it.each(listingFacts().map((fact) => [nameOf(fact), fact] as const))(
    '%s',
    (_, fact) => {
      expect(kinds).toContain(fact.kind)
      expect(fact.on.length).toBeGreaterThan(0)
      for (const version of fact.on) {
        expect(version).toMatch(/^1\.\d+$/)
        if (fact.source === undefined) expect(fact.proven?.[version]).toBeGreaterThan(0)
      }
      // A rule that nobody walked says where it was read.
      expect(fact.proven === undefined).toBe(fact.source !== undefined)
      expect(fact.read === undefined).toBe(fact.source === undefined)
      expect(['continue', 'offset', 'from', 'start']).toContain(fact.param)
      for (const one of fact.value.flatMap((text) => text.split('&'))) {
        expect(one).toMatch(part)
        const [, spelled] = /^[^']*:(.*)$/.exec(one) ?? []
        if (spelled !== undefined) expect(spellings).toContain(spelled)
      }
      for (const one of fact.order) expect(orders).toContain(one)
      expect(fact.order.length).toBeGreaterThan(0)
      expect(fact.kind === 'generator').toBe(fact.pages !== undefined)
    }
  )

  it('says one thing of one version', () => {
    const said = listingFacts().flatMap((fact) =>
      fact.on.map((version) => `${nameOf(fact)} ${version}`)
    )
    expect(new Set(said).size).toBe(said.length)
  })
})
