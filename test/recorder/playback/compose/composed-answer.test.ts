/** What must hold for pages of several recordings to stand in one answer: whole, after the same writes, within all limits. */
import { describe, expect, it } from 'vitest'
import type { Interaction } from '../../../../src/recorder/cassette/interaction.ts'
import { singleAnswerOf } from '../../../../src/recorder/paging/reading/batch.ts'
import {
  fitsLimits,
  onlyPagesDiffer
} from '../../../../src/recorder/playback/compose/composed-answer.ts'
import { isPageCurrent } from '../../../../src/recorder/playback/compose/page-validity.ts'
import {
  Session,
  writeSetOfAnswer,
  writeSetOfInteraction
} from '../../../../src/recorder/playback/session/session.ts'
import type { SessionWrite } from '../../../../src/recorder/playback/session/write-log.ts'
import { derive, type WikiFacts } from '../../../../src/recorder/request/derive.ts'
import {
  parseRequestKey,
  type RequestKey
} from '../../../../src/recorder/request/request-key.ts'
import type { WriteSet } from '../../../../src/recorder/wiki/effects/write-set.ts'
import { bundledLookup } from '../../../../src/recorder/wiki/modules/module-descriptions.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { interactionOf, jsonBody, response, treeOf } from '../../../helpers/recorded.ts'

const facts: WikiFacts = {
  ...factsOfWiki('1.43'),
  lookup: bundledLookup('MediaWiki 1.43.9')
}

describe('the body of a recording', () => {
  it('is the JSON that it always answered', () => {
    const answer = response(jsonBody('{"query":{}}'))
    expect(singleAnswerOf(interactionOf({}, [answer]))).toEqual(treeOf('{"query":{}}'))
    expect(singleAnswerOf(interactionOf({}, [answer, answer]))).toBeUndefined()
    expect(
      singleAnswerOf(interactionOf({}, [response({ kind: 'text', text: '{}' })]))
    ).toBeUndefined()
  })
})

describe('rows of several pages', () => {
  const page = (links: number, images = 0) =>
    treeOf(
      JSON.stringify({
        title: 'A',
        images: Array(images).fill(0),
        categories: Array(links).fill(0)
      })
    )
  const within = (
    query: string,
    ...rows: readonly (readonly [number, number?])[]
  ): boolean =>
    fitsLimits(
      rows.map(([links, images]) => page(links, images)),
      [],
      derive(apiRequest(`action=query&titles=A&${query}`), facts),
      facts
    )

  it('fit a limit that the module does not describe: ten deleted revisions', () => {
    const deleted = (count: number) =>
      treeOf(JSON.stringify({ title: 'A', deletedrevisions: Array(count).fill(0) }))
    const fits = (...counts: readonly number[]): boolean =>
      fitsLimits(
        counts.map(deleted),
        [],
        derive(apiRequest('action=query&titles=A&prop=deletedrevisions'), facts),
        facts
      )
    expect(fits(4, 6)).toBe(true)
    expect(fits(5, 6)).toBe(false)
  })

  it('fit where those of one kind are no more than the limit, sent or usual', () => {
    expect(within('prop=categories', [5], [5])).toBe(true)
    expect(within('prop=categories', [5], [6])).toBe(false)
    expect(within('prop=categories', [10], [0, 10])).toBe(true)
    expect(within('prop=categories&cllimit=12', [6], [6])).toBe(true)
    expect(within('prop=categories&cllimit=11', [6], [6])).toBe(false)
    expect(within('prop=categories|images&cllimit=20', [12])).toBe(true)
    expect(within('prop=categories|images&cllimit=20', [12, 11])).toBe(false)
  })

  it('fit always where no module counts them, and never where one is not described', () => {
    expect(within('prop=info', [500])).toBe(true)
    expect(within('prop=revisions', [500])).toBe(true)
    expect(within('prop=mystery', [0])).toBe(false)
  })

  it('count where they are members of an object, and only for the module that wrote them', () => {
    const assessed = treeOf(
      '{"title":"A","pageassessments":{"X":{"class":"","importance":""},"Y":{}},"pageprops":{"a":"","b":""}}'
    )
    const fits = (query: string, count: number): boolean =>
      fitsLimits(
        Array(count).fill(assessed),
        [],
        derive(apiRequest(`action=query&titles=A&${query}`), facts),
        facts
      )
    expect(fits('prop=categories|mystery', 1)).toBe(false)
    expect(fits('prop=categories|pageprops|links&cllimit=1', 1)).toBe(false)
    expect(fits('prop=categories|pageprops|info&cllimit=1', 1)).toBe(true)
  })

  it('fit within the tests of rights that one answer has room for', () => {
    const fits = (tests: number, count: number): boolean => {
      const names = Array.from({ length: tests }, (_, at) => `right${at}`).join('|')
      const query = `action=query&titles=A&prop=info&intestactions=${names}`
      return fitsLimits(
        Array(count).fill(page(0)),
        [],
        derive(apiRequest(query), facts),
        facts
      )
    }
    expect([fits(6, 9), fits(6, 10), fits(50, 2), fits(49, 2)]).toEqual([
      true,
      false,
      false,
      true
    ])
  })

  it('fit within the size of an answer, which one that was cut tells', () => {
    const cut = interactionOf({}, [
      response(
        jsonBody('{"warnings":{"result":{"*":"larger than the limit of 1,000 bytes"}}}')
      )
    ])
    const long = treeOf(JSON.stringify({ title: 'A', text: 'x'.repeat(600) }))
    const asked = derive(apiRequest('action=query&titles=A&prop=info'), facts)
    expect(fitsLimits([long, long], [], asked, facts)).toBe(true)
    expect(fitsLimits([long, long], [cut], asked, facts)).toBe(false)
    expect(fitsLimits([long], [cut], asked, facts)).toBe(true)
  })

  it('may be none, and yet the limit count the pages', () => {
    expect(within('prop=pageimages&pilimit=2', [0], [0])).toBe(true)
    expect(within('prop=pageimages&pilimit=1', [0], [0])).toBe(false)
    expect(within('prop=extracts&exintro=&exlimit=2', [0], [0])).toBe(true)
    expect(within('prop=extracts&exintro=&exlimit=1', [0], [0])).toBe(false)
    expect(within('prop=extracts', [0])).toBe(true)
    expect(within('prop=extracts', [0], [0])).toBe(false)
  })
})

