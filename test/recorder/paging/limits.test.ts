/** Limits that are no plain number within everybody's bounds: none, `max`, beyond the maximum, a bot's. */
import { describe, expect, it, test } from 'vitest'
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import {
  type JsonMember,
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  membersOf
} from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import {
  type ListingRequest,
  readListingRequest
} from '../../../src/recorder/paging/reading/listing-request.ts'
import type { Synthesis } from '../../../src/recorder/paging/synthesis.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import { withLimit } from '../../../src/recorder/paging/writing/follow-up.ts'
import { deriveQuery, lettersWiki, recordedAs, facts as untrusting } from './fake-wiki.ts'

/** The model goes on as the real list of that name does. */
const { trust: _, ...facts } = untrusting
const wiki = lettersWiki()
const sent = (limit: string): string => wiki.partAt(0, limit, 'continue')

/** That answer, as a wiki from 1.35 on warns of a limit in it. */
function warned(answer: JsonTree, limit: string): JsonTree {
  const text = `The value "${limit}" for parameter "aplimit" must be between 1 and 500.`
  const warnings = jsonObject([['allpages', jsonObject([['*', jsonString(text)]])]])
  const members = membersOf(answer)
  const at = members.findIndex(({ key }) => key === 'query')
  return {
    kind: 'object',
    members: members.toSpliced(at, 0, { key: 'warnings', value: warnings })
  }
}

function tree(value: object): JsonTree {
  const reading = readJson(JSON.stringify(value))
  return reading.ok ? reading.tree : expect.fail(reading.fault.message)
}

const bodyOf = (said: Synthesis): string =>
  said.kind === 'synthesized' ? writeCompact(said.body, 'utf8') : JSON.stringify(said)

describe('a limit of 0', () => {
  const walk = [0, 10, 20].map((at) => wiki.record(wiki.partAt(at, 10, 'continue')))

  test('is warned of, and brings one row', () => {
    const said = synthesize(deriveQuery(sent('0')), readListings(walk, facts), facts)
    expect(bodyOf(said)).toBe(writeCompact(warned(wiki.answer(sent('1')), '0'), 'utf8'))
  })

  test('is a miss on versions whose words are not known, whatever they say of too much', () => {
    const old = {
      ...facts,
      site: facts.site && { ...facts.site, generator: 'MediaWiki 1.25.4' }
    }
    const over = wiki.record(sent('9999'), warned(wiki.answer(sent('500')), '9999'))
    const said = synthesize(
      deriveQuery(sent('0')),
      readListings([...walk, over], old),
      old
    )
    expect(said.kind).toBe('refused')
  })
})

describe('a warning about where a request starts', () => {
  it('is in no answer to another request', () => {
    const whole = wiki.record(sent('max'))
    const odd = wiki.record(
      `${sent('10')}&apfrom=e\u0301`,
      warned(wiki.answer(sent('10')), '9999')
    )
    const said = synthesize(
      deriveQuery(sent('7')),
      readListings([whole, odd], facts),
      facts
    )
    expect(bodyOf(said)).not.toContain('warnings')
  })
})

