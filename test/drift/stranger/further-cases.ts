/** What else a wiki may answer between two recordings of one version; written before anybody looked what the rules say of it. */
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  lists,
  members,
  rows
} from '../content/mutating-wiki.ts'
import {
  everyText,
  gone,
  hasText,
  mapEntries,
  numbers,
  onQuery,
  onTop,
  texts
} from '../content/mutation-builders.ts'
import { breaking, each, fieldOf, list, only, risky, textOf } from './case-builders.ts'
import type { StrangerCase } from './stranger-cases.ts'
import type { StrangerChange } from './stranger-wiki.ts'

const rowsOf = (
  request: RegExp,
  name: string,
  change: (row: JsonRecord) => JsonRecord
): StrangerChange => ({ answer: only(request, rows(name, change)) })
const without = (row: JsonRecord, ...names: readonly string[]): JsonRecord =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))
const ofQuery = (
  request: RegExp,
  change: (query: JsonRecord) => JsonRecord
): StrangerChange => ({ answer: only(request, onQuery(change)) })
const top = (request: RegExp, change: (answer: JsonRecord) => Json): StrangerChange => ({
  answer: only(request, onTop(change))
})
const listAt = (name: string, change: (all: readonly Json[]) => Json): StrangerChange =>
  ofQuery(new RegExp(`list=${name}`), (query) => {
    const all = query[name]
    return isList(all) ? { ...query, [name]: change(all) } : query
  })
const isLast = (answer: JsonRecord): boolean =>
  isRecord(answer['query']) && !('continue' in answer)
const json = /^(?!.*(?:exportnowrap|format=xml)).*action=query/
const hex = (text: string): string => text.replaceAll('о', 'o').replaceAll('а', 'a')
const setCookies = (change: (name: string) => string): StrangerChange =>
  each((one) => ({
    ...one,
    cookies: one.cookies.map((cookie) => ({
      ...cookie,
      attributes: cookie.attributes.map(change)
    }))
  }))
const header = (name: string, change: (value: string) => string): StrangerChange =>
  each((one) => {
    const value = one.headers.get(name)
    return value === undefined
      ? one
      : { ...one, headers: new Map([...one.headers, [name, change(value)]]) }
  })
const inText = (change: (html: string) => string): StrangerChange => ({
  answer: only(/action=parse/, hasText(change))
})

const envelope: readonly StrangerCase[] = [
  breaking(
    'query renamed',
    top(json, ({ query, ...rest }) =>
      query === undefined ? rest : { ...rest, result: query }
    )
  ),
  risky(
    'the limits of max gone',
    top(/limit=max/, ({ limits: _, ...rest }) => rest)
  ),
  breaking(
    'a comment of a cache behind the JSON',
    textOf(json, (text) => `${text}\n<!-- cached -->`)
  ),
  breaking(
    'NaN for 0',
    textOf(/list=recentchanges/, (text) => text.replaceAll(/:0([,}])/g, ':NaN$1'))
  ),
  breaking(
    'numbers with an exponent',
    textOf(/prop=info/, (text) => text.replaceAll(/"length":(\d+)/g, '"length":$1e0'))
  ),
  breaking(
    'another type of JSON',
    each((one) =>
      one.body.kind === 'json'
        ? {
            ...one,
            headers: new Map([
              ...one.headers,
              ['content-type', 'application/vnd.mediawiki+json; charset=utf-8']
            ])
          }
        : one
    )
  ),
  breaking(
    'the log fails',
    top(/list=logevents/, () => ({
      error: { code: 'internal_api_error_DBQueryError', info: 'Caught exception' }
    }))
  ),
  breaking(
    'errors without their text',
    fieldOf(/nosuchaction|cmtitle=Волга/, /^info$/, gone)
  ),
  risky(
    'the header of errors names another',
    header('mediawiki-api-error', (code) => `other-${code}`)
  ),
  breaking(
    'contributions behind a login page',
    each((one, request) =>
      /usercontribs/.test(request)
        ? {
            ...one,
            status: 302,
            headers: new Map([
              ['location', '/w/index.php?title=Special:UserLogin'],
              ['content-type', 'text/html; charset=utf-8']
            ]),
            body: { kind: 'text', text: '' }
          }
        : one
    )
  ),
  risky(
    'cookies of another path',
    setCookies((one) => one.replace('path=/', 'path=/wiki'))
  ),
  breaking(
    'a login wants its token',
    top(/action=login/, () => ({ login: { result: 'NeedToken', token: 'x+\\' } }))
  ),
  breaking('the name of who logs in gone', fieldOf(/action=login/, /^lgusername$/, gone)),
  breaking(
    'an edit fails',
    top(/action=edit/, () => ({
      edit: { result: 'Failure', captcha: { type: 'simple', id: '7' } }
    }))
  ),
  risky(
    'an edit of another title',
    fieldOf(/action=edit/, /^title$/, () => 'Волга (река)')
  ),
  breaking('no number of the new revision', fieldOf(/action=edit/, /^newrevid$/, gone)),
  breaking('an empty continue at the end', {
    answer: onTop((answer) => (isLast(answer) ? { ...answer, continue: {} } : answer))
  }),
  breaking('continue null at the end', {
    answer: onTop((answer) => (isLast(answer) ? { ...answer, continue: null } : answer))
  })
]

