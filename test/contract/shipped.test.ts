/** The shipped cassettes: every file is read, and found again by the request that recorded it. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { labVersions } from '../../scripts/wiki/lab.ts'
import { encodeInteraction } from '../../src/recorder/cassette/format/encode-interaction.ts'
import { findMatch } from '../../src/recorder/playback/lookup/match.ts'
import { derive, type WikiFacts } from '../../src/recorder/request/derive.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { fromParams } from '../helpers/api-requests.ts'

const root = new URL('../../cassettes/', import.meta.url)

describe.each(labVersions)('cassettes/ru-%s', (version) => {
  const store = CassetteStore.open(fileURLToPath(new URL(`ru-${version}`, root)))
  const facts: WikiFacts = {
    lookup: (path) => store.module(path),
    site: store.manifest.site
  }
  const interactions = [...store.paths()].map(([key]) => {
    const found = store.get(key)
    return found.kind === 'found'
      ? found.interaction
      : expect.fail(`${key} is ${found.kind}`)
  })

  it('finds each recording by the request that made it, and only that one', () => {
    const lost = interactions.flatMap(({ key, request, sentValues: asked }) => {
      if ([...request.keys()].some((param) => param.includes(' '))) return []
      const sent = new Map(
        [...request].map(([param, value]) => [param, asked.get(param) ?? value] as const)
      )
      if (!sent.has('format')) sent.set('format', 'json')
      const apiRequest = fromParams(sent)
      const derivation = derive(apiRequest, facts)
      const match = findMatch(
        apiRequest,
        derivation,
        (one) => interactions.find((other) => other.key === one),
        facts.site
      )
      const same = match.kind === 'recorded' && match.key === key && !match.reordered
      return same
        ? []
        : [
            `${key} ${[...request].join(' ')} became ${derivation.key} ${[...derivation.canonical].join(' ')}`
          ]
    })
    expect(lost).toEqual([])
  })

  it('is written as it would be written now', () => {
    for (const interaction of interactions) {
      const found = store.get(interaction.key)
      const { text } = encodeInteraction(interaction, 'stem')
      expect(
        found.kind === 'found' && encodeInteraction(found.interaction, 'stem').text
      ).toBe(text)
    }
  })
})