describe('a page among others', () => {
  const keys = [1, 2, 3].map(
    (number) => parseRequestKey(String(number).padStart(12, '0')) ?? expect.fail()
  )
  const [first, second, third] = keys as [RequestKey, RequestKey, RequestKey]
  const of = (title: string): WriteSet => ({
    ...({ kind: 'pages' } as const),

    titles: new Set([title]),
    ids: new Set<string>()
  })
  const asked = derive(
    apiRequest('action=query&prop=revisions&titles=A'),
    facts
  ).canonical
  const recordedAfter = (state: string): Interaction =>
    interactionOf({
      action: 'query',
      prop: 'info',
      titles: 'A|B',
      ...(state === '' ? {} : { 'after writes': state })
    })
  const holds = (
    state: string,
    writes: readonly SessionWrite[],
    reaches: ReadonlyMap<RequestKey, WriteSet> = new Map(),
    request = asked
  ): boolean => {
    const past = {
      writes,
      writeSetOf: (key: RequestKey) => reaches.get(key),
      isOlder: false
    }
    return isPageCurrent(
      { from: recordedAfter(state), requested: request, by: 'titles', page: 'A' },
      past,
      facts.site
    )
  }

  it('is as it was recorded where the same writes concern it, in the same order', () => {
    const a = { key: first, writeSet: of('A') }
    const b = { key: second, writeSet: of('B') }
    expect(holds('', [])).toBe(true)
    expect(holds('', [b])).toBe(true)
    expect(holds('', [a])).toBe(false)
    expect(holds(first, [a, b])).toBe(true)
    expect(holds(`${first} ${third}`, [a, { key: third, writeSet: of('A') }])).toBe(true)
    expect(holds(`${first} ${third}`, [{ key: third, writeSet: of('A') }, a])).toBe(false)
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
    expect(holds(many, [], new Map(), new Map([...asked, ['after writes', many]]))).toBe(
      true
    )
  })

  it('is asked for as it was recorded, but for the others and the writes before', () => {
    const base = { action: 'query', prop: 'info' }
    const map = (more: Readonly<Record<string, string>>) =>
      new Map(Object.entries({ ...base, ...more }))
    expect(
      onlyPagesDiffer(
        map({ titles: 'A|B', 'after writes': 'x' }),
        map({ titles: 'A' }),
        'titles'
      )
    ).toBe(true)
    expect(
      onlyPagesDiffer(
        map({ titles: 'A|B', inprop: 'url' }),
        map({ titles: 'A' }),
        'titles'
      )
    ).toBe(false)
    expect(onlyPagesDiffer(map({}), map({ titles: 'A' }), 'titles')).toBe(false)
    expect(
      onlyPagesDiffer(map({ titles: 'A', pageids: '1' }), map({ titles: 'A' }), 'titles')
    ).toBe(false)
  })
})

