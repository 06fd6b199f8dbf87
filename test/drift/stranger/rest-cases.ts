/** What rest.php of a wiki may answer between two recordings of one version; written before anybody looked what the rules say of it. */
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  type Mutation,
  members,
  rows
} from '../content/mutating-wiki.ts'
import {
  asText,
  everyText,
  gone,
  mapEntries,
  onTop,
  texts
} from '../content/mutation-builders.ts'
import { breaking, cosmetic, each, fieldOf, only, risky } from './case-builders.ts'
import type { StrangerCase } from './stranger-cases.ts'
import type { StrangerChange } from './stranger-wiki.ts'

export const rest = (
  path: RegExp,
  change: (answer: JsonRecord) => Json
): StrangerChange => ({ answer: only(path, onTop(change)) })
export const withoutMembers = (
  record: JsonRecord,
  ...names: readonly string[]
): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
export const body = (
  path: RegExp,
  change: (text: string) => string,
  headers: Readonly<Record<string, string>> = {},
  status?: number
): StrangerChange =>
  each((one, request) =>
    path.test(request) && one.body.kind === 'text'
      ? {
          ...one,
          status: status ?? one.status,
          headers: new Map([...one.headers, ...Object.entries(headers)]),
          body: { kind: 'text', text: change(one.body.text) }
        }
      : one
  )
export const header = (
  path: RegExp,
  name: string,
  change: (value: string) => string | undefined
): StrangerChange =>
  each((one, request) => {
    const value = one.headers.get(name)
    if (!path.test(request) || value === undefined) return one
    const after = change(value)
    const headers = new Map([...one.headers].filter(([key]) => key !== name))
    return { ...one, headers: after === undefined ? headers : headers.set(name, after) }
  })
const status = (path: RegExp, from: number, to: number): StrangerChange =>
  each((one, request) =>
    path.test(request) && one.status === from ? { ...one, status: to } : one
  )
const page = /\/page\/[^/]*$/
const pages = /\/page\//
const history = /\/history(?:\?|$)/
const all = /rest\.php/
const missing = /D0%9D%D0%B5%D1%82/
const revisions = (change: (all: readonly Json[]) => readonly Json[]): Mutation =>
  only(
    history,
    members(/^revisions$/, (value) => (isList(value) ? change(value) : value))
  )
const html = /\/html$/