describe('a bot', () => {
  const ask = (limit: string): ReturnType<typeof deriveQuery> =>
    deriveQuery(sent(limit), 'user:Bot')
  const recordedAt = (limit: string, answer: JsonTree): Interaction =>
    recordedAs(ask(limit), answer)
  const said = (limit: string, ...recorded: readonly Interaction[]): string =>
    bodyOf(synthesize(ask(limit), readListings(recorded, facts), facts))
  const truth = (limit: string): string => writeCompact(wiki.answer(sent(limit)), 'utf8')
  const most = wiki.answer(sent('500'))
  const withMax: JsonTree = {
    kind: 'object',
    members: membersOf(most).toSpliced(1, 0, {
      key: 'limits',
      value: jsonObject([['allpages', jsonLiteral(5000)]])
    })
  }

  test('who got 5000 without a warning has them, and is served at any lower limit', () => {
    for (const limit of ['1', '7', '500', '700', '5000'])
      expect(said(limit, recordedAt('5000', most))).toBe(truth(limit))
  })

  test('of whom it is recorded what max comes to may ask for as many', () => {
    for (const limit of ['7', '700', '5000'])
      expect(said(limit, recordedAt('max', withMax))).toBe(truth(limit))
    expect(
      said('max', recordedAt('7', wiki.answer(sent('7'))), recordedAt('max', withMax))
    ).toBe(writeCompact(withMax, 'utf8'))
  })

  test('of whom it is not recorded gets a miss that says so', () => {
    const small = recordedAt('500', most)
    expect(said('7', small)).toBe(truth('7'))
    expect(said('5000', small)).toContain(
      'what limit=5000 allows this caller is not recorded'
    )
    expect(said('max', small)).toContain(
      'what limit=max allows this caller is not recorded'
    )
    expect(said('6000', recordedAt('5000', most))).toContain('what limit=6000 allows')
  })

  test('is warned of a limit of 0 in words that name its own maximum: a miss', () => {
    expect(said('0', recordedAt('5000', most))).toContain('"kind":"refused"')
    expect(said('0', recordedAt('0', warned(wiki.answer(sent('1')), '0')))).toContain(
      'The value'
    )
  })

  test('who was warned may not have as many', () => {
    const over = recordedAt('700', warned(most, '700'))
    expect(said('600', over)).toContain(
      'what limit=600 allows this caller is not recorded'
    )
  })
})

const request = (limit: string, more = ''): ListingRequest => {
  const { canonical, sentValues: asked } = deriveQuery(
    `${wiki.query('')}&aplimit=${limit}${more}`
  )
  const said = readListingRequest(canonical, asked, facts.lookup, new Set())
  return typeof said === 'string' ? expect.fail(said) : said
}

const member = (key: string, value: object = {}): JsonMember => ({
  key,
  value: tree(value)
})

const query = member('query')

const limits = member('limits', { allpages: 500 })

const words = 'The value "501" for parameter "aplimit" must be between 1 and 500.'

const warning = (text: string): JsonMember =>
  member('warnings', { allpages: { '*': text } })

/** Written for that limit where something was recorded for another. */
const around = (
  had: string,
  core: readonly JsonMember[],
  wants: ListingRequest,
  warns = true
): unknown => {
  const said = withLimit(core, had, wants, warns)
  return said && JSON.parse(writeCompact({ kind: 'object', members: said }, 'utf8'))
}

describe('what stands around rows', () => {
  it('says what `max` came to, where nothing else was said of a limit', () => {
    expect(around('number', [query], request('max'))).toEqual({
      limits: { allpages: 500 },
      query: {}
    })
    expect(around('max', [limits, query], request('5'))).toEqual({ query: {} })
    expect(around('max', [limits, query], request('max'))).toEqual({
      limits: { allpages: 500 },
      query: {}
    })
    expect(around('number', [warning('x'), query], request('max'))).toBeUndefined()
    expect(around('number', [limits, query], request('max'))).toBeUndefined()
  })

  it('says that of a prop behind its pages', () => {
    const asked = (limit: string): ListingRequest => {
      const { canonical, sentValues: sent } = deriveQuery(
        `action=query&format=json&titles=A&prop=categories&cllimit=${limit}`
      )
      const said = readListingRequest(canonical, sent, facts.lookup, new Set())
      return typeof said === 'string' ? expect.fail(said) : said
    }
    const behind = [query, member('limits', { categories: 500 })]
    const keys = (said: unknown): unknown => said && Object.keys(said)
    expect(keys(around('number', [query], asked('max')))).toEqual(['query', 'limits'])
    expect(keys(around('max', behind, asked('5')))).toEqual(['query'])
    expect(around('max', behind.toReversed(), asked('5'))).toBeUndefined()
  })

  it('is not told where `max` of another module, or of several, stands there', () => {
    expect(around('max', [query], request('5'))).toBeUndefined()
    expect(
      around('max', [member('limits', { other: 500 }), query], request('5'))
    ).toBeUndefined()
    expect(
      around('max', [member('limits', { allpages: 500, other: 5 }), query], request('5'))
    ).toBeUndefined()
    expect(
      around('max', [member('other', { allpages: 500 }), query], request('5'))
    ).toBeUndefined()
  })
})

