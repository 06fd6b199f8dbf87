/** What people do to pages and entities, as rest.php and Wikibase show it afterwards: content, whatever else it moves. */
import type { RecordedResponse } from '../../../src/recorder/cassette/interaction.ts'
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  type Mutation
} from '../content/mutating-wiki.ts'
import { mapEntries } from '../content/mutation-builders.ts'
import type { StrangerChange } from './stranger-wiki.ts'

export interface StrangerEvent {
  readonly name: string
  readonly change: StrangerChange
}

const tagged =
  (pattern: RegExp, tag: string, at: string) =>
  (one: RecordedResponse, request: string): RecordedResponse => {
    if (!pattern.test(request) || !one.headers.has('last-modified')) return one
    const etag = one.headers.has('etag') ? [['etag', `"${tag}"`] as const] : []
    return { ...one, headers: new Map([...one.headers, ...etag, ['last-modified', at]]) }
  }
const at = 'Sun, 29 Nov 2026 10:00:00 GMT'
const iso = '2026-11-29T10:00:00Z'
const volga = /page\/%D0%92%D0%BE%D0%BB%D0%B3%D0%B0/
const inAnswers =
  (pattern: RegExp, change: (answer: Json, request: string) => Json): Mutation =>
  (answer, request) =>
    pattern.test(request) ? change(answer, request) : answer
const edit = (answer: Json): Json => {
  if (!isRecord(answer)) return answer
  const { revisions, source, html, latest, count } = answer
  const row = {
    id: 900,
    timestamp: iso,
    minor: false,
    size: 3000,
    comment: 'Ещё',
    user: { id: 3, name: 'Bob' },
    delta: 40
  }
  return {
    ...answer,
    ...(isList(revisions) ? { revisions: [row, ...revisions].slice(0, 20) } : {}),
    ...(source === undefined ? {} : { source: `${source}\n== Ещё ==\n[[Груша]]` }),
    ...(html === undefined ? {} : { html: `${html}<section><h2>Ещё</h2></section>` }),
    ...(latest === undefined || typeof latest === 'string'
      ? {}
      : { latest: { id: 900, timestamp: iso } }),
    ...(count === undefined ? {} : { count: Number(count) + 1 })
  }
}
const gone = {
  errorKey: 'rest-nonexistent-title',
  messageTranslations: { en: 'The specified page (Волга) does not exist' },
  httpCode: 404,
  httpReason: 'Not Found'
}
const failing = (pattern: RegExp, status: number, answer: Json): StrangerChange => ({
  isEdited: true,
  response: (one, request) =>
    pattern.test(request)
      ? {
          ...one,
          status,
          headers: new Map([['content-type', 'application/json']]),
          body: { kind: 'text', text: JSON.stringify(answer) }
        }
      : one
})

