/** Each finding of the mutating wiki, accepted, and then changed further by one type or one value: it comes back. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { acceptanceFor } from '../../../src/drift/findings/acceptances.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { sampled } from '../../helpers/scale.ts'
import {
  isList,
  isRecord,
  type Json,
  type Mutation,
  reportOf
} from '../content/mutating-wiki.ts'
import { type MutationCase, mutationCases } from '../content/mutation-cases.ts'
import { side } from '../sides.ts'

const isLeaf = (value: Json): boolean =>
  !isRecord(value) && !(isList(value) && value.some(isRecord))

/** The mutated answer, with each value that the mutation changed, or added, changed further. */
function further(
  before: Json | undefined,
  after: Json,
  change: (value: Json) => Json
): Json {
  if (isLeaf(after))
    return JSON.stringify(before) === JSON.stringify(after) ? after : change(after)
  if (isList(after))
    return after.map((one, at) =>
      further(isList(before) ? before[at] : undefined, one, change)
    )
  if (!isRecord(after)) return after
  const old = isRecord(before) ? before : {}
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      further(old[name], value, change)
    ])
  )
}

const otherType = (value: Json): Json => ({ further: value })
const otherValue = (value: Json): Json => {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value}-further`
  return isList(value) ? value.slice(1) : value
}

const acceptEach = ({ findings }: DriftReport): ReturnType<typeof acceptanceFor>[] =>
  findings.map((one) => acceptanceFor(one, 'fine'))
const open = ({ findings }: DriftReport): readonly string[] =>
  findings.flatMap(({ accepted, axis, kind, place }) =>
    accepted === undefined && axis !== 'data' ? [`${kind} ${place}`] : []
  )

function openAfter(
  { change }: MutationCase,
  step: (value: Json) => Json
): readonly string[] | undefined {
  const { answer, ...rest } = typeof change === 'function' ? { answer: change } : change
  if (answer === undefined) return undefined
  let isChanged = false
  const step2 = (value: Json): Json => {
    const after = step(value)
    isChanged ||= JSON.stringify(after) !== JSON.stringify(value)
    return after
  }
  const more: Mutation = (one, request) => further(one, answer(one, request), step2)
  const acceptances = acceptEach(reportOf(change, 'other'))
  expect(open(reportOf(change, 'other', { acceptances }))).toEqual([])
  const report = reportOf({ ...rest, answer: more }, 'other', { acceptances })
  return isChanged ? open(report) : undefined
}

/** Kinds whose values are not content. */
const ofValues = /value\.changed|enum\.|error\.code/
/** Mutations that take something away, or change a text for people, change no value further; within other types nothing is compared. */
const takesAway =
  /gone$|lost in each batch$|reversed$|another order$|last one$|lowered$|warning|ended$|parameters renamed$|^(?:no )?continuation|each answer$/

describe('each finding, accepted, comes back', () => {
  const ofTypes = mutationCases.filter(({ name }) => !takesAway.test(name))
  it.each(sampled(ofTypes, 3))('$name, then another type', (one) => {
    expect(openAfter(one, otherType)).not.toEqual([])
  })

  const ofValue = mutationCases.filter(({ told }) => ofValues.test(told))
  it.each(sampled(ofValue, 3))('$name, then another value', (one) => {
    expect(openAfter(one, otherValue)).not.toEqual([])
  })
})

describe('markup, accepted', () => {
  const parsed = (page: string): string => `action=parse&page=${page}&prop=text`
  const wiki = (
    engine: string,
    markup: (own: string) => string,
    own: readonly string[]
  ): CassetteSide =>
    side(
      'x',
      Object.fromEntries(
        ['Волга', 'Ока'].map((page, at) => [
          parsed(page),
          { parse: { title: page, revid: 5, text: markup(own[at] ?? '') } }
        ])
      ),
      { manifest: { engine } }
    )
  const older = wiki('1.39.17', (own) => `<p>${own}</p>`, ['a', 'b'])
  const plain = (own: string): string => `<section>${own}</section>`
  const acceptances = acceptEach(
    compareCassettes(older, wiki('1.43.9', plain, ['a', 'b']))
  )

  it('stays accepted where people bring tags of their own', () => {
    expect(acceptances).not.toEqual([])
    const later = wiki('1.43.9', plain, ['<i>a</i>', '<div class="x">b</div>'])
    expect(open(compareCassettes(older, later, { acceptances }))).toEqual([])
  })

  it('comes back where a release changes media too', () => {
    const media = (own: string): string =>
      `${plain(own)}<figure typeof="mw:File"></figure>`
    const later = wiki('1.43.9', media, ['a', 'b'])
    expect(open(compareCassettes(older, later, { acceptances }))).toEqual([
      'html.structure parse.text'
    ])
  })
})