describe('warnings around rows', () => {
  it('warns of too much in the words of the version', () => {
    expect(around('number', [query], request('501'))).toEqual({
      warnings: { allpages: { '*': words } },
      query: {}
    })
    expect(around('number', [query], request('501', '&formatversion=2'))).toEqual({
      warnings: { allpages: { warnings: words } },
      query: {}
    })
    expect(around('number', [query], request('501'), false)).toBeUndefined()
    expect(around('number', [member('other'), query], request('501'))).toBeUndefined()
    const { driver, ...rest } = request('501')
    const of = (changed: object): ListingRequest => {
      const limit = { ...driver.description.parameters.get('limit'), ...changed }
      const parameters = new Map([
        ...driver.description.parameters,
        ['limit', limit]
      ]) as typeof driver.description.parameters
      return {
        ...rest,
        driver: { ...driver, description: { ...driver.description, parameters } }
      }
    }
    expect(around('number', [query], of({}))).toBeDefined()
    // Thousands are written in other ways, and other bounds in other words.
    expect(
      [{ min: 0 }, { max: 1000 }, { max: undefined }].map((one) =>
        around('number', [query], of(one))
      )
    ).toEqual([...[undefined, undefined, undefined]])
    expect(around('number', [query], of({ max: 999 }))).toBeDefined()
  })

  it('is without that warning for a number, where it is the one that is known', () => {
    expect(around('over 501', [warning(words), query], request('5'))).toEqual({
      query: {}
    })
    const old = 'aplimit may not be over 500 (set to 501) for users'
    expect(around('over 501', [warning(old), query], request('5'))).toEqual({ query: {} })
    expect(around('over 501', [warning('x'), query], request('5'))).toBeUndefined()
    expect(around('over 501', [query], request('5'))).toBeUndefined()
    expect(around('over 501', [warning(words), query], request('max'))).toEqual({
      limits: { allpages: 500 },
      query: {}
    })
  })

  it('names another number in the warning that is known, and in no other', () => {
    const other = {
      warnings: { allpages: { '*': words.replace('501', '502') } },
      query: {}
    }
    expect(around('over 501', [warning(words), query], request('502'))).toEqual(other)
    expect(
      around('over 501', [warning(words), query], request('502'), false)
    ).toBeUndefined()
    expect(
      around('over 501', [warning('501 is over 501'), query], request('502'))
    ).toBeUndefined()
    expect(around('over 0', [warning(words), query], request('502'))).toBeUndefined()
  })
})

describe('a limit that no recorded answer shows', () => {
  const old = {
    ...facts,
    site: facts.site && { ...facts.site, generator: 'MediaWiki 1.25.4' }
  }
  const walk = [0, 10, 20].map((at) => wiki.record(wiki.partAt(at, 10, 'continue')))
  const why = (query: string): unknown => {
    const said = synthesize(deriveQuery(query), readListings(walk, old), old)
    return said.kind === 'refused' ? said.why : said.kind
  }

  it('is warned of as it is from 1.35 on', () => {
    for (const [version, kind] of [
      ['1.34.4', 'refused'],
      ['1.35.0', 'synthesized']
    ] as const) {
      const by = {
        ...facts,
        site: facts.site && { ...facts.site, generator: `MediaWiki ${version}` }
      }
      expect([
        version,
        synthesize(deriveQuery(sent('5000')), readListings(walk, by), by).kind
      ]).toEqual([...[version, kind]])
    }
  })

  it('is said to be one', () => {
    expect(why(sent('0'))).toBe(
      'limit=0 is less than a row, and no recorded answer shows how it warns of that'
    )
    expect(why(sent('5000'))).toBe(
      'limit=5000 is more than the wiki allows (500), and no recorded answer shows how it warns of that'
    )
    // Of 1.25 it is not known which dialect is its default.
    expect(why(wiki.query('&aplimit=5'))).toBe(
      'no recorded answer shows the members around the rows of this one'
    )
  })
})
