/** What must hold for pages of several recordings to stand in one answer: whole, after the same writes, within all limits. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../src/cassette/interaction.ts'
import { bodyOf, fits } from '../../../src/playback/compose/composed-answer.ts'
import { isAlike, partHolds } from '../../../src/playback/compose/page-validity.ts'
import { reachAnswered, reachRecorded } from '../../../src/playback/session/answer-write-set.ts'
import { Session, type Write } from '../../../src/playback/session/session.ts'
import { derive } from '../../../src/request/derive.ts'
import { asRequestKey, type RequestKey } from '../../../src/request/request-key.ts'
import type { Reach } from '../../../src/wiki/effects/write-set.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'
import { interactionOf, jsonBody, response, treeOf } from '../../helpers/recorded.ts'

const facts = factsOfWiki('1.43')

describe('the body of a recording', () => {
  it('is the JSON that it always answered', () => {
    const answer = response(jsonBody('{"query":{}}'))
    expect(bodyOf(interactionOf({}, [answer]))).toEqual(treeOf('{"query":{}}'))
    expect(bodyOf(interactionOf({}, [answer, answer]))).toBeUndefined()
    expect(bodyOf(interactionOf({}, [response({ kind: 'text', text: '{}' })]))).toBeUndefined()
  })
})

describe('rows of several pages', () => {
  const page = (links: number, images = 0) =>
    treeOf(JSON.stringify({ title: 'A', images: Array(images).fill(0), categories: Array(links).fill(0) }))
  const within = (query: string, ...rows: readonly (readonly [number, number?])[]): boolean =>
    fits(
      rows.map(([links, images]) => page(links, images)),
      derive(apiRequest(`action=query&titles=A&${query}`), facts),
      facts,
    )

  it('fit where those of one kind are no more than the limit, sent or usual', () => {
    expect(within('prop=categories', [5], [5])).toBe(true)
    expect(within('prop=categories', [5], [6])).toBe(false)
    expect(within('prop=categories', [10], [0, 10])).toBe(true)
    expect(within('prop=categories&cllimit=12', [6], [6])).toBe(true)
    expect(within('prop=categories&cllimit=11', [6], [6])).toBe(false)
    expect(within('prop=categories|images&cllimit=20', [12])).toBe(false)
  })

  it('fit always where no module counts them, and never where one is not described', () => {
    expect(within('prop=info', [500])).toBe(true)
    expect(within('prop=revisions', [500])).toBe(true)
    expect(within('prop=mystery', [0])).toBe(false)
  })
})

describe('a page among others', () => {
  const keys = [1, 2, 3].map((number) => asRequestKey(String(number).padStart(12, '0')) ?? expect.fail())
  const [first, second, third] = keys as [RequestKey, RequestKey, RequestKey]
  const of = (title: string): Reach => ({
    ...({ kind: 'pages', talk: false, file: false } as const),
    ...{ titles: new Set([title]), ids: new Set<string>() },
  })
  const asked = derive(apiRequest('action=query&prop=info&titles=A'), facts).canonical
  const recordedAfter = (state: string): Interaction =>
    interactionOf({
      action: 'query',
      prop: 'info',
      titles: 'A|B',
      ...(state === '' ? {} : { 'after writes': state }),
    })
  const holds = (
    state: string,
    writes: readonly Write[],
    reaches: ReadonlyMap<RequestKey, Reach> = new Map(),
    request = asked,
  ): boolean => {
    const past = { writes, reachOf: (key: RequestKey) => reaches.get(key) }
    return partHolds(recordedAfter(state), request, 'titles', 'A', past, facts.site)
  }

  it('is as it was recorded where the same writes concern it, in whichever order they were made', () => {
    const [a, b] = [
      { key: first, reach: of('A') },
      { key: second, reach: of('B') },
    ]
    expect(holds('', [])).toBe(true)
    expect(holds('', [b])).toBe(true)
    expect(holds('', [a])).toBe(false)
    expect(holds(first, [a, b])).toBe(true)
    expect(holds(`${first} ${third}`, [{ key: third, reach: of('A') }, a])).toBe(true)
    expect(holds(`${first} ${third}`, [a])).toBe(false)
  })

  it('is so also after writes that only the cassette tells of', () => {
    expect(holds(second, [], new Map([[second, of('B')]]))).toBe(true)
    expect(holds(second, [], new Map([[second, of('A')]]))).toBe(false)
    // What a write did that nobody knows is not known.
    expect(holds(second, [])).toBe(false)
  })

  it('is so after writes too many to name only where they are the very same', () => {
    const many = '41 writes 0123456789ab'
    expect(holds(many, [])).toBe(false)
    expect(holds(many, [], new Map(), new Map([...asked, ['after writes', many]]))).toBe(true)
  })

  it('is asked for as it was recorded, but for the others and the writes before', () => {
    const base = { action: 'query', prop: 'info' }
    const map = (more: Readonly<Record<string, string>>) => new Map(Object.entries({ ...base, ...more }))
    expect(isAlike(map({ titles: 'A|B', 'after writes': 'x' }), map({ titles: 'A' }), 'titles')).toBe(true)
    expect(isAlike(map({ titles: 'A|B', inprop: 'url' }), map({ titles: 'A' }), 'titles')).toBe(false)
    expect(isAlike(map({}), map({ titles: 'A' }), 'titles')).toBe(false)
    expect(isAlike(map({ titles: 'A', pageids: '1' }), map({ titles: 'A' }), 'titles')).toBe(false)
  })
})

describe('what a write has changed', () => {
  const request = new Map([
    ['action', 'edit'],
    ['title', 'A'],
  ])
  const done = response(jsonBody('{"edit":{"result":"Success","pageid":7,"title":"A","newrevid":9}}'))
  const failed = response(jsonBody('{"error":{"code":"badtoken"}}'), {
    headers: new Map([['mediawiki-api-error', 'badtoken']]),
  })
  const recorded = (...responses: Parameters<typeof interactionOf>[1] & object): Interaction =>
    interactionOf(Object.fromEntries(request), responses)

  it('is told by its answer, unless it failed', () => {
    expect(reachAnswered(request, done, facts.site)).toMatchObject({ kind: 'pages', titles: new Set(['A']) })
    expect(reachAnswered(request, failed, facts.site)).toBeUndefined()
    expect(reachAnswered(request, { ...done, status: 400 }, facts.site)).toBeUndefined()
    const unchanged = response(jsonBody('{"edit":{"result":"Success","pageid":7,"title":"A","nochange":""}}'))
    expect(reachAnswered(request, unchanged, facts.site)).toBeUndefined()
  })

  it('is not told by a recording where it succeeded twice', () => {
    expect(reachRecorded(recorded(failed, done), facts.site)).toMatchObject({ kind: 'pages' })
    expect(reachRecorded(recorded(done, done), facts.site)).toBeUndefined()
    expect(reachRecorded(recorded(failed), facts.site)).toBeUndefined()
  })
})

describe('the answers that a session had', () => {
  const [spelled, other, recording] = ['1', '2', '3'].map(
    (digit) => asRequestKey(digit.repeat(12)) ?? expect.fail(),
  ) as [RequestKey, RequestKey, RequestKey]

  it('are counted, those that follow each other as one', () => {
    const session = new Session('mine')
    expect(session.turn(spelled)).toBe(0)
    for (const turn of [0, 1]) session.advance(spelled, { key: recording, turn, reprojected: false })
    session.advance(spelled, { key: recording, turn: 2, reprojected: true })
    session.advance(spelled, { key: recording, turn: 3, reprojected: true })
    session.advance(spelled, { key: recording, turn: 5, reprojected: true })
    session.advance(spelled, { key: other, turn: 6, reprojected: true })
    expect(session.turn(spelled)).toBe(6)
    expect(session.had(spelled)).toEqual([
      { key: recording, turn: 0, reprojected: false, count: 2 },
      { key: recording, turn: 2, reprojected: true, count: 2 },
      { key: recording, turn: 5, reprojected: true, count: 1 },
      { key: other, turn: 6, reprojected: true, count: 1 },
    ])
    expect(session.turn(other)).toBe(0)
  })

  it('are those of a request spelled otherwise, where there were none to this one', () => {
    const session = new Session(undefined)
    session.advance(spelled, { key: recording, turn: 0, reprojected: false })
    session.inherit(other, spelled)
    expect(session.turn(other)).toBe(1)
    session.advance(spelled, { key: recording, turn: 1, reprojected: false })
    session.inherit(other, spelled)
    expect(session.turn(other)).toBe(1)
  })

  it('are of one that has written nothing until it does', () => {
    const session = new Session(undefined)
    expect(session.pristine).toBe(true)
    session.wrote({ key: recording, reach: { kind: 'everything', because: 'it is new' } })
    expect(session.pristine).toBe(false)
    expect(session.writes).toHaveLength(1)
  })
})
