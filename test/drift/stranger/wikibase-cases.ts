/** What Wikibase may answer between two recordings of one version, by either API; written before anybody looked what the rules say of it. */
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  rows
} from '../content/mutating-wiki.ts'
import { gone, mapEntries, numbers, texts } from '../content/mutation-builders.ts'
import { breaking, cosmetic, fieldOf, only, risky, textOf } from './case-builders.ts'
import { body, header, rest, withoutMembers } from './rest-cases.ts'
import type { StrangerCase } from './stranger-cases.ts'
import type { StrangerChange } from './stranger-wiki.ts'

const entities = /wbgetentities/
const both = /wbgetentities|wbgetclaims/
const api = /action=wb|titles=Item|list=wb|meta=wikibase/
const restApi = /wikibase\/v1/
const routes = /wikibase\/v1\/entities/
const listOf = (value: Json): Json => (isRecord(value) ? Object.values(value) : value)
const ofEntities = (change: (row: JsonRecord) => JsonRecord): StrangerChange => ({
  answer: only(entities, rows('lastrevid', change))
})
const hashes = (change: (hash: string) => string): StrangerChange =>
  fieldOf(both, /^hash$/, texts(change))

const ofApi: readonly StrangerCase[] = [
  breaking(
    'types of entities gone',
    ofEntities((row) => withoutMembers(row, 'type'))
  ),
  breaking('labels a list', fieldOf(entities, /^labels$/, listOf)),
  breaking(
    'labels as texts',
    fieldOf(entities, /^labels$/, (value) =>
      isRecord(value)
        ? mapEntries(value, (name, one) => [
            name,
            isRecord(one) ? (one['value'] ?? '') : one
          ])
        : value
    )
  ),
  risky('[] for {}', { answer: only(entities, (answer) => emptied(answer)) }),
  breaking(
    'aliases as one text',
    fieldOf(entities, /^aliases$/, (value) =>
      isRecord(value)
        ? mapEntries(value, (name, one) => [
            name,
            isList(one)
              ? one.map((alias) => (isRecord(alias) ? alias['value'] : '')).join('|')
              : one
          ])
        : value
    )
  ),
  breaking('sitelinks gone', fieldOf(entities, /^sitelinks$/, gone)),
  breaking(
    'claims called statements',
    ofEntities((row) => {
      const { claims, ...more } = row
      return claims === undefined ? row : { ...more, statements: claims }
    })
  ),
  risky(
    'another datatype of a property',
    ofEntities((row) =>
      row['type'] === 'property' ? { ...row, datatype: 'string' } : row
    )
  ),
  breaking('datatypes of values gone', {
    answer: only(
      both,
      rows('snaktype', (row) => withoutMembers(row, 'datatype'))
    )
  }),
  risky(
    'hashes in capitals',
    hashes((hash) => hash.toUpperCase())
  ),
  risky(
    'hashes of another sort',
    hashes((hash) => `${hash}${hash.slice(0, 24)}`)
  ),
  breaking('hashes gone', {
    answer: only(
      both,
      rows('snaktype', (row) => withoutMembers(row, 'hash'))
    )
  }),
  risky(
    'ids of statements with a hyphen',
    fieldOf(
      both,
      /^id$/,
      texts((text) => text.replace('$', '-'))
    )
  ),
  risky(
    'ids of statements in small letters',
    fieldOf(
      both,
      /^id$/,
      texts((text) => (text.includes('$') ? text.toLowerCase() : text))
    )
  ),
  breaking('ids of statements gone', {
    answer: only(
      both,
      rows('mainsnak', (row) => withoutMembers(row, 'id'))
    )
  }),
  risky(
    'another word for a rank',
    fieldOf(
      both,
      /^rank$/,
      texts((text) => text.replace('normal', 'usual'))
    )
  ),
  breaking('sorts of values gone', fieldOf(both, /^snaktype$/, gone)),
  risky(
    'lastrevid off by one',
    fieldOf(
      entities,
      /^lastrevid$/,
      numbers((one) => one + 1)
    )
  ),
  breaking(
    'lastrevid a text',
    fieldOf(entities, /^lastrevid$/, (value) => String(value))
  ),
  breaking(
    'modified without its Z',
    fieldOf(
      entities,
      /^modified$/,
      texts((text) => text.replace('Z', ''))
    )
  ),
  breaking('modified gone', fieldOf(entities, /^modified$/, gone)),
  breaking('missing true', {
    answer: only(
      /P9999/,
      rows('missing', (row) => ({ ...row, missing: true }))
    )
  }),
  breaking('missing not said', {
    answer: only(
      entities,
      rows('missing', (row) => withoutMembers(row, 'missing'))
    )
  }),
  breaking(
    'missing is an error',
    rest(/P9999/, () => ({
      error: {
        code: 'no-such-entity',
        info: 'Could not find an entity with the ID "P9999".',
        id: 'P9999'
      }
    }))
  ),
  risky('missing entities left out', {
    answer: only(/Q9999|P9999/, (answer) =>
      isRecord(answer) && isRecord(answer['entities'])
        ? {
            ...answer,
            entities: Object.fromEntries(
              Object.entries(answer['entities']).filter(([id]) => !id.endsWith('9999'))
            )
          }
        : answer
    )
  }),
  breaking('a redirect no longer told', fieldOf(entities, /^redirects$/, gone)),
  breaking('entities a list', fieldOf(entities, /^entities$/, listOf)),
  risky(
    'a label lost',
    fieldOf(entities, /^labels$/, (value) =>
      isRecord(value) ? withoutMembers(value, 'ru') : value
    )
  ),
  risky(
    'a label of other letters',
    fieldOf(entities, /^labels$/, (value) =>
      isRecord(value)
        ? mapEntries(value, (name, one) => [
            name,
            isRecord(one) ? { ...one, value: `${one['value']}!` } : one
          ])
        : value
    )
  ),
  risky('a label of another language', {
    answer: only(
      entities,
      rows('language', (row) => ({ ...row, language: 'en-gb' }))
    )
  }),
  risky(
    'amounts without a sign',
    fieldOf(
      both,
      /^amount$/,
      texts((text) => text.replace('+', ''))
    )
  ),
  breaking(
    'amounts as numbers',
    fieldOf(both, /^amount$/, (value) => Number(value))
  ),
  risky(
    'units empty',
    fieldOf(both, /^unit$/, () => '')
  ),
  breaking(
    'precision a text',
    fieldOf(both, /^precision$/, (value) => String(value))
  ),
  breaking(
    'times without a sign',
    fieldOf(
      both,
      /^time$/,
      texts((text) => text.replace('+', ''))
    )
  ),
  risky('another type of values', {
    answer: only(
      both,
      rows('snaktype', (row) =>
        isRecord(row['datavalue'])
          ? {
              ...row,
              datavalue: { ...row['datavalue'], type: `wb-${row['datavalue']['type']}` }
            }
          : row
      )
    )
  }),
  breaking('numbers of entities gone', fieldOf(both, /^numeric-id$/, gone)),
  breaking('the order of qualifiers gone', fieldOf(both, /^qualifiers-order$/, gone)),
  breaking('qualifiers gone', fieldOf(both, /^qualifiers$/, gone)),
  breaking('references without a hash', {
    answer: only(
      both,
      rows('snaks', (row) => withoutMembers(row, 'hash'))
    )
  }),
  risky(
    'a reference lost',
    fieldOf(both, /^references$/, () => [])
  ),
  risky(
    'an entity on another path',
    fieldOf(
      /wbsearch/,
      /^concepturi$/,
      texts((text) => text.replace('/entity/', '/wiki/Special:EntityData/'))
    )
  ),
  breaking('what matched gone', fieldOf(/wbsearch/, /^match$/, gone)),
  breaking('what is shown gone', fieldOf(/wbsearch/, /^display$/, gone)),
  breaking('success gone', fieldOf(/action=wb/, /^success$/, gone)),
  risky(
    'nothing is found',
    fieldOf(/wbsearchentities/, /^search$/, (value) => (isList(value) ? [] : value))
  ),
  breaking('types of parsed values gone', {
    answer: only(
      /wbparsevalue/,
      rows('raw', (row) => withoutMembers(row, 'type'))
    )
  }),
  risky(
    'parsed to another calendar',
    fieldOf(
      /wbparsevalue/,
      /^calendarmodel$/,
      texts((text) => text.replace('786', '727'))
    )
  ),
  risky(
    'a value in markup',
    fieldOf(
      /wbformatvalue/,
      /^result$/,
      texts((text) => `<b>${text}</b>`)
    )
  ),
  risky(
    'counts of claims as numbers',
    fieldOf(/pageprops/, /^wb-claims$/, (value) => Number(value))
  ),
  breaking(
    'terms as texts',
    fieldOf(/entityterms/, /^label$/, (value) =>
      isList(value) ? (value[0] ?? '') : value
    )
  ),
  risky(
    'another content model of items',
    fieldOf(/prop=revisions/, /^contentmodel$/, () => 'json')
  ),
  risky(
    'the text of an item written otherwise',
    fieldOf(
      /prop=revisions/,
      /^content$/,
      texts((text) => text.replaceAll('\\/', '/'))
    )
  ),
  risky('the header of errors gone', header(api, 'mediawiki-api-error', gone)),
  breaking(
    'another code of an error',
    fieldOf(api, /^code$/, () => 'other')
  ),
  breaking(
    'XML without its modified',
    textOf(/format=xml/, (text) => text.replaceAll(/ modified="[^"]*"/g, ''))
  )
]

function emptied(value: Json): Json {
  if (isList(value)) return value.map(emptied)
  if (!isRecord(value)) return value
  return Object.keys(value).length === 0
    ? []
    : mapEntries(value, (name, one) => [name, emptied(one)])
}

const ofRest: readonly StrangerCase[] = [
  breaking('code gone', fieldOf(restApi, /^code$/, gone)),
  breaking(
    'another code',
    fieldOf(
      restApi,
      /^code$/,
      texts((text) => `${text}-error`)
    )
  ),
  cosmetic(
    'another message',
    fieldOf(restApi, /^message$/, () => 'No')
  ),
  breaking('context gone', fieldOf(restApi, /^context$/, gone)),
  breaking(
    'what is missing with 200',
    body(/Q9999/, (text) => text, {}, 200)
  ),
  breaking('a label as an object', {
    answer: only(/labels\/en/, (value) => ({ value }))
  }),
  risky('no labels: []', { answer: only(routes, (value) => emptied(value)) }),
  breaking('types of data renamed', {
    answer: only(
      routes,
      rows('data_type', ({ data_type = '', ...more }) => ({
        ...more,
        'data-type': data_type
      }))
    )
  }),
  breaking('contents as texts', {
    answer: only(
      routes,
      rows('content', (row) =>
        isRecord(row['content'])
          ? { ...row, content: JSON.stringify(row['content']) }
          : row
      )
    )
  }),
  risky(
    'ETags without quotes',
    header(routes, 'etag', (value) => value.replaceAll('"', ''))
  ),
  risky('no ETags', header(routes, 'etag', gone)),
  breaking('statements a map', {
    answer: only(routes, (value) =>
      isRecord(value)
        ? mapEntries(value, (name, one) => [
            name,
            isList(one) && /^P/.test(name)
              ? Object.fromEntries(one.map((each, at) => [`s${at}`, each]))
              : one
          ])
        : value
    )
  }),
  risky('a label of other letters, the same revision', {
    answer: only(
      /labels\/en/,
      texts((text) => `${text}!`)
    )
  }),
  risky('no aliases', { answer: only(/aliases\/en/, () => []) }),
  risky('a description lost', { answer: only(/descriptions$/, () => ({})) }),
  risky(
    'ids of statements of another form',
    fieldOf(
      routes,
      /^id$/,
      texts((text) => text.replace('$', '-'))
    )
  ),
  risky('statements of one property lost', {
    answer: only(/statements$/, (value) =>
      isRecord(value) ? withoutMembers(value, 'P15') : value
    )
  }),
  breaking(
    'HTML in place of an entity',
    body(
      /items\/Q1/,
      () => '<!DOCTYPE html><html><body>502</body></html>',
      { 'content-type': 'text/html' },
      502
    )
  ),
  breaking(
    'references of another shape',
    fieldOf(routes, /^references$/, (value) => (isList(value) ? { list: value } : value))
  ),
  risky(
    'ranks in capitals',
    fieldOf(
      routes,
      /^rank$/,
      texts((text) => text.toUpperCase())
    )
  )
]

export const wikibaseCases: readonly StrangerCase[] = [...ofApi, ...ofRest]
