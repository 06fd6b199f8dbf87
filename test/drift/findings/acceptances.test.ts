/** An acceptance accepts what was seen: a change that goes further comes back, and says from what to what. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import {
  acceptanceFor,
  acceptanceForCause
} from '../../../src/drift/findings/acceptances.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import type { Acceptance } from '../../../src/drift/findings/finding.ts'
import { side } from '../sides.ts'

const users = 'action=query&list=users&ususers=Bob'
const siteinfo = 'action=query&meta=siteinfo'
type Answers = Readonly<Record<string, unknown>>
const user = (more: object): Answers => ({
  [users]: { query: { users: [{ name: 'Bob', ...more }] } }
})

const compare = (
  a: Answers,
  b: Answers,
  acceptances: readonly Acceptance[] = []
): DriftReport =>
  compareCassettes(side('a', a), side('b', b), { acceptances, today: '2026-01-01' })
const acceptAll = (a: Answers, b: Answers): readonly Acceptance[] =>
  compare(a, b).findings.map((one) => acceptanceFor(one, 'fine'))
const acceptCauses = (a: Answers, b: Answers): readonly Acceptance[] =>
  compare(a, b).causes.map((one) => acceptanceForCause(one, 'fine'))

const open = ({ findings }: DriftReport): readonly string[] =>
  findings.flatMap(({ accepted, kind, extent }) =>
    accepted === undefined ? [`${kind} ${extent}`] : []
  )

describe.each([
  ['finding by finding', acceptAll],
  ['cause by cause', acceptCauses]
])('accepted %s', (_, accept) => {
  it.each<readonly [string, Answers, Answers, Answers, readonly string[]]>([
    [
      'a type',
      user({ id: 5 }),
      user({ id: '5' }),
      user({ id: [5] }),
      ['type.changed number → array']
    ],
    [
      'a type, then null',
      user({ id: 5 }),
      user({ id: '5' }),
      user({ id: null }),
      ['field.nullable number → null']
    ],
    [
      'rights lost',
      user({ rights: ['a', 'b', 'c'] }),
      user({ rights: ['b', 'c'] }),
      user({ rights: ['c'] }),
      ['enum.value-removed a, b']
    ],
    [
      'a setting',
      { [siteinfo]: { query: { general: { case: 'first-letter' } } } },
      { [siteinfo]: { query: { general: { case: 'case-sensitive' } } } },
      { [siteinfo]: { query: { general: { case: 'none' } } } },
      ['value.changed first-letter → none']
    ],
    [
      'a new field',
      user({}),
      user({ fresh: 'words' }),
      user({ fresh: ['words'] }),
      ['field.added → array']
    ],
    [
      'another name',
      user({ first: 'unusual value' }),
      user({ second: 'unusual value' }),
      user({ third: 'unusual value' }),
      ['field.renamed first → third']
    ],
    [
      'an error code',
      { [users]: { error: { code: 'a', info: 'x' } } },
      { [users]: { error: { code: 'b', info: 'x' } } },
      { [users]: { error: { code: 'c', info: 'x' } } },
      ['error.code-changed a → c']
    ]
  ])('%s', (_, before, after, further, told) => {
    const acceptances = accept(before, after)
    expect(open(compare(before, after, acceptances))).toEqual([])
    const report = compare(before, further, acceptances)
    expect(open(report)).toEqual(told)
    expect(report.unknownAcceptances).toEqual([])
    expect(report.remarks.map(({ kind }) => kind)).toContain('acceptance-outgrown')
  })

  it('more places of the same change pass where a cause was accepted, not where a finding was', () => {
    const [one, other, third] = [1, 2, 3].map(
      (at) => `action=query&list=users${at}&titles=x`
    )
    const answers = (id: unknown, ...queries: readonly (string | undefined)[]): Answers =>
      Object.fromEntries(
        queries.map((query) => [query, { query: { users: [{ name: 'Bob', id }] } }])
      )
    const acceptances = accept(answers(5, one, other), answers('5', one, other))
    const report = compare(
      answers(5, one, other, third),
      answers('5', one, other, third),
      acceptances
    )
    expect(open(report)).toHaveLength(accept === acceptCauses ? 0 : 1)
    expect(open(compare(answers(5, one), answers('5', one), acceptances))).toEqual([])
  })
})

describe('the remark', () => {
  it('says what was accepted, and what it is now', () => {
    const [before, after, further] = [5, '5', [5]].map((id) => user({ id }))
    if (!before || !after || !further) throw new Error('three states')
    const acceptances = acceptAll(before, after)
    const texts = compare(before, further, acceptances).remarks.map(({ text }) => text)
    expect(texts).toContainEqual(
      expect.stringMatching(
        /^the change went further than acceptance [0-9a-f]{12}: accepted: type\.changed .* query\.users\[\*\]\.id: number → string; now: .*id: number → array$/
      )
    )
  })

  it('is not made of another change at the place of one that stayed', () => {
    const before = user({ rights: ['a', 'b'] })
    const after = user({ rights: ['b'] })
    const report = compare(before, user({ rights: ['b', 'c'] }), acceptAll(before, after))
    expect(open(report)).toEqual(['enum.value-added c'])
    expect(report.remarks.filter(({ kind }) => kind === 'acceptance-outgrown')).toEqual(
      []
    )
  })
})

it('content may move under an acceptance: many values at one place count by their types', () => {
  const page = (anchors: readonly string[]): Answers => ({
    'action=parse&page=A': {
      parse: {
        title: 'A',
        sections: anchors.map((anchor, at) => ({ index: `${at}`, anchor }))
      }
    }
  })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const coded = (all: readonly string[]): readonly string[] =>
    all.map((one) => `.${one.charCodeAt(0)}`)
  const acceptances = acceptAll(page(coded(names.slice(0, 5))), page(names.slice(0, 5)))
  expect(open(compare(page(coded(names)), page(names), acceptances))).toEqual([])
})

describe('an entry that matches nothing', () => {
  const stale: Acceptance = {
    fingerprint: '0123456789ab' as Acceptance['fingerprint'],
    reason: 'gone',
    expires: undefined,
    about: 'x'
  }
  const other = { ...stale, wiki: 'http://elsewhere.example/w/api.php' }

  it.each([
    ['of this wiki', { ...stale, wiki: 'http://127.0.0.1:8080/w/api.php' }, 1],
    ['of a wiki that no one wrote down', stale, 1],
    ['of another wiki', other, 0]
  ])('%s', (_, entry, count) => {
    expect(compare(user({}), user({}), [entry]).unknownAcceptances).toHaveLength(count)
  })
})
