/** More of what a wiki may do between two recordings of one version: none of these was at hand when the rules were made. */
import { isList, isRecord, lists, members, rows } from '../content/mutating-wiki.ts'
import {
  asText,
  batches,
  everyText,
  gone,
  hasText,
  mapEntries,
  numbers,
  onContinue,
  onPages,
  onQuery,
  onTop,
  texts,
  time
} from '../content/mutation-builders.ts'
import {
  breaking,
  cosmetic,
  each,
  field,
  fieldOf,
  list,
  only,
  risky,
  textOf,
  withFloats
} from './case-builders.ts'
import type { StrangerCase } from './stranger-cases.ts'

export const moreCases: readonly StrangerCase[] = [
  breaking('the plain continue gone', {
    answer: onContinue(({ continue: _, ...rest }) => rest)
  }),
  breaking(
    'sizes as floats',
    each((one) =>
      one.body.kind === 'json'
        ? {
            ...one,
            body: { ...one.body, tree: withFloats(one.body.tree, /^(?:size|length)$/) }
          }
        : one
    )
  ),
  breaking('missing not said', {
    answer: onPages((one) => {
      const { missing: _, ...rest } = one
      return rest
    })
  }),
  risky('all rows twice', {
    answer: only(
      /list=backlinks|list=embeddedin/,
      lists((all) => all.flatMap((one) => [one, one]))
    )
  }),
  risky(
    'snippets in other markup',
    fieldOf(
      /list=search/,
      /^snippet$/,
      texts((text) =>
        text.replaceAll(/<span class="searchmatch">(.*?)<\/span>/g, '<em>$1</em>')
      )
    )
  ),
  risky('pictures without a link', {
    answer: only(
      /action=parse/,
      hasText((text) =>
        text.replaceAll(/<a [^>]*mw-file-description[^>]*>(<img[^>]*>)<\/a>/g, '$1')
      )
    )
  }),
  risky(
    'export of another schema',
    textOf(/exportnowrap/, (text) => text.replaceAll('export-0.11', 'export-0.10'))
  ),
  risky('marks of compare swapped', {
    answer: only(
      /action=compare/,
      everyText((text) =>
        text.replaceAll(/diff-(?:deleted|added)line/g, (name) =>
          name === 'diff-addedline' ? 'diff-deletedline' : 'diff-addedline'
        )
      )
    )
  }),
  risky('numbers of compare swapped', {
    answer: only(
      /action=compare/,
      onTop((one) => {
        const compare = one['compare']
        if (!isRecord(compare)) return one
        const { fromrevid = 0, torevid = 0 } = compare
        return { ...one, compare: { ...compare, fromrevid: torevid, torevid: fromrevid } }
      })
    )
  }),
  risky('templates not expanded', {
    answer: only(
      /action=expandtemplates/,
      members(/^wikitext$/, () => '{{PAGENAME}} {{Box B|1}}')
    )
  }),
  risky(
    'lastrevid off by one',
    field(
      /^lastrevid$/,
      numbers((one) => one + 1)
    )
  ),
  breaking(
    'page ids of members as texts',
    fieldOf(/list=categorymembers/, /^pageid$/, asText)
  ),
  breaking('namespaces of results gone', fieldOf(/list=search/, /^ns$/, gone)),
  risky('revisions from the oldest', {
    answer: only(
      /prop=revisions&rvlimit|rvlimit=/,
      onPages((one) => {
        const { revisions } = one
        return isList(revisions) ? { ...one, revisions: revisions.toReversed() } : one
      })
    )
  }),
  risky('a limit ignored', {
    answer: only(
      /lelimit=50/,
      onTop(({ continue: _, ...rest }) =>
        lists((all) => all.slice(0, 10))({ ...rest, batchcomplete: '' }, '')
      )
    )
  }),
  risky('rows of others', {
    answer: only(
      /ucuser=Bob/,
      lists((all) =>
        all.map((one, at) => (at % 2 ? { ...one, user: 'Admin', userid: 1 } : one))
      )
    )
  }),
  risky(
    'ids of users 0',
    fieldOf(
      /list=usercontribs|recentchanges/,
      /^userid$/,
      numbers(() => 0)
    )
  ),
  breaking('milliseconds in the log', {
    answer: only(
      /list=logevents/,
      time((iso) => iso.replace('Z', '.000Z'))
    )
  }),
  breaking(
    'registration null',
    field(/^registration$/, () => null)
  ),
  breaking('edit counts as texts', field(/^editcount$/, asText)),
  breaking('number of hits gone', fieldOf(/list=search/, /^searchinfo$/, gone)),
  risky(
    'number of hits 0',
    fieldOf(
      /list=search/,
      /^totalhits$/,
      numbers(() => 0)
    )
  ),
  breaking(
    'levels of sections as numbers',
    fieldOf(/action=parse/, /^level$/, (value) => Number(value))
  ),
  risky(
    'lines that end with CR LF',
    field(
      /^(?:\*|content)$/,
      texts((text) => text.replaceAll('\n', '\r\n'))
    )
  ),
  risky(
    'comments escaped',
    field(
      /^comment$/,
      texts((text) => text.replaceAll('[', '&#91;').replaceAll('"', '&quot;'))
    )
  ),
  risky('titles in capitals', {
    answer: only(
      /list=allpages/,
      members(
        /^title$/,
        texts((text) => text.toUpperCase())
      )
    )
  }),
  risky(
    'infinity is empty',
    field(
      /^(?:expiry|blockexpiry)$/,
      texts((text) => (text === 'infinity' ? '' : text))
    )
  ),
  risky(
    'protection not said',
    fieldOf(/inprop=/, /^protection$/, (value) => (isList(value) ? [] : value))
  ),
  breaking('options gone', fieldOf(/meta=userinfo/, /^options$/, gone)),
  breaking(
    'status 203',
    each((one) => ({ ...one, status: 203 }))
  ),
  risky(
    'pages on another path',
    fieldOf(/siteinfo/, /^articlepath$/, () => '/page/$1')
  ),
  risky(
    'pages may be shorter',
    fieldOf(
      /siteinfo/,
      /^maxarticlesize$/,
      numbers(() => 1024)
    )
  ),
  risky(
    'interwikis without TLS',
    fieldOf(
      /siteinfo/,
      /^url$/,
      texts((text) => text.replace('https:', 'http:'))
    )
  ),
  breaking('the token of an edit gone', fieldOf(/meta=tokens/, /^csrftoken$/, gone)),
  cosmetic('text of an error', {
    answer: only(
      /nosuchaction/,
      members(/^info$/, () => 'Неизвестное действие')
    )
  }),
  breaking(
    'JSON behind a byte order mark',
    textOf(/^(?!.*(?:exportnowrap|format=xml)).*action=query/, (text) => `\uFEFF${text}`)
  ),
  breaking(
    'JSON in a callback nobody asked for',
    textOf(
      /^(?!.*(?:exportnowrap|format=xml)).*action=query/,
      (text) => `/**/cb(${text})`,
      'text/javascript; charset=utf-8'
    )
  ),
  breaking('pages a list', {
    answer: onQuery((query) => {
      const { pages } = query
      return isRecord(pages) ? { ...query, pages: Object.values(pages) } : query
    })
  }),
  risky(
    'parents of revisions 0',
    field(
      /^parentid$/,
      numbers(() => 0)
    )
  ),
  breaking('a generator of links finds nothing', {
    answer: only(
      /generator=links/,
      onTop(({ query: _, ...rest }) => rest)
    )
  }),
  risky('prefix search finds nothing', {
    answer: only(
      /list=prefixsearch/,
      lists(() => [])
    )
  }),
  risky('escapes twice', {
    answer: only(
      /list=allpages/,
      members(
        /^title$/,
        texts((text) =>
          text.replaceAll(
            /[а-я]/g,
            (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
          )
        )
      )
    )
  }),
  risky('marks of direction in titles', {
    answer: only(
      /list=categorymembers/,
      members(
        /^title$/,
        texts((text) => `\u200E${text}`)
      )
    )
  }),
  risky('images with their namespace', {
    answer: only(
      /action=parse/,
      list('images', (all) =>
        all.map((one) => (typeof one === 'string' ? `Файл:${one}` : one))
      )
    )
  }),
  breaking('groups of users gone', fieldOf(/list=allusers/, /^groups$/, gone)),
  breaking(
    'an attribute of XML renamed',
    textOf(/format=xml/, (text) => text.replaceAll(' lastrevid=', ' revid='))
  ),
  risky(
    'comment cut',
    field(
      /^comment$/,
      texts((text) => text.slice(0, 8))
    )
  ),
  risky('user names without their capital', {
    answer: rows('user', (row) => ({ ...row, user: String(row['user']).toLowerCase() }))
  }),
  risky('the talk pages of a list', {
    answer: only(
      /list=embeddedin/,
      lists((all) => all.map((one) => ({ ...one, ns: Number(one['ns']) + 1 })))
    )
  }),
  risky('html of parse without its wrapper', {
    answer: only(
      /action=parse/,
      hasText((text) => text.replace(/^<div[^>]*>/, '').replace(/<\/div>$/, ''))
    )
  }),
  risky(
    'user id of the caller',
    fieldOf(
      /meta=userinfo/,
      /^id$/,
      numbers(() => 77)
    )
  ),
  breaking('timestamps gone', fieldOf(/list=usercontribs/, /^timestamp$/, gone)),
  risky('batches of one page fewer', {
    answer: batches((all) => (all.length > 2 ? all.toSpliced(2, 1) : all))
  }),
  risky('offset with a plus', {
    answer: onContinue((values) =>
      mapEntries(values, (name, value) => [
        name,
        name === 'sroffset' ? `+${String(value)}` : value
      ])
    ),
    request: (name, value) => [name, name === 'sroffset' ? `+${value}` : value]
  }),
  breaking(
    'external links without a scheme',
    fieldOf(/action=parse/, /^externallinks$/, (value) =>
      isList(value)
        ? value.map((one) =>
            typeof one === 'string' ? one.replace(/^https?:/, '') : one
          )
        : value
    )
  ),
  risky('messages missing', {
    answer: only(
      /meta=allmessages/,
      lists((all) => all.map(({ '*': _, ...rest }) => ({ ...rest, missing: '' })))
    )
  }),
  breaking(
    'tags a map',
    field(/^tags$/, (value) =>
      isList(value) && value.length > 0
        ? Object.fromEntries(value.map((one, at) => [String(at), one]))
        : value
    )
  ),
  risky('sizes of revisions doubled', {
    answer: only(
      /prop=revisions/,
      members(
        /^size$/,
        numbers((one) => one * 2)
      )
    )
  }),
  risky(
    'tags on all revisions',
    field(/^tags$/, (value) =>
      isList(value) && value.length === 0 ? ['mobile edit'] : value
    )
  ),
  risky(
    'counts of categories 0',
    fieldOf(
      /prop=categoryinfo/,
      /^(?:size|files|subcats)$/,
      numbers(() => 0)
    )
  ),
  breaking('code of one error', {
    answer: only(
      /nosuchaction/,
      members(/^code$/, () => 'unknown_action')
    )
  }),
  risky('times of the end of the hour', {
    answer: only(
      /list=recentchanges/,
      time((iso) => iso.replace(/\d\d:\d\dZ$/, '59:59Z'))
    )
  }),
  breaking('redirects a map', {
    answer: onQuery((query) => {
      const { redirects } = query
      return isList(redirects)
        ? {
            ...query,
            redirects: Object.fromEntries(
              redirects.flatMap((one) =>
                isRecord(one) ? [[String(one['from']), one['to'] ?? '']] : []
              )
            )
          }
        : query
    })
  }),
  risky('the first block gone', {
    answer: only(
      /list=blocks/,
      lists((all) => all.slice(1))
    )
  }),
  risky('contributions from the oldest', {
    answer: only(
      /list=usercontribs/,
      lists((all) => all.toReversed())
    )
  }),
  breaking('slots ignored', {
    answer: members(/^revisions$/, (value) =>
      isList(value)
        ? value.map((one) => {
            if (!isRecord(one) || !isRecord(one['slots'])) return one
            const { slots, ...rest } = one
            const main = isRecord(slots) && isRecord(slots['main']) ? slots['main'] : {}
            return { ...rest, ...main }
          })
        : value
    )
  }),
  breaking('rights not told', fieldOf(/meta=userinfo/, /^rights$/, gone)),
  risky('an unknown user left out', {
    answer: only(
      /list=users/,
      lists((all) => all.slice(0, 2))
    )
  }),
  breaking('thumbnails ignored', fieldOf(/imageinfo/, /^thumb/, gone)),
  breaking('times with a small z', {
    answer: only(
      /list=recentchanges/,
      time((iso) => iso.replace('Z', 'z'))
    )
  }),
  risky(
    'words of results 0',
    fieldOf(
      /list=search/,
      /^wordcount$/,
      numbers(() => 0)
    )
  ),
  risky(
    'anchors as of old',
    fieldOf(
      /action=parse/,
      /^anchor$/,
      texts((text) => encodeURIComponent(text).replaceAll('%', '.'))
    )
  ),
  breaking('categories without sort keys', fieldOf(/action=parse/, /^sortkey$/, gone)),
  risky(
    'session cookies for scripts',
    each((one) => ({
      ...one,
      cookies: one.cookies.map((cookie) => ({
        ...cookie,
        attributes: cookie.attributes.filter((name) => name !== 'HttpOnly')
      }))
    }))
  ),
  breaking('the new format ignored', {
    answer: (body, request) => {
      if (!/formatversion=2/.test(request) || !/action=query/.test(request)) return body
      return members(/^pages$/, (value) =>
        isList(value)
          ? Object.fromEntries(
              value.flatMap((one, at) =>
                isRecord(one) ? [[String(one['pageid'] ?? -at - 1), one]] : []
              )
            )
          : value
      )(body, request)
    }
  }),
  risky(
    'sizes of files one more',
    fieldOf(
      /allimages|imageinfo/,
      /^size$/,
      numbers((one) => one + 1)
    )
  ),
  risky('nothing is protected from being made', {
    answer: only(
      /list=protectedtitles/,
      lists(() => [])
    )
  }),
  risky(
    'redirects lead to their sources',
    fieldOf(
      /redirects=/,
      /^to$/,
      texts((text) => text.slice(0, -1))
    )
  ),
  risky('no edit is minor', field(/^minor$/, gone)),
  breaking(
    'an id of a page null',
    fieldOf(/list=backlinks/, /^pageid$/, () => null)
  ),
  breaking(
    'fallbacks a number',
    fieldOf(/siteinfo/, /^fallback$/, (value) => (isList(value) ? value.length : value))
  )
]
