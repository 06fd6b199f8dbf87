import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { derive, type WikiFacts } from '../../../src/recorder/request/derive.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { toRecordedResponse } from '../../helpers/converted.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'
import {
  answerOf,
  type GoldenCall,
  goldenSeeds,
  readable
} from '../../helpers/golden-calls.ts'

const described = factsOfWiki('1.35')
const facts: WikiFacts = {
  ...described,
  trust: 'learned',
  site: described.site && { ...described.site, generator: 'MediaWiki 1.25.4' }
}

function record(call: GoldenCall): Interaction {
  const request = apiRequest(call.q)
  const { key, canonical, sentValues: asked } = derive(request, facts)
  const taking = toRecordedResponse(request, answerOf(call), 0)
  if (taking.kind === 'refused') throw new Error(taking.reason)
  return { key, request: canonical, sentValues: asked, responses: [taking.response] }
}

const textOf = (one: Interaction): string => {
  const { body } = one.responses[0]
  return body.kind === 'json' ? writeCompact(body.tree, 'utf8') : ''
}

/** The calls of one listing by dialect. */
const inDialect = (suffix: string): readonly GoldenCall[] =>
  goldenSeeds.filter(
    ({ q }) => /[?&](list|generator)=/.test(`&${q}`) && q.endsWith(suffix)
  )
const pairs = inDialect('&rawcontinue=').flatMap((raw) => {
  const base = raw.q.slice(0, -'&rawcontinue='.length)
  const modern = goldenSeeds.find(({ q }) => q === `${base}&continue=`)
  const none = goldenSeeds.find(({ q }) => q === base)
  return modern === undefined || none === undefined ? [] : [{ raw, modern, none }]
})

describe('a real 1.25.4, one dialect from a recording in another', () => {
  test('there are listings to try', () => {
    expect(pairs.length).toBeGreaterThan(8)
  })

  test.each(pairs.map((pair) => [readable(pair.none), pair] as const))(
    '%s',
    (_, { raw, modern, none }) => {
      for (const [known, wanted] of [
        [raw, modern],
        [modern, raw],
        [raw, none],
        [modern, none]
      ] as const) {
        const listings = readListings([record(known)], facts)
        const truth = record(wanted)
        const said = synthesize(derive(apiRequest(wanted.q), facts), listings, facts)
        // What 1.25 warns of in its default dialect is not to be had from another.
        if (wanted === none) expect(said.kind).not.toBe('synthesized')
        if (said.kind === 'synthesized')
          expect(writeCompact(said.body, 'utf8')).toBe(textOf(truth))
      }
    }
  )

  test('plain lists are served in the other dialect', () => {
    const { raw, modern } =
      pairs.find(({ none }) => none.q.includes('list=allpages')) ?? {}
    if (raw === undefined || modern === undefined) throw new Error('no list=allpages')
    for (const [known, wanted] of [
      [raw, modern],
      [modern, raw]
    ] as const) {
      const said = synthesize(
        derive(apiRequest(wanted.q), facts),
        readListings([record(known)], facts),
        facts
      )
      expect(said.kind).toBe('synthesized')
    }
  })

  test('a part of a batch in the default dialect keeps the warning', () => {
    const call = goldenSeeds.find(
      ({ q }) => q === 'action=query&list=allpages&apfrom=B&format=json'
    )
    if (call === undefined) throw new Error('no such call')
    const said = synthesize(
      derive(apiRequest(`${call.q}&aplimit=3`), facts),
      readListings([record(call)], facts),
      facts
    )
    // One batch does not show the row behind it, so no rule can be learned from it.
    expect(said).toMatchObject({ kind: 'synthesized', by: 'own' })
    const text = said.kind === 'synthesized' ? writeCompact(said.body, 'utf8') : ''
    expect(text).toMatch(
      /^\{"warnings":\{"query":\{"\*":"Formatting of continuation data will be changing soon\./
    )
    expect(text.replace(/wikitape-3-[0-9a-f]{20}/, '…')).toContain(
      '},"query-continue":{"allpages":{"apcontinue":"…"}},"query":{"allpages":[{"pageid":54,"ns":0,"title":"R Ёлка"},{"pageid":45,"ns":0,"title":"R Берёза"},{"pageid":64,"ns":0,"title":"R Йога"}]}}'
    )
  })
})

test('the script that asks kept walks says what it needs', () => {
  const run = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'scripts/fidelity-golden.ts', 'nowhere.gz'],
    {
      encoding: 'utf8'
    }
  )
  expect(run.status).toBe(2)
  expect(run.stderr).toMatch(
    /nowhere\.gz cannot be found.*\nUsage: .*WALKS\.ndjson\.gz SELF\.ndjson\.gz/
  )
})