export const restEvents: readonly StrangerEvent[] = [
  {
    name: 'a page edited',
    change: {
      isEdited: true,
      answer: inAnswers(volga, edit),
      response: tagged(volga, '900', at)
    }
  },
  { name: 'a page deleted', change: { ...failing(volga, 404, gone) } },
  {
    name: 'a missing page made',
    change: {
      isEdited: true,
      response: (one, request) =>
        /%D0%9D%D0%B5%D1%82$/.test(request)
          ? {
              ...one,
              status: 200,
              headers: new Map([
                ['content-type', 'application/json'],
                ['etag', '"x"']
              ]),
              body: {
                kind: 'text',
                text: JSON.stringify({
                  id: 990,
                  key: 'Нет',
                  title: 'Нет',
                  latest: { id: 900, timestamp: iso },
                  content_model: 'wikitext',
                  license: { url: null, title: null },
                  source: 'Да'
                })
              }
            }
          : one
    }
  },
  {
    name: 'a page made a redirect',
    change: {
      isEdited: true,
      answer: inAnswers(/%D0%B0$/, (answer) =>
        isRecord(answer) && answer['key'] === 'Волга'
          ? {
              ...answer,
              latest: { id: 900, timestamp: iso },
              redirect_target: '/w/rest.php/v1/page/%D0%9E%D0%BA%D0%B0'
            }
          : answer
      ),
      response: (one, request) =>
        /%D0%B0\/(?:with_)?html$/.test(request)
          ? {
              ...one,
              status: 307,
              headers: new Map([
                ['content-type', 'text/html; charset=utf-8'],
                ['location', '/w/rest.php/v1/page/%D0%9E%D0%BA%D0%B0/html']
              ]),
              body: { kind: 'text', text: '<!DOCTYPE html><html><body></body></html>' }
            }
          : tagged(volga, '900', at)(one, request)
    }
  },
  {
    name: 'a search that finds another part of a page',
    change: {
      isEdited: true,
      answer: inAnswers(/search\/page/, (answer) =>
        isRecord(answer) && isList(answer['pages'])
          ? {
              ...answer,
              pages: answer['pages'].map((one) => ({
                ...(one as JsonRecord),
                excerpt: null,
                matched_title: 'Волга (река)'
              }))
            }
          : answer
      )
    }
  },
  {
    name: 'a file uploaded again',
    change: {
      isEdited: true,
      answer: inAnswers(/\/file\//, (answer) =>
        isRecord(answer)
          ? {
              ...answer,
              latest: { timestamp: iso, user: { id: 3, name: 'Bob' } },
              ...Object.fromEntries(
                ['preferred', 'original', 'thumbnail'].map((name) => [
                  name,
                  { ...(answer[name] as JsonRecord), width: 300, height: 200, size: 9000 }
                ])
              )
            }
          : answer
      ),
      response: tagged(/\/file\//, 'other', at)
    }
  },
  {
    name: 'a search that finds another page',
    change: {
      isEdited: true,
      answer: inAnswers(/search\/page/, (answer) =>
        isRecord(answer) && isList(answer['pages'])
          ? {
              ...answer,
              pages: [
                {
                  id: 990,
                  key: 'Груша',
                  title: 'Груша',
                  excerpt: 'у <span class="searchmatch">Волги</span>',
                  matched_title: null,
                  anchor: null,
                  description: null,
                  thumbnail: null
                },
                ...answer['pages'].slice(0, -1)
              ]
            }
          : answer
      )
    }
  },
  {
    name: 'a history that has more',
    change: {
      isEdited: true,
      answer: inAnswers(/%D0%92%D0%BE%D0%BB%D0%B3%D0%B0\/history$/, (answer) =>
        isRecord(answer) && isList(answer['revisions'])
          ? {
              ...answer,
              revisions: [
                ...answer['revisions'].map((one, place) => ({
                  ...(one as JsonRecord),
                  id: 900 - place
                })),
                ...answer['revisions']
              ].slice(0, 20),
              older: `${answer['latest']}?older_than=9`
            }
          : answer
      ),
      response: tagged(volga, '900', at)
    }
  }
]

const q3 = /Q3\b/
const entity = (change: (one: JsonRecord) => JsonRecord): StrangerChange => ({
  isEdited: true,
  answer: (answer, request) => {
    if (!q3.test(request) && !/Q70/.test(request)) return answer
    if (isRecord(answer) && isRecord(answer['entities']))
      return {
        ...answer,
        entities: mapEntries(answer['entities'], (id, one) => [
          id,
          id === 'Q3' && isRecord(one)
            ? {
                ...change(one),
                ...('lastrevid' in one ? { lastrevid: 500, modified: iso } : {})
              }
            : one
        ])
      }
    return answer
  },
  response: tagged(/items\/Q3\b/, '500', at)
})
const label = (one: JsonRecord): JsonRecord =>
  isRecord(one['labels'])
    ? {
        ...one,
        labels: mapEntries(one['labels'], (name, value) => [
          name,
          { ...(value as JsonRecord), value: 'Париж' }
        ])
      }
    : one
const statement: Json = {
  mainsnak: {
    snaktype: 'value',
    property: 'P13',
    hash: 'a'.repeat(40),
    datavalue: { value: 'x', type: 'string' },
    datatype: 'string'
  },
  type: 'statement',
  id: 'Q3$1',
  rank: 'normal'
}

export const wikibaseEvents: readonly StrangerEvent[] = [
  {
    name: 'a label edited',
    change: (() => {
      const change = entity(label)
      return {
        ...change,
        answer: (answer, request) =>
          /items\/Q3\/labels\/en/.test(request)
            ? 'Paris (France)'
            : (change.answer?.(answer, request) ?? answer)
      }
    })()
  },
  {
    name: 'a label removed',
    change: entity((one) => (isRecord(one['labels']) ? { ...one, labels: {} } : one))
  },
  {
    name: 'a statement more',
    change: (() => {
      const change = entity((one) =>
        isRecord(one['claims'])
          ? { ...one, claims: { ...one['claims'], P13: [statement] } }
          : one
      )
      return {
        ...change,
        answer: (answer, request) =>
          /items\/Q3\/statements$/.test(request) && isRecord(answer)
            ? {
                ...answer,
                P13: [
                  {
                    id: 'Q3$1',
                    rank: 'normal',
                    qualifiers: [],
                    references: [],
                    property: { id: 'P13', data_type: 'string' },
                    value: { type: 'value', content: 'x' }
                  }
                ]
              }
            : (change.answer?.(answer, request) ?? answer)
      }
    })()
  },
  {
    name: 'statements removed',
    change: (() => {
      const change = entity((one) =>
        isRecord(one['claims'])
          ? { ...one, claims: Object.fromEntries(Object.entries(one['claims']).slice(1)) }
          : one
      )
      return {
        ...change,
        answer: (answer, request) =>
          /items\/Q3\/statements/.test(request) && isRecord(answer)
            ? Object.fromEntries(Object.entries(answer).slice(1))
            : (change.answer?.(answer, request) ?? answer)
      }
    })()
  },
  {
    name: 'a value and a rank edited',
    change: entity((one) =>
      isRecord(one['claims'])
        ? {
            ...one,
            claims: mapEntries(one['claims'], (id, all) => [
              id,
              id === 'P11' && isList(all)
                ? all.map((each) => ({
                    ...(each as JsonRecord),
                    rank: 'preferred',
                    mainsnak: {
                      ...((each as JsonRecord)['mainsnak'] as JsonRecord),
                      hash: 'b'.repeat(40),
                      datavalue: { value: { amount: '+7', unit: '1' }, type: 'quantity' }
                    }
                  }))
                : all
            ])
          }
        : one
    )
  },
  {
    name: 'a sitelink more',
    change: entity((one) =>
      one['sitelinks'] === undefined
        ? one
        : {
            ...one,
            sitelinks: { ruwiki: { site: 'ruwiki', title: 'Париж', badges: [] } }
          }
    )
  },
  {
    name: 'an item deleted',
    change: {
      isEdited: true,
      answer: (answer) =>
        isRecord(answer) && isRecord(answer['entities']) && 'Q3' in answer['entities']
          ? {
              ...answer,
              entities: { ...answer['entities'], Q3: { id: 'Q3', missing: '' } }
            }
          : answer,
      response: (one, request) =>
        /items\/Q3\b(?!.*xx$)/.test(request)
          ? {
              ...one,
              status: 404,
              headers: new Map([['content-type', 'application/json']]),
              body: {
                kind: 'text',
                text: '{"code":"resource-not-found","message":"The requested resource does not exist","context":{"resource_type":"item"}}'
              }
            }
          : one
    }
  },
  {
    name: 'a missing item made',
    change: {
      isEdited: true,
      answer: (answer, request) =>
        /P9999/.test(request)
          ? {
              entities: {
                P9999: {
                  pageid: 900,
                  ns: 122,
                  title: 'Property:P9999',
                  lastrevid: 900,
                  modified: iso,
                  type: 'property',
                  datatype: 'string',
                  id: 'P9999',
                  labels: {},
                  descriptions: {},
                  aliases: {},
                  claims: {}
                }
              },
              success: 1
            }
          : answer
    }
  },
  {
    name: 'another item found',
    change: {
      isEdited: true,
      answer: (answer, request) =>
        /wbsearchentities/.test(request) && isRecord(answer) && isList(answer['search'])
          ? {
              ...answer,
              search: answer['search'].map((one, place) =>
                place === 0
                  ? {
                      ...(one as JsonRecord),
                      id: 'Q90',
                      title: 'Item:Q90',
                      pageid: 900,
                      concepturi: 'http://127.0.0.1:8046/entity/Q90',
                      url: 'http://127.0.0.1:8046/w/index.php/Item:Q90'
                    }
                  : one
              )
            }
          : answer
    }
  }
]
