import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  missReason,
  nearestRecordings
} from '../../../../src/recorder/playback/lookup/near-miss.ts'
import { interactionOf } from '../../../helpers/recorded.ts'

const recordings = [
  { action: 'query', list: 'allpages', apfrom: 'Б' },
  { action: 'query', list: 'allpages', apfrom: 'Волга' },
  { action: 'query', list: 'allpages', apfrom: 'Волга', aplimit: '5' },
  { action: 'query', list: 'allimages' },
  { action: 'parse', page: 'Волга' }
].map((request) => interactionOf(request))

const near = (request: Readonly<Record<string, string>>, count = 3) =>
  nearestRecordings(new Map(Object.entries(request)), new Map(), recordings, count)
const asked = { action: 'query', list: 'allpages', apfrom: 'Волк' }

describe('the nearest recordings', () => {
  it('differ in the fewest parameters, and then in the fewest letters', () => {
    expect(
      near(asked, 5).map(({ key }) => recordings.findIndex((one) => one.key === key))
    ).toEqual([1, 0, 2, 3, 4])
  })

  it('say what was recorded and what was asked, parameter by parameter', () => {
    expect(near(asked)[0]?.differences).toEqual([
      { param: 'apfrom', recorded: 'Волга', got: 'Волк' }
    ])
    expect(
      near({ action: 'query', list: 'allpages', apfrom: 'Волга', apdir: 'descending' })[0]
        ?.differences
    ).toEqual([{ param: 'apdir', recorded: undefined, got: 'descending' }])
    expect(
      near({ action: 'query', list: 'allimages', rand: '' })[0]?.differences
    ).toEqual([{ param: 'rand', recorded: undefined, got: '' }])
  })

  it('of an address say in which parameter of its query it differs', () => {
    const searches = ['a?limit=5&q=x', 'a?limit=5&q=y', 'b'].map((one) =>
      interactionOf({ 'plain target': `/w/rest.php/v1/${one}` })
    )
    const request = new Map([['plain target', '/w/rest.php/v1/a?limit=6&q=x']])
    const [first, , last] = nearestRecordings(request, new Map(), searches, 3)
    expect(first?.differences).toEqual([{ param: 'limit', recorded: '5', got: '6' }])
    expect(last?.differences.map(({ param }) => param)).toEqual([
      'limit',
      'plain target',
      'q'
    ])
  })

  it('are of the very request at another time or of another caller rather than of one much alike', () => {
    const request = {
      action: 'query',
      prop: 'info',
      titles: 'Волга|Лев',
      'as user': 'user:Bob'
    }
    const others = [
      { ...request, titles: 'Волга|Лев!' },
      { ...request, 'after writes': '000000000001 000000000002', 'as user': 'user:Eve' }
    ].map((one) => interactionOf(one))
    const found = nearestRecordings(
      new Map(Object.entries(request)),
      new Map(),
      others,
      2
    )
    expect(found.map(({ key }) => key)).toEqual([others[1]?.key, others[0]?.key])
    expect(missReason(found, 2)).toBe('identity-differs')
  })

  it('are of one parameter that has nothing in common rather than of two that are much alike', () => {
    const request = { action: 'parse', a: 'x'.repeat(100), b: 'abcdef' }
    const others = [
      { ...request, a: `${request.a}!`, b: 'abcdeg' },
      { ...request, a: 'y'.repeat(100) }
    ].map((one) => interactionOf(one))
    const found = nearestRecordings(
      new Map(Object.entries(request)),
      new Map(),
      others,
      2
    )
    expect(found.map(({ key }) => key)).toEqual([others[1]?.key, others[0]?.key])
  })

  it('are of the time that shares the most writes', () => {
    const [a, b, c, d] = ['1', '2', '3', '4'].map((digit) => digit.repeat(12))
    const writing = (...writes: readonly (string | undefined)[]) => ({
      action: 'query',
      'after writes': writes.join(' ')
    })
    const others = [writing(d), writing(a), writing(a, b)].map((one) =>
      interactionOf(one)
    )
    const found = nearestRecordings(
      new Map(Object.entries(writing(a, b, c))),
      new Map(),
      others,
      3
    )
    expect(found.map(({ key }) => others.findIndex((one) => one.key === key))).toEqual([
      2, 1, 0
    ])
    expect(missReason(found, 3)).toBe('state-differs')
  })

  it('are as many as asked for, or as there are', () => {
    expect(
      [near(asked, 0), near(asked, 2), near(asked, 99)].map(({ length }) => length)
    ).toEqual([0, 2, 5])
    expect(nearestRecordings(new Map(), new Map(), [], 3)).toEqual([])
  })
})

describe('the order of the nearest recordings', () => {
  it('say which order was recorded where nothing else differs', () => {
    const request = { action: 'query', titles: 'А|Б' }
    const recorded = interactionOf(request, undefined, { titles: 'Б|А' })
    const found = nearestRecordings(
      new Map(Object.entries(request)),
      new Map(),
      [recorded],
      1
    )
    expect(found[0]?.differences).toEqual([
      { param: 'titles', recorded: 'Б|А', got: 'А|Б' }
    ])
  })

  it('come in the order given where they are equally near', () => {
    const twins = ['Б', 'В', 'Г'].map((apfrom) =>
      interactionOf({ action: 'query', apfrom })
    )
    expect(
      nearestRecordings(
        new Map([
          ['action', 'query'],
          ['apfrom', 'А']
        ]),
        new Map(),
        twins,
        3
      ).map(({ key }) => key)
    ).toEqual(twins.map(({ key }) => key))
  })

  it('are found among values of a megabyte', () => {
    const big = Array.from({ length: 20 }, (_, at) =>
      interactionOf({ action: 'parse', text: `${at}${'Ы'.repeat(500_000)}` })
    )
    const found = nearestRecordings(
      new Map([
        ['action', 'parse'],
        ['text', `7${'Ъ'.repeat(500_000)}`]
      ]),
      new Map(),
      big,
      3
    )
    expect(found).toHaveLength(3)
    expect(found[0]?.differences[0]?.param).toBe('text')
  })

  it('never rank a recording behind one that differs in more parameters', () => {
    const request = fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.string({ maxLength: 4 }))
      .map((one) => ({ ...one }))
    fc.assert(
      fc.property(request, fc.array(request, { maxLength: 6 }), (got, all) => {
        const found = nearestRecordings(
          new Map(Object.entries(got)),
          new Map(),
          all.map((one) => interactionOf(one)),
          10
        )
        const counts = found.map(({ differences }) => differences.length)
        expect(
          counts.every((count, at) => at === 0 || (counts[at - 1] ?? 0) <= count * 2)
        ).toBe(true)
        for (const { differences } of found)
          for (const { recorded, got: now } of differences) expect(recorded).not.toBe(now)
      })
    )
  })
})

describe('the reason of a miss', () => {
  it.each([
    [[], 0, 'empty-cassette'],
    [[], 5, 'no-module'],
    [[{ param: 'as user', recorded: 'user:Bob', got: undefined }], 5, 'identity-differs'],
    [[{ param: 'apfrom', recorded: 'А', got: 'Б' }], 5, 'param-differs'],
    [
      [
        { param: 'as user', recorded: 'a', got: 'b' },
        { param: 'x', recorded: 'a', got: 'b' }
      ],
      5,
      'param-differs'
    ]
  ] as const)('%j among %i recordings is %s', (differences, recordingCount, reason) => {
    const key = interactionOf({}).key
    expect(
      missReason(differences.length === 0 ? [] : [{ key, differences }], recordingCount)
    ).toBe(reason)
  })
})