describe('what a write has changed', () => {
  const request = new Map([
    ['action', 'edit'],
    ['title', 'A']
  ])
  const done = response(
    jsonBody('{"edit":{"result":"Success","pageid":7,"title":"A","newrevid":9}}')
  )
  const failed = response(jsonBody('{"error":{"code":"badtoken"}}'), {
    headers: new Map([['mediawiki-api-error', 'badtoken']])
  })
  const recorded = (
    ...responses: Parameters<typeof interactionOf>[1] & object
  ): Interaction => interactionOf(Object.fromEntries(request), responses)

  it('is told by its answer, unless it failed', () => {
    expect(writeSetOfAnswer(request, done, facts.site)).toMatchObject({
      kind: 'pages',
      titles: new Set(['A'])
    })
    expect(writeSetOfAnswer(request, failed, facts.site)).toBeUndefined()
    // Refused later, it may have left a trace.
    const filtered = {
      ...failed,
      headers: new Map([['mediawiki-api-error', 'abusefilter-disallowed']])
    }
    expect(writeSetOfAnswer(request, filtered, facts.site)).toBeDefined()
    const unchanged = response(
      jsonBody('{"edit":{"result":"Success","pageid":7,"title":"A","nochange":""}}')
    )
    expect(writeSetOfAnswer(request, unchanged, facts.site)).toBeDefined()
  })

  it('is not told by a recording where it succeeded twice', () => {
    expect(writeSetOfInteraction(recorded(failed, done), facts.site)).toMatchObject({
      kind: 'pages'
    })
    expect(writeSetOfInteraction(recorded(done, done), facts.site)).toBeUndefined()
    expect(writeSetOfInteraction(recorded(failed), facts.site)).toBeUndefined()
  })
})

describe('the answers that a session had', () => {
  const [spelled, other, recording] = ['1', '2', '3'].map(
    (digit) => parseRequestKey(digit.repeat(12)) ?? expect.fail()
  ) as [RequestKey, RequestKey, RequestKey]

  it('are counted, those that follow each other as one', () => {
    const session = new Session('mine')
    expect(session.position(spelled)).toBe(0)
    for (const turn of [0, 1])
      session.advance(spelled, { key: recording, position: turn, reordered: false })
    session.advance(spelled, { key: recording, position: 2, reordered: true })
    session.advance(spelled, { key: recording, position: 3, reordered: true })
    session.advance(spelled, { key: recording, position: 5, reordered: true })
    session.advance(spelled, { key: other, position: 6, reordered: true })
    expect(session.position(spelled)).toBe(6)
    expect(session.history(spelled)).toEqual([
      { key: recording, position: 0, reordered: false, count: 2 },
      { key: recording, position: 2, reordered: true, count: 2 },
      { key: recording, position: 5, reordered: true, count: 1 },
      { key: other, position: 6, reordered: true, count: 1 }
    ])
    expect(session.position(other)).toBe(0)
  })

  it('are those of a request spelled otherwise, where there were none to this one', () => {
    const session = new Session(undefined)
    session.advance(spelled, { key: recording, position: 0, reordered: false })
    session.inherit(other, spelled)
    expect(session.position(other)).toBe(1)
    session.advance(spelled, { key: recording, position: 1, reordered: false })
    session.inherit(other, spelled)
    expect(session.position(other)).toBe(1)
  })

  it('are of one that has written nothing until it does', () => {
    const session = new Session(undefined)
    expect(session.writes).toEqual([])
    session.addWrite({
      key: recording,
      writeSet: { kind: 'everything', reason: 'it is new' }
    })
    expect(session.writes).toHaveLength(1)
  })
})
