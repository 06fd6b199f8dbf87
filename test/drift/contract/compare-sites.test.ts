/** What two wikis are: engine, extensions, address; and what is known of the releases between them. */
import { describe, expect, it } from 'vitest'
import { type Change, noteText, writePath } from '../../../src/drift/changes/change.ts'
import { compareCassettes, unfilteredChanges } from '../../../src/drift/compare.ts'
import { compareSites } from '../../../src/drift/contract/compare-sites.ts'
import { ownHostStripper } from '../../../src/drift/inputs/cassette-side.ts'
import { hintOf, knownChangesBetween } from '../../../src/drift/releases/known-changes.ts'
import type { Namespace } from '../../../src/recorder/wiki/site/site-facts.ts'
import { side } from '../sides.ts'

const siteinfo = 'action=query&meta=siteinfo&siprop=extensions'

describe('an engine', () => {
  const outcome = (a: string, b: string): readonly unknown[] =>
    compareSites(
      side('a', {}, { manifest: { engine: a } }),
      side('b', {}, { manifest: { engine: b } })
    ).map(({ kind, note }) => `${kind} ${noteText(note)}`)

  it.each([
    ['another', '1.35.13', '1.43.9', ['engine.changed 1.35.13 → 1.43.9']],
    ['the same', '1.43.9', '1.43.9', []],
    ['unknown of the first', '', '1.43.9', []],
    ['unknown of the second', '1.43.9', '', []]
  ])('%s', (_, a, b, findings) => {
    expect(outcome(a, b)).toEqual(findings)
  })
})

describe('configuration that was recorded beside the answers', () => {
  const site = { generator: '', lang: 'ru', namespaces: [] }
  const withSite = (
    engine: string,
    configuration: Record<string, unknown> | undefined,
    answers: Record<string, unknown> = {},
    namespaces: readonly Namespace[] = []
  ): ReturnType<typeof side> =>
    side('x', answers, {
      manifest: {
        engine,
        site: { ...site, namespaces, ...(configuration && { configuration }) }
      }
    })
  const outcome = (
    a: ReturnType<typeof side>,
    b: ReturnType<typeof side>
  ): readonly string[] =>
    compareSites(a, b)
      .filter(({ kind }) => kind !== 'engine.changed')
      .map(({ kind, path }) => `${kind} ${writePath(path)}`)
  const cite = { name: 'Cite', version: '1' }
  const echo = { name: 'Echo', version: '1' }
  const none = { extensions: [], skins: [], usergroups: [] }

  it('is compared by name', () => {
    const a = {
      ...none,
      extensions: [cite],
      skins: [{ code: 'vector' }],
      usergroups: [{ name: 'bot' }]
    }
    const b = { ...none, extensions: [echo], skins: [{ code: 'timeless' }] }
    expect(outcome(withSite('1.43.9', a), withSite('1.43.9', b))).toEqual([
      'extension.removed query.extensions[Cite]',
      'extension.added query.extensions[Echo]',
      'configuration.removed query.skins[vector]',
      'configuration.added query.skins[timeless]',
      'configuration.removed query.usergroups[bot]'
    ])
  })

  it('is another version of an extension only where the engine is the same', () => {
    const [a, b] = [cite, { ...cite, version: '2' }].map((one) => ({
      ...none,
      extensions: [one]
    }))
    expect(outcome(withSite('1.43.9', a), withSite('1.43.9', b))).toEqual([
      'configuration.changed query.extensions[Cite]'
    ])
    expect(outcome(withSite('1.39.17', a), withSite('1.43.9', b))).toEqual([])
  })

  it('of one side alone is compared with nothing', () => {
    const full = withSite('1.43.9', { ...none, extensions: [cite] })
    expect(outcome(full, withSite('1.43.9', undefined))).toEqual([])
    expect(outcome(withSite('1.43.9', undefined), full)).toEqual([])
  })

  it('is left to the answers where both sides have them', () => {
    const answer = (one: object): Record<string, unknown> => ({
      [siteinfo]: { query: { extensions: [one, { name: 'Gadgets' }] } }
    })
    const a = withSite('1.43.9', { ...none, extensions: [cite] }, answer(cite))
    const b = withSite('1.43.9', { ...none, extensions: [echo] }, answer(echo))
    expect(outcome(a, b)).toEqual([])
    expect(
      compareCassettes(a, b).findings.map(({ kind, severity }) => `${severity} ${kind}`)
    ).toEqual(['risky extension.added', 'risky extension.removed'])
  })

  it('has the namespaces of cassettes that recorded nothing else', () => {
    const gadget = { id: 2300, name: 'Гаджет', aliases: [], firstLetter: true }
    expect(
      outcome(
        withSite('1.43.9', undefined, {}, [gadget]),
        withSite('1.43.9', undefined, {}, [])
      )
    ).toEqual(['configuration.removed query.namespaces[id=2300]'])
  })
})

describe("a wiki's own address", () => {
  const local = ownHostStripper(
    side('a', {}, { manifest: { upstream: 'http://wiki.example:81/w/api.php' } })
  )

  it.each([
    ['http://wiki.example:81/wiki/A', 'http://wiki.local/wiki/A'],
    ['https://wiki.example:81/wiki/A', 'http://wiki.local/wiki/A'],
    ['//wiki.example:81/wiki/A', '//wiki.local/wiki/A'],
    ['http://wiki.example:811/wiki/A', 'http://wiki.example:811/wiki/A'],
    ['http://wiki.example/wiki/A', 'http://wiki.example/wiki/A'],
    ['wiki.example:81', 'wiki.example:81']
  ])('%s is told as %s', (text, outcome) => {
    expect(local(text)).toBe(outcome)
  })

  it('is found in what the wiki says of itself as well', () => {
    const answers = {
      'action=query&meta=siteinfo': { query: { general: { server: '//front.example' } } }
    }
    expect(ownHostStripper(side('a', answers))('http://front.example/x')).toBe(
      'http://wiki.local/x'
    )
  })
})

describe('a known change', () => {
  /** The token that a module wants was renamed in 1.24; what `action=tokens` gives went in 1.37. */
  const removed = unfilteredChanges(
    side('a', {
      'action=query&list=things': { query: { things: [{ title: 'A', gone: 1 }] } }
    }),
    side('b', { 'action=query&list=things': { query: { things: [{ title: 'A' }] } } })
  )[0] as Change
  const about = {
    ...removed,
    kind: 'module.removed',
    axis: 'contract',
    scope: 'tokens'
  } as Change

  it.each([
    ['between', '1.35.13', '1.39.17', true],
    ['whose release is the later side', '1.36.0', '1.37.0', true],
    ['whose release is the earlier side', '1.37.0', '1.43.9', false],
    ['before both', '1.39.17', '1.43.9', false],
    ['after both', '1.31.0', '1.35.0', false],
    ['where nobody knows the engines', '', '', true],
    ['where nobody knows one of them', '1.39.17', '', true]
  ])('%s counts: %s to %s, %s', (_, a, b, counts) => {
    const known = knownChangesBetween(a, b)(about, 'tokens')
    expect(known?.since).toBe(counts ? '1.37' : undefined)
  })

  it('is none of what the wiki holds', () => {
    expect(
      knownChangesBetween('', '')({ ...about, axis: 'data' }, 'tokens')
    ).toBeUndefined()
  })

  it('of a default is advised about where there was one', () => {
    const changed = { ...removed, kind: 'param.default-changed' } as Change
    expect(hintOf(changed, 'query+allpages')).toMatch(/^send the old default/)
    expect(hintOf({ ...changed, before: undefined }, 'query+allpages')).toBeUndefined()
  })
})
