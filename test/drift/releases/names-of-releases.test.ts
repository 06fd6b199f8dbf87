/** Which release a change of a description is put down to: the one that made it, and none for what only looks alike. */
import { describe, expect, it } from 'vitest'
import { familyOf, type Kind, kinds } from '../../../src/drift/changes/kinds.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { dataFile } from '../../../src/recorder/knowledge/data-file.ts'
import { side } from '../sides.ts'

type Param = Readonly<Record<string, unknown>>

/** `kind place: release` of each finding between a 1.25 and a 1.43 that describe one module so. */
function named(
  path: string,
  before: readonly Param[],
  after: readonly Param[],
  prefixes = ['', '']
): readonly string[] {
  const sideOf = (engine: string, parameters: readonly Param[], prefix = '') =>
    side(
      engine,
      {},
      { manifest: { engine }, modules: new Map([[path, { path, prefix, parameters }]]) }
    )
  const { findings } = compareCassettes(
    sideOf('1.25.4', before, prefixes[0]),
    sideOf('1.43.9', after, prefixes[1])
  )
  return findings
    .filter(({ kind }) => kind !== 'engine.changed')
    .map(
      ({ kind, place, knownChange }) =>
        `${kind} ${place}: ${knownChange?.what ?? 'no release'}`
    )
}

describe('a change of a description', () => {
  it.each([
    [
      'checktoken',
      'type',
      ['csrf'],
      ['csrf', 'createaccount', 'login', 'tokens', 'logout', 'purge', 'move']
    ],
    ['parse', 'contentmodel', ['wikitext'], ['wikitext', 'unknown']],
    [
      'compare',
      'fromcontentformat-{slot}',
      ['text/x-wiki'],
      ['text/x-wiki', 'unknown/unknown']
    ],
    ['query+logevents', 'type', ['delete'], ['delete', 'contentmodel']]
  ])(
    'of %s %s is of no release that has another module or another change',
    (path, name, before, after) => {
      const [found] = named(path, [{ name, type: before }], [{ name, type: after }])
      expect(found).toMatch(/^param\.value-added .*: no release$/)
    }
  )

  it.each([
    ['compare', 'slots', 'compare takes its texts by slot'],
    ['compare', 'fromtext-{slot}', 'compare takes its texts by slot'],
    ['query+revisions', 'rvslots', 'revisions are asked for by slot']
  ])('of %s %s is of 1.32', (path, name, what) => {
    expect(named(path, [], [{ name }])).toEqual([expect.stringMatching(`: ${what}$`)])
  })

  it('calls parameters of a module by the prefix of the wiki that has them', () => {
    const before = [{ name: 'name' }, { name: 'token' }]
    const after = [{ name: 'token', required: true }, { name: 'returnurl' }]
    const what = 'createaccount works through AuthManager'
    expect(named('createaccount', before, after, ['', 'create'])).toEqual(
      [
        'param.added createreturnurl',
        'module.prefix-changed ',
        'param.removed name',
        'param.required createtoken'
      ].map((one) => `${one}: ${what}`)
    )
  })
})

const {
  changes,
  advice,
  kinds: shortNames
} = dataFile('known-changes') as {
  readonly kinds: Readonly<Record<string, string>>
  readonly changes: readonly { readonly kinds: string }[]
  readonly advice: readonly { readonly kinds: string }[]
}

const known: ReadonlySet<string> = new Set(
  Object.keys(kinds).flatMap((kind) => [kind, `${familyOf(kind as Kind)}.*`])
)

it.each([...changes, ...advice])('$kinds: there are such kinds', ({ kinds: words }) => {
  const named = (shortNames[words] ?? words).split(' ')
  expect(named.filter((one) => !known.has(one))).toEqual([])
})