const ofLists: readonly StrangerCase[] = [
  breaking(
    'a list as a map',
    listAt('allpages', (all) =>
      Object.fromEntries(all.map((one, at) => [String(at), one]))
    )
  ),
  breaking(
    'rows one deeper',
    listAt('allpages', (all) => all.map((one) => ({ page: one })))
  ),
  breaking('lists without rows null', { answer: onTop((answer) => mapNull(answer)) }),
  breaking('pages by their titles', {
    answer: only(
      /prop=(?:info|links|categories)/,
      onQuery((query) => {
        const { pages } = query
        return isRecord(pages)
          ? {
              ...query,
              pages: Object.fromEntries(
                Object.values(pages).map((one) => [
                  isRecord(one) ? String(one['title']) : '',
                  one
                ])
              )
            }
          : query
      })
    )
  }),
  risky('one missing page left out', {
    answer: only(
      /titles=.*\|/,
      onQuery((query) => {
        const { pages } = query
        return isRecord(pages)
          ? {
              ...query,
              pages: Object.fromEntries(
                Object.entries(pages).filter(([id]) => id !== '-1')
              )
            }
          : query
      })
    )
  }),
  risky(
    'rows by their number',
    listAt('allpages', (all) =>
      all.toSorted((a, b) => numberOf(a, 'pageid') - numberOf(b, 'pageid'))
    )
  ),
  risky(
    'users do not link',
    listAt('backlinks', (all) => all.filter((one) => isRecord(one) && one['ns'] !== 2))
  ),
  breaking(
    'details of the log a list',
    fieldOf(/list=logevents/, /^params$/, (value) =>
      isRecord(value) ? Object.values(value) : value
    )
  ),
  risky(
    'actions with their type',
    rowsOf(/list=logevents/, 'logid', (row) => ({
      ...row,
      action: `${row['type']}/${row['action']}`
    }))
  ),
  risky(
    'changes of type 0',
    rowsOf(/list=recentchanges/, 'rcid', (row) => ({
      ...row,
      type: row['type'] === 'edit' ? '0' : '3'
    }))
  ),
  risky(
    'sizes of what has none',
    rowsOf(/list=recentchanges/, 'rcid', (row) => ({ ...row, newlen: 1 }))
  ),
  breaking('ids of changes gone', fieldOf(/list=recentchanges/, /^rcid$/, gone)),
  risky(
    'each edit is the last',
    rowsOf(/list=usercontribs/, 'revid', (row) => ({ ...row, top: '' }))
  ),
  breaking(
    'words as texts',
    fieldOf(/list=search/, /^wordcount$/, (value) => String(value))
  ),
  breaking('opensearch without hosts', {
    answer: only(
      /action=opensearch/,
      everyText((text) => text.replace(/^http:\/\/[^/]+/, ''))
    )
  }),
  breaking(
    'values of query pages as numbers',
    fieldOf(/list=querypage/, /^value$/, (value) => Number(value))
  ),
  risky('titles in letters that look alike', {
    answer: only(
      /list=categorymembers/,
      everyText((text) => (/^[А-Яа-я ]+$/.test(text) ? hex(text) : text))
    )
  }),
  risky('titles escaped', {
    answer: only(
      /list=allpages|allimages/,
      members(
        /^title$/,
        texts((text) => text.replaceAll(/["'«»:]/g, (one) => `&#${one.charCodeAt(0)};`))
      )
    )
  }),
  risky(
    'users with their namespace',
    fieldOf(
      /list=recentchanges|usercontribs|logevents/,
      /^user$/,
      texts((text) => `Участник:${text}`)
    )
  ),
  risky(
    'blocks by nobody',
    fieldOf(/list=blocks/, /^by$/, () => '')
  ),
  risky(
    'networks without their size',
    fieldOf(
      /list=blocks/,
      /^user$/,
      texts((text) => text.replace(/\/\d+$/, ''))
    )
  ),
  risky('tags no longer active', fieldOf(/list=tags/, /^active$/, gone)),
  breaking(
    'tags of nobody',
    fieldOf(/list=tags/, /^source$/, () => [])
  ),
  risky(
    'what users link to is in no namespace',
    fieldOf(/prop=links/, /^ns$/, () => 0)
  ),
  risky(
    'categories in capitals',
    fieldOf(
      /action=query&.*prop=categories/,
      /^title$/,
      texts((text) => text.toUpperCase())
    )
  )
]

const numberOf = (row: Json, name: string): number =>
  isRecord(row) ? Number(row[name]) : 0
function mapNull(value: Json): Json {
  if (isList(value)) return value.length === 0 ? null : value.map(mapNull)
  return isRecord(value) ? mapEntries(value, (name, one) => [name, mapNull(one)]) : value
}

const ofPages: readonly StrangerCase[] = [
  risky(
    'files of a shared repository',
    fieldOf(/imageinfo/, /^imagerepository$/, () => 'shared')
  ),
  risky(
    'another type of files',
    fieldOf(/imageinfo/, /^mime$/, () => 'image/x-png')
  ),
  breaking(
    'versions of a file as one',
    fieldOf(/imageinfo/, /^imageinfo$/, (value) =>
      isList(value) ? (value[0] ?? null) : value
    )
  ),
  breaking(
    'densities of thumbnails gone',
    fieldOf(/imageinfo/, /^responsiveUrls$/, gone)
  ),
  breaking(
    'names of files with blanks',
    fieldOf(
      /list=allimages/,
      /^name$/,
      texts((text) => text.replaceAll('_', ' '))
    )
  ),
  risky(
    'another format of content',
    fieldOf(/prop=revisions/, /^contentformat$/, () => 'text/plain')
  ),
  risky(
    'pages in another direction',
    fieldOf(/prop=info/, /^pagelanguagedir$/, () => 'rtl')
  ),
  risky(
    'lengths in characters',
    fieldOf(
      /prop=info|generator=/,
      /^length$/,
      numbers((one) => Math.ceil(one / 2))
    )
  ),
  breaking('addresses to edit gone', fieldOf(/inprop=.*url/, /^editurl$/, gone)),
  risky(
    'titles shown with underscores',
    fieldOf(
      /inprop=.*displaytitle/,
      /^displaytitle$/,
      texts((text) => `<b>${text}</b>`)
    )
  ),
  breaking(
    'kinds of protection gone',
    fieldOf(/inprop=.*protection/, /^restrictiontypes$/, gone)
  )
]

const ofSite: readonly StrangerCase[] = [
  breaking(
    'namespaces by name',
    ofQuery(/siteinfo/, (query) => {
      const { namespaces } = query
      return isRecord(namespaces)
        ? { ...query, namespaces: mapEntries(namespaces, (id, one) => [`ns${id}`, one]) }
        : query
    })
  ),
  risky('canonical names gone', fieldOf(/siteinfo/, /^canonical$/, gone)),
  risky(
    'scripts elsewhere',
    fieldOf(/siteinfo/, /^script$/, () => '/index.php')
  ),
  breaking(
    'statistics as texts',
    fieldOf(/siteinfo/, /^statistics$/, (value) =>
      isRecord(value) ? mapEntries(value, (name, one) => [name, String(one)]) : value
    )
  ),
  breaking(
    'the generator without its name',
    fieldOf(
      /siteinfo/,
      /^generator$/,
      texts((text) => text.replace('MediaWiki ', ''))
    )
  ),
  risky('no local interwikis', {
    answer: only(
      /siteinfo/,
      list('interwikimap', (all) =>
        all.map((one) => (isRecord(one) ? without(one, 'local') : one))
      )
    )
  }),
  risky(
    'a missing message as its name',
    rowsOf(/allmessages/, 'missing', (row) => ({
      ...without(row, 'missing'),
      '*': `⧼${row['name']}⧽`
    }))
  ),
  risky('nobody is anonymous', fieldOf(/meta=userinfo/, /^anon$/, gone)),
  breaking('groups that all have gone', {
    answer: only(
      /list=users|allusers/,
      list('groups', (all) => all.filter((one) => one !== '*' && one !== 'user'))
    )
  }),
  risky('users in another order', {
    answer: only(
      /ususers=/,
      lists((all) => all.toReversed())
    )
  }),
  breaking(
    'unknown users are invalid',
    rowsOf(/ususers=/, 'missing', (row) => ({ ...without(row, 'missing'), invalid: '' }))
  ),
  risky(
    'nobody edits',
    fieldOf(/list=allusers|list=users/, /^editcount$/, () => 0)
  ),
  breaking(
    'flags as words',
    textOf(/formatversion=2/, (text) =>
      text.replaceAll(/:(true|false)([,}])/g, ':"$1"$2')
    )
  ),
  breaking('fields of a login gone', fieldOf(/authmanagerinfo/, /^fields$/, gone))
]

const ofTexts: readonly StrangerCase[] = [
  breaking(
    'the text of a parse bare',
    fieldOf(/action=parse/, /^text$/, (value) =>
      isRecord(value) ? (value['*'] ?? '') : value
    )
  ),
  breaking('numbers of sections gone', fieldOf(/action=parse/, /^index$/, gone)),
  risky(
    'pictures at once',
    inText((html) => html.replaceAll(' decoding="async"', ' loading="eager"'))
  ),
  risky(
    'links to the whole address',
    inText((html) => html.replaceAll('href="/w/', 'href="http://127.0.0.1:8143/w/'))
  ),
  risky(
    'quotes of a reference numbered otherwise',
    inText((html) => html.replaceAll('cite&#95;', 'ref&#95;').replaceAll('cite_', 'ref_'))
  ),
  risky(
    'parsed from revision 0',
    fieldOf(
      /action=parse/,
      /^revid$/,
      numbers(() => 0)
    )
  ),
  breaking(
    'expanded text under its old name',
    rowsOf(/expandtemplates/, 'wikitext', (row) => ({
      ...without(row, 'wikitext'),
      '*': row['wikitext'] ?? ''
    }))
  ),
  risky('a comparison without numbers of lines', {
    answer: only(
      /action=compare/,
      everyText((text) =>
        text.replaceAll(/<tr><td colspan="2" class="diff-lineno".*?<\/tr>/gs, '')
      )
    )
  }),
  breaking(
    'attributes of XML as elements',
    textOf(/format=xml/, (text) =>
      text.replace(/ length="(\d+)" \/>/, '><length>$1</length></page>')
    )
  ),
  breaking(
    'pages of XML unwrapped',
    textOf(/format=xml/, (text) => text.replaceAll(/<\/?pages>/g, ''))
  ),
  risky(
    'export without sha1',
    textOf(/exportnowrap/, (text) => text.replaceAll(/ *<sha1>.*?<\/sha1>\n/g, ''))
  )
]

export const furtherCases: readonly StrangerCase[] = [
  ...envelope,
  ...ofLists,
  ...ofPages,
  ...ofSite,
  ...ofTexts
]