export const restCases: readonly StrangerCase[] = [
  breaking('a missing page with 200', status(missing, 404, 200)),
  breaking('httpCode gone', fieldOf(all, /^httpCode$/, gone)),
  breaking('errorKey gone', fieldOf(all, /^errorKey$/, gone)),
  breaking(
    'another errorKey',
    fieldOf(
      all,
      /^errorKey$/,
      texts((text) => text.replace('nonexistent', 'unknown'))
    )
  ),
  breaking('messages of errors gone', fieldOf(all, /^messageTranslations$/, gone)),
  cosmetic(
    'other words of an error',
    fieldOf(all, /^messageTranslations$/, (value) =>
      isRecord(value) ? mapEntries(value, (name) => [name, 'Nothing is here']) : value
    )
  ),
  risky(
    'words of an error in one language',
    fieldOf(all, /^messageTranslations$/, (value) =>
      isRecord(value) ? withoutMembers(value, 'ru') : value
    )
  ),
  breaking(
    'httpCode as a text',
    fieldOf(all, /^httpCode$/, (value) => String(value))
  ),
  breaking('ids of pages as texts', fieldOf(pages, /^id$/, asText)),
  breaking(
    'the latest revision as a number',
    fieldOf(pages, /^latest$/, (value) => (isRecord(value) ? (value['id'] ?? 0) : value))
  ),
  breaking(
    'no licence',
    fieldOf(pages, /^license$/, () => null)
  ),
  breaking('the source of a page gone', fieldOf(page, /^source$/, gone)),
  risky(
    'the source of a page cut',
    fieldOf(
      page,
      /^source$/,
      texts((text) => text.slice(0, -1))
    )
  ),
  breaking(
    'the address of HTML without its host',
    fieldOf(
      pages,
      /^html_url$/,
      texts((text) => text.replace(/^http:\/\/[^/]+/, ''))
    )
  ),
  breaking(
    'the content model renamed',
    rest(page, ({ content_model, ...more }) =>
      content_model === undefined ? more : { ...more, model: content_model }
    )
  ),
  breaking(
    'JSON as text/html',
    header(page, 'content-type', () => 'text/html; charset=utf-8')
  ),
  risky(
    'another profile of HTML',
    header(html, 'content-type', (value) => value.replace('2.8.0', '2.7.0'))
  ),
  risky('no ETag', header(pages, 'etag', gone)),
  risky(
    'ETags are weak',
    header(pages, 'etag', (value) => `W/${value}`)
  ),
  risky('no Last-Modified', header(pages, 'last-modified', gone)),
  breaking('older gone', fieldOf(history, /^older$/, gone)),
  breaking(
    'older without its host',
    fieldOf(
      history,
      /^older$/,
      texts((text) => text.replace(/^http:\/\/[^/]+/, ''))
    )
  ),
  risky(
    'older begins elsewhere',
    fieldOf(
      history,
      /^older$/,
      texts((text) => text.replace(/older_than=\d+/, 'older_than=1'))
    )
  ),
  risky('batches of ten', { answer: revisions((some) => some.slice(0, 10)) }),
  risky('a history from its beginning', {
    answer: revisions((some) => some.toReversed())
  }),
  risky('a revision left out', { answer: revisions((some) => some.toSpliced(2, 1)) }),
  risky('a revision twice', {
    answer: revisions((some) => [...some.slice(0, 3), ...some.slice(2)])
  }),
  breaking(
    'no deltas',
    fieldOf(history, /^delta$/, () => null)
  ),
  breaking(
    'users as names',
    fieldOf(history, /^user$/, (value) =>
      isRecord(value) ? (value['name'] ?? '') : value
    )
  ),
  breaking(
    'minor as a number',
    fieldOf(all, /^minor$/, (value) => Number(value))
  ),
  breaking('times of MediaWiki', {
    answer: only(
      all,
      everyText((text) =>
        /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? text.replaceAll(/\D/g, '') : text
      )
    )
  }),
  risky(
    'comments without their end',
    fieldOf(
      history,
      /^comment$/,
      texts((text) => text.slice(0, 5))
    )
  ),
  breaking('whether a count is cut gone', fieldOf(/counts/, /^limit$/, gone)),
  breaking(
    'counts as texts',
    fieldOf(/counts/, /^count$/, (value) => String(value))
  ),
  risky(
    'counts of nothing',
    fieldOf(/counts/, /^count$/, () => 0)
  ),
  breaking(
    'files as a map',
    fieldOf(/links\/media/, /^files$/, (value) =>
      isList(value) ? Object.fromEntries(value.map((one, at) => [`f${at}`, one])) : value
    )
  ),
  breaking(
    'no preferred size',
    fieldOf(all, /^preferred$/, () => null)
  ),
  risky(
    'files on another host',
    fieldOf(
      all,
      /^url$/,
      texts((text) => text.replace('127.0.0.1:8143', 'media.example'))
    )
  ),
  risky(
    'widths one more',
    fieldOf(/\/file\//, /^width$/, (value) => Number(value) + 1)
  ),
  risky(
    'another language',
    fieldOf(/links\/language/, /^code$/, () => 'en-x')
  ),
  breaking('languages a map', {
    answer: only(/links\/language/, (value) =>
      isList(value) ? Object.fromEntries(value.map((one) => ['en', one])) : value
    )
  }),
  risky('no languages', { answer: only(/links\/language/, () => []) }),
  breaking(
    'a page of a gateway',
    body(missing, () => '<!DOCTYPE html><html><body><h1>404</h1></body></html>', {
      'content-type': 'text/html'
    })
  ),
  breaking(
    'a notice of PHP',
    body(
      page,
      (text) =>
        `<br />\n<b>Notice</b>: Undefined index in <b>x.php</b> on line <b>3</b><br />\n${text}`
    )
  ),
  breaking(
    'no body',
    body(/\/history/, () => '')
  ),
  breaking(
    'JSON that breaks off',
    body(/\/revision\//, (text) => text.slice(0, -20))
  ),
  breaking(
    'results under another name',
    rest(/search/, ({ pages: found = [], ...more }) => ({ ...more, results: found }))
  ),
  risky(
    'excerpts in other markup',
    fieldOf(
      /search\/page/,
      /^excerpt$/,
      texts((text) => text.replaceAll('span', 'em'))
    )
  ),
  breaking('no thumbnails', fieldOf(/search/, /^thumbnail$/, gone)),
  breaking(
    'keys with blanks',
    fieldOf(
      /page|search/,
      /^key$/,
      texts((text) => text.replaceAll('_', ' '))
    )
  ),
  risky(
    'nothing is found',
    fieldOf(/search\/title/, /^pages$/, () => [])
  ),
  breaking(
    'redirects are sent on',
    body(
      /page\/%D0%A3%D0%B7%D0%B5%D0%BB%D0%BE%D0%BA/,
      () => '',
      { location: '/w/rest.php/v1/page/x' },
      307
    )
  ),
  breaking('whose revision it is gone', {
    answer: only(
      /\/revision\//,
      rows('source', (row) => withoutMembers(row, 'page'))
    )
  }),
  breaking(
    'comments null',
    fieldOf(/\/revision\//, /^comment$/, () => null)
  ),
  risky(
    'HTML without data of templates',
    body(html, (text) => text.replaceAll(/ data-mw='[^']*'| data-mw="[^"]*"/g, ''))
  ),
  breaking(
    'all pages fail',
    body(
      page,
      () => '{"errorKey":"internal","httpCode":500,"httpReason":"Internal Server Error"}',
      {},
      500
    )
  ),
  risky(
    'markup of one page',
    fieldOf(
      /with_html/,
      /^html$/,
      texts((text) => text.replaceAll(/ data-mw='[^']*'| data-mw="[^"]*"/g, ''))
    )
  ),
  breaking('HTML gone', fieldOf(/with_html/, /^html$/, gone)),
  breaking(
    'the route gone',
    body(
      /counts\/editors/,
      () =>
        '{"errorKey":"rest-no-match","messageTranslations":{"en":"The requested relative path did not match any known handler"},"httpCode":404,"httpReason":"Not Found"}',
      {},
      404
    )
  ),
  risky(
    'sizes one more',
    fieldOf(/history|revision/, /^size$/, (value) => Number(value) + 1)
  )
]
