/** Entities asked for by the pages that link to them (`sites`, `titles`): out of what was recorded, or missed. */
import { expect, test } from 'vitest'
import type { WikibaseCall } from '../../helpers/golden-wikibase.ts'
import { askAll, recordAll, wrongIn } from '../../helpers/golden-wikibase.ts'

type Json = Readonly<Record<string, unknown>>

/** Titles of pages by site, and the entity that each links to. */
const links: Readonly<Record<string, string>> = {
  'enwiki Berlin': 'Q64',
  'dewiki Berlin': 'Q64',
  'enwiki Paris': 'Q90',
  'enwiki New York': 'Q60'
}

const linksOf = (id: string, sites: readonly string[]): Json =>
  Object.fromEntries(
    Object.entries(links).flatMap(([page, linked]) => {
      const [site = '', title] = page.split(/ (.*)/)
      const isShown = sites.length === 0 || sites.includes(site)
      return linked === id && isShown ? [[site, { site, title, badges: [] }]] : []
    })
  )

const entityOf = (id: string, props: string, sites: readonly string[]): Json => ({
  type: 'item',
  id,
  ...(props.includes('labels') ? { labels: { en: { language: 'en', value: id } } } : {}),
  ...(props.includes('sitelinks') ? { sitelinks: linksOf(id, sites) } : {})
})

/** As GetEntities and EntityByTitleHelper of Wikibase answer. */
function answerTo(query: string): WikibaseCall {
  const sent = new URLSearchParams(query)
  const values = (name: string): readonly string[] =>
    (sent.get(name) ?? '').split('|').filter((one) => one !== '')
  const entities: Record<string, Json> = {}
  const ids = [...values('ids')]
  let missing = -1
  for (const site of values('sites'))
    for (const title of values('titles')) {
      const linked = links[`${site} ${title}`]
      if (linked === undefined) {
        entities[missing] = { site, title, missing: '' }
        missing -= 1
      } else ids.push(linked)
    }
  for (const id of new Set(ids))
    entities[id] = entityOf(id, sent.get('props') ?? '', values('sitefilter'))
  return {
    kind: 'made',
    method: 'GET',
    url: `/w/api.php?action=wbgetentities&format=json&${query}`,
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ entities, success: 1 })
  }
}

async function outcome(
  recorded: readonly string[],
  asked: readonly string[],
  writes: readonly WikibaseCall[] = []
): Promise<unknown> {
  const folder = await recordAll([...recorded.map(answerTo), ...writes])
  const table = await askAll(folder, [...writes, ...asked.map(answerTo)])
  const { answered, refused } = table.get('action=wbgetentities json') ?? {}
  return { wrong: wrongIn(table), answered, refused }
}

const pair = (title: string, more = 'props=labels'): string =>
  `sites=enwiki&titles=${title}&${more}`

test('a title is found again after writes of other entities, and a missing one is not', async () => {
  const write: WikibaseCall = {
    ...answerTo(''),
    method: 'POST',
    url: '/w/api.php',
    sent: { action: 'wbsetaliases', id: 'Q90', format: 'json', token: '+\\', add: 'x' },
    body: '{"entity":{"aliases":{},"id":"Q90","type":"item","lastrevid":99},"success":1}'
  }
  const recorded = [pair('Berlin|Nowhere|Paris')]
  expect(await outcome(recorded, [pair('Berlin')], [write])).toEqual({
    wrong: [],
    answered: 1,
    refused: 0
  })
  expect(
    await outcome(
      recorded,
      ['Paris', 'Nowhere'].map((one) => pair(one)),
      [write]
    )
  ).toEqual({ wrong: [], answered: 0, refused: 2 })
})

test('a title that was found needs no other spelling', async () => {
  const asked = ['Berlin', 'Nowhere'].map((one) => pair(one, 'props=labels&normalize=1'))
  expect(await outcome([pair('Nowhere|Berlin')], asked)).toEqual({
    wrong: [],
    answered: 1,
    refused: 1
  })
})

test('titles of other sites are compared as they were sent', async () => {
  const spellings = ['New%20York', 'new%20York', 'New_York'].map(
    (title) => `sites=enwiki&titles=${title}`
  )
  expect(await outcome(spellings, spellings)).toMatchObject({ wrong: [], answered: 3 })
  const [first = '', ...others] = spellings
  expect(await outcome([first], others)).toMatchObject({ wrong: [], refused: 2 })
})

test('sets by sites and titles are answered in any order, in parts and joined', async () => {
  expect(
    await outcome(
      [
        'sites=enwiki&titles=Berlin|Nowhere|Paris&props=labels',
        'sites=enwiki|dewiki&titles=Berlin&props=labels',
        'sites=dewiki&titles=Nobody&props=labels'
      ],
      [
        'sites=enwiki&titles=Paris|Berlin&props=labels',
        'sites=enwiki&titles=Nowhere&props=labels',
        'sites=enwiki&titles=Paris&props=labels',
        'sites=dewiki&titles=Nobody|Berlin&props=labels',
        'sites=dewiki|enwiki&titles=Berlin&props=labels',
        'sites=enwiki&titles=Berlin|Berlin|Nowhere|Nowhere&props=labels',
        'ids=Q90|Q64&props=labels',
        'ids=Q64&sites=enwiki&titles=Nowhere|Paris|Berlin&props=labels'
      ]
    )
  ).toEqual({ wrong: [], answered: 8, refused: 0 })
})

test('a shown link says which entity a title has, and nothing else does', async () => {
  expect(
    await outcome(
      [
        'ids=Q60&props=labels|sitelinks',
        'ids=Q64&props=labels',
        // Two titles of one entity: which is which does not show.
        'sites=enwiki|dewiki&titles=Berlin|Paris&props=labels'
      ],
      [
        'sites=enwiki&titles=New%20York&props=labels',
        'sites=enwiki&titles=New%20York&props=sitelinks',
        'sites=enwiki&titles=Berlin&props=labels',
        'sites=dewiki&titles=Berlin&props=labels',
        'sites=enwiki&titles=Rome&props=labels',
        'sites=enwiki|dewiki&titles=Paris|New%20York&props=labels'
      ]
    )
  ).toEqual({ wrong: [], answered: 2, refused: 4 })
})

test('links with addresses are shown without being asked for twice', async () => {
  const props = 'props=sitelinks/urls'
  expect(
    await outcome([`ids=Q64|Q90&${props}`], [`ids=Q90&${props}`, `ids=Q64&${props}`])
  ).toEqual({ wrong: [], answered: 2, refused: 0 })
})

test('fewer links are a part of more, and none is written as the wiki wrote it', async () => {
  const props = 'props=sitelinks'
  expect(
    await outcome(
      [`ids=Q64|Q90&${props}&sitefilter=enwiki|dewiki`, `ids=Q60|Q1&${props}`],
      [
        `ids=Q64&${props}&sitefilter=dewiki`,
        `ids=Q90|Q64&${props}&sitefilter=dewiki`,
        // All links are not shown, and of an unknown site the wiki warns.
        `ids=Q64&${props}`,
        `ids=Q60&${props}&sitefilter=frwiki`
      ]
    )
  ).toEqual({ wrong: [], answered: 2, refused: 2 })
})
