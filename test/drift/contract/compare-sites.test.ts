/** What two wikis are: engine, extensions, address; and what is known of the releases between them. */
import { describe, expect, it } from 'vitest'
import type { Change } from '../../../src/drift/changes/change.ts'
import { unfilteredChanges } from '../../../src/drift/compare.ts'
import { compareSites } from '../../../src/drift/contract/compare-sites.ts'
import { ownHostStripper } from '../../../src/drift/inputs/strip-own-host.ts'
import { hintOf, knownChangesBetween } from '../../../src/drift/releases/known-changes.ts'
import { side } from '../sides.ts'

const siteinfo = 'action=query&meta=siteinfo&siprop=extensions'

describe('an engine', () => {
  const outcome = (a: string, b: string): readonly unknown[] =>
    compareSites(side('a', {}, { manifest: { engine: a } }), side('b', {}, { manifest: { engine: b } })).map(
      ({ kind, note }) => `${kind} ${note}`,
    )

  it.each([
    ['another', '1.35.13', '1.43.9', ['engine.changed 1.35.13 → 1.43.9']],
    ['the same', '1.43.9', '1.43.9', []],
    ['unknown of the first', '', '1.43.9', []],
    ['unknown of the second', '1.43.9', '', []],
  ])('%s', (_, a, b, findings) => {
    expect(outcome(a, b)).toEqual(findings)
  })
})

describe('extensions', () => {
  const withExtensions = (...extensions: readonly object[]): ReturnType<typeof side> =>
    side('x', { [siteinfo]: { query: { extensions } } })
  const outcome = (a: ReturnType<typeof side>, b: ReturnType<typeof side>): readonly string[] =>
    compareSites(a, b)
      .filter(({ kind }) => kind.startsWith('extension'))
      .map(({ kind, note, before, after }) => JSON.stringify([kind, note, before, after]))

  it('that come and go are told by name, with their version and no note', () => {
    const [one, two] = [{ name: 'Cite', version: '1' }, { name: 'Echo' }]
    const text = (value: string): object => ({ kind: 'string', value })
    expect(outcome(withExtensions(one), withExtensions(two))).toEqual([
      JSON.stringify(['extension.removed', '', text('1'), undefined]),
      JSON.stringify(['extension.added', '', undefined, text('')]),
    ])
  })

  it('of one side alone are compared with nothing', () => {
    expect(outcome(withExtensions({ name: 'Cite' }), side('x', {}))).toEqual([])
    expect(outcome(side('x', {}), withExtensions({ name: 'Cite' }))).toEqual([])
  })
})

describe("a wiki's own address", () => {
  const local = ownHostStripper(side('a', {}, { manifest: { upstream: 'http://wiki.example:81/w/api.php' } }))

  it.each([
    ['http://wiki.example:81/wiki/A', 'http://wiki.local/wiki/A'],
    ['https://wiki.example:81/wiki/A', 'http://wiki.local/wiki/A'],
    ['//wiki.example:81/wiki/A', '//wiki.local/wiki/A'],
    ['http://wiki.example:811/wiki/A', 'http://wiki.example:811/wiki/A'],
    ['http://wiki.example/wiki/A', 'http://wiki.example/wiki/A'],
    ['wiki.example:81', 'wiki.example:81'],
  ])('%s is told as %s', (text, outcome) => {
    expect(local(text)).toBe(outcome)
  })

  it('is found in what the wiki says of itself as well', () => {
    const answers = {
      'action=query&meta=siteinfo': { query: { general: { server: '//front.example' } } },
    }
    expect(ownHostStripper(side('a', answers))('http://front.example/x')).toBe('http://wiki.local/x')
  })
})

describe('a known change', () => {
  /** The token that a module wants was renamed in 1.24; what `action=tokens` gives went in 1.37. */
  const removed = unfilteredChanges(
    side('a', { 'action=query&list=things': { query: { things: [{ title: 'A', gone: 1 }] } } }),
    side('b', { 'action=query&list=things': { query: { things: [{ title: 'A' }] } } }),
  )[0] as Change
  const about = { ...removed, kind: 'module.removed', axis: 'contract', scope: 'tokens' } as Change

  it.each([
    ['between', '1.35.13', '1.39.17', true],
    ['whose release is the later side', '1.36.0', '1.37.0', true],
    ['whose release is the earlier side', '1.37.0', '1.43.9', false],
    ['before both', '1.39.17', '1.43.9', false],
    ['after both', '1.31.0', '1.35.0', false],
    ['where nobody knows the engines', '', '', true],
    ['where nobody knows one of them', '1.39.17', '', true],
  ])('%s counts: %s to %s, %s', (_, a, b, counts) => {
    const known = knownChangesBetween(a, b)(about, 'tokens')
    expect(known?.since).toBe(counts ? '1.37' : undefined)
  })

  it('is none of what the wiki holds', () => {
    expect(knownChangesBetween('', '')({ ...about, axis: 'data' }, 'tokens')).toBeUndefined()
  })

  it('of a default is advised about where there was one', () => {
    const changed = { ...removed, kind: 'param.default-changed' } as Change
    expect(hintOf(changed, 'query+allpages')).toMatch(/^send the old default/)
    expect(hintOf({ ...changed, before: undefined }, 'query+allpages')).toBeUndefined()
  })
})
