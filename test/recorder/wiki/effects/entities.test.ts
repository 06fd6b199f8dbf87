/** Which answers a write of entities, or one by rest.php, leaves alone. */
import { describe, expect, test } from 'vitest'
import {
  readSetOf,
  readsPages,
  whyAffected
} from '../../../../src/recorder/wiki/effects/read-set.ts'
import { writeOutcome } from '../../../../src/recorder/wiki/effects/request-effect.ts'
import {
  type WriteSet,
  writeSetOf
} from '../../../../src/recorder/wiki/effects/write-set.ts'
import { decodeSiteinfo } from '../../../../src/recorder/wiki/site/site-facts.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const namespaces = Object.fromEntries(
  [
    [0, ''],
    [10, 'Template'],
    [120, 'Item'],
    [122, 'Property']
  ].map(([id, name]) => [id, { id, name, canonical: name, case: 'first-letter' }])
)
const site = decodeSiteinfo({
  query: {
    general: { generator: 'MediaWiki 1.45.0', lang: 'en' },
    namespaces,
    namespacealiases: []
  }
})

const params = (query: string): ReadonlyMap<string, string> =>
  new Map(new URLSearchParams(query))

/** What a write with this answer changes. */
function written(query: string, answer = '{}'): WriteSet {
  const { titles, ids } = writeOutcome(params(query).get('action') ?? '', treeOf(answer))
  return writeSetOf(params(query), site, { titles, ids })
}

const changed = (query: string, answer?: string): readonly string[] | string => {
  const writeSet = written(query, answer)
  return writeSet.kind === 'pages' ? [...writeSet.titles] : writeSet.kind
}

describe('a write of Wikibase changes the entities that it and its answer name', () => {
  test.each([
    ['action=wbsetlabel&id=Q7&language=de&value=Q8', '{}', ['Q7']],
    ['action=wbsetlabel&id=q7&language=de&value=x', '{}', ['Q7']],
    [
      'action=wbeditentity&new=item&data={}',
      '{"entity":{"id":"Q61"},"success":1}',
      ['Q61']
    ],
    ['action=wbsetsitelink&site=enwiki&title=Berlin', '{"entity":{"id":"Q1"}}', ['Q1']],
    [
      'action=wbcreateclaim&entity=Q61&property=P15',
      '{"claim":{"id":"Q61$85651FD0-D6AB"}}',
      ['Q61']
    ],
    ['action=wbsetclaim&claim={"id":"Q5$A-B"}', '{"claim":{"id":"Q5$A-B"}}', ['Q5']],
    ['action=wbsetreference&statement=Q61$85651FD0-D6AB&snaks={"P14":[]}', '{}', ['Q61']],
    [
      'action=wbremoveclaims&claim=Q61$A-B|Q62$C-D',
      '{"claims":["Q61$A-B","Q62$C-D"]}',
      ['Q61', 'Q62']
    ],
    [
      'action=wbmergeitems&fromid=Q61&toid=Q11',
      '{"from":{"id":"Q61"},"to":{"id":"Q11"}}',
      ['Q61', 'Q11']
    ],
    ['action=wbcreateredirect&from=Q61&to=Q11', '{}', ['Q61', 'Q11']],
    ['action=edit&title=Item:Q7&text={}', '{}', ['Item:Q7', 'Q7']]
  ])('%s', (query, answer, expected) => {
    expect(changed(query, answer)).toEqual(expected)
  })

  test.each([
    'action=wbeditentity&new=item&data={}',
    'action=wblinktitles&fromsite=a&totitle=b',
    'action=wbsetclaim&claim={"id":"Q5$A-B"}',
    'action=wbladdform&lexemeId=L1',
    // Each entity with such a claim shows the data type of its property.
    'action=delete&title=Property:P10'
  ])('what neither names may be any: %s', (query) => {
    expect(changed(query)).toBe('everything')
  })
})

describe('what the answer to a write depends on', () => {
  const isLeft = (asked: string, write: string): boolean =>
    whyAffected(written(write), readSetOf(params(asked), 'write', site)) === undefined

  test('claims on the entities that they name, values included', () => {
    const asked = 'action=wbcreateclaim&entity=Q61&property=P10&value={"id":"Q5"}'
    expect(isLeft(asked, 'action=wbsetaliases&id=Q7&language=en&add=x')).toBe(true)
    for (const id of ['Q61', 'Q5', 'P10'])
      expect(isLeft(asked, `action=wbsetaliases&id=${id}&language=en&add=x`)).toBe(false)
  })

  test('labels on those of all entities', () => {
    const asked = 'action=wbsetlabel&id=Q7&language=de&value=x'
    expect(isLeft(asked, 'action=wbsetlabel&id=Q8&language=de&value=x')).toBe(false)
  })
})

describe('rest.php', () => {
  const rest = (target: string, body?: string): string =>
    new URLSearchParams({
      'plain target': target,
      ...(body === undefined ? {} : { 'plain body': body })
    }).toString()

  test.each([
    [
      '/w/rest.php/v1/page/Volga%20bridge',
      '{"id":7,"key":"Volga_bridge","title":"Volga bridge"}',
      ['Volga bridge']
    ],
    ['/w/rest.php/v1/page', '{"id":7,"key":"Kama","title":"Kama"}', ['Kama']],
    ['/w/rest.php/wikibase/v1/entities/items/Q20/labels/en', '"Kyiv"', ['Q20']],
    ['/w/rest.php/wikibase/v1/entities/items/q20/labels/en', '"Kyiv"', ['Q20']],
    ['/w/rest.php/wikibase/v1/entities/items', '{"id":"Q62","type":"item"}', ['Q62']],
    ['/w/rest.php/wikibase/v1/statements/Q20%24A-B', '{"id":"Q20$A-B"}', ['Q20']],
    ['/w/rest.php/v1/page', '{"errorKey":"rest-no-revision"}', 'everything'],
    ['/w/rest.php/v1/page/Template:Box', '{"title":"Template:Box"}', 'everything'],
    ['/w/rest.php/readinglists/v0/lists', '{"id":1,"title":"Kama"}', 'everything'],
    ['/w/index.php?title=Kama&action=submit', '{}', 'everything']
  ])('a write to %s changes what it names', (target, answer, expected) => {
    expect(changed(rest(target, 'x'), answer)).toEqual(expected)
  })

  const readers = [
    '/w/rest.php/v1/page/Kama',
    '/w/rest.php/v1/page/Kama/bare',
    '/w/rest.php/v1/page/Kama/history?older_than=7',
    '/w/rest.php/v1/page/Kama/history/counts/edits',
    '/w/index.php?title=Kama&action=raw',
    '/w/index.php?action=raw&title=Kama',
    '/w/rest.php/wikibase/v1/entities/items/Q21',
    '/w/rest.php/wikibase/v1/entities/items/Q21/labels/en'
  ]

  test('what shows one page or entity depends on its writes by either API', () => {
    for (const target of readers) {
      const read = readSetOf(params(rest(target)), 'read', site)
      const isItem = target.includes('Q21')
      const own = isItem ? 'action=wbsetlabel&id=Q21' : 'action=edit&title=Kama&text=x'
      const ownByRest = isItem
        ? '/w/rest.php/wikibase/v1/entities/items/Q21'
        : '/w/rest.php/v1/page/Kama'
      expect(whyAffected(written(own), read)).toMatch(/was written since/)
      expect(whyAffected(written(rest(ownByRest, 'x')), read)).toMatch(
        /was written since/
      )
      expect(whyAffected(written('action=wbsetlabel&id=Q20'), read)).toBeUndefined()
      expect(whyAffected(written('action=edit&title=Volga&text=x'), read)).toBeUndefined()
    }
  })

  test.each([
    '/w/rest.php/v1/page/Kama/html',
    '/w/rest.php/v1/page/Kama/with_html',
    '/w/rest.php/v1/page/Kama/links/media',
    '/w/rest.php/v1/search/page?q=Kama',
    '/w/rest.php/v1/revision/7',
    '/w/rest.php/wikibase/v1/entities/items',
    '/w/index.php?title=Kama&action=raw&templates=expand',
    '/w/index.php?title=Kama&action=history',
    // A space, which a title is not certain to be read as.
    '/w/index.php?title=Kama+bridge&action=raw'
  ])('%s may show every write', (target) => {
    const read = readSetOf(params(rest(target)), 'read', site)
    expect(whyAffected(written('action=edit&title=Volga&text=x'), read)).toBeDefined()
  })

  test('a page of api.php depends on writes by rest.php', () => {
    const read = readSetOf(
      params('action=query&prop=revisions&titles=Kama'),
      'read',
      site
    )
    expect(
      whyAffected(written(rest('/w/rest.php/v1/page/Kama', 'x')), read)
    ).toBeDefined()
    expect(
      whyAffected(written(rest('/w/rest.php/v1/page/Volga', 'x')), read)
    ).toBeUndefined()
  })
})

test('an item read by its title depends on writes of the entity', () => {
  const read = readSetOf(
    params('action=query&prop=revisions&titles=Item:Q7'),
    'read',
    site
  )
  expect(whyAffected(written('action=wbsetlabel&id=Q7'), read)).toBe(
    'Q7 was written since'
  )
  expect(whyAffected(written('action=wbsetlabel&id=Q8'), read)).toBeUndefined()
  expect(
    whyAffected(written('action=edit&title=Item:Q7&text=x'), readsPages(new Set(['Q7'])))
  ).toBeDefined()
})

describe('entities read by id depend on their writes alone', () => {
  const whyRead = (query: string, write: string): string | undefined =>
    whyAffected(written(write), readSetOf(params(query), 'read', site))

  test.each([
    'action=wbgetclaims&entity=q7&property=P15',
    'action=wbgetentities&ids=Q7|P2&redirects=no',
    'action=wbgetentities&ids=P7|P8&props=info'
  ])('%s', (query) => {
    const own = query.includes('P8') ? 'P7' : 'Q7'
    expect(whyRead(query, `action=wbsetaliases&id=${own}`)).toBe(
      `${own} was written since`
    )
    expect(whyRead(query, 'action=wbsetaliases&id=Q9')).toBeUndefined()
    expect(whyRead(query, 'action=delete&title=Property:P10')).toBeDefined()
  })

  test.each([
    'action=wbgetentities&ids=Q7',
    'action=wbgetentities&ids=P7&sites=enwiki&titles=Berlin',
    'action=wbgetentities&ids=P7|nothing',
    'action=wbgetclaims&claim=Q7$A-B'
  ])('%s may show others, by a redirect or a link', (query) => {
    expect(whyRead(query, 'action=wbsetaliases&id=Q9')).toBeDefined()
  })
})
