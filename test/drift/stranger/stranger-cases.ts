/** What a stranger did to a wiki between two recordings of one version, and how severe each is for a client. */

import type { RecordedResponse } from '../../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../../src/recorder/json/json-tree.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import {
  isList,
  isRecord,
  type Json,
  type Mutation,
  members,
  rows
} from '../content/mutating-wiki.ts'
import {
  batches,
  everyText,
  gone,
  mapEntries,
  numbers,
  onContinue,
  onPages,
  onQuery,
  onTop,
  right,
  texts,
  time
} from '../content/mutation-builders.ts'
import type { StrangerChange } from './stranger-wiki.ts'

export interface StrangerCase {
  readonly name: string
  readonly severity: 'breaking' | 'risky' | 'cosmetic'
  readonly change: StrangerChange
}

const answer = (mutation: Mutation): StrangerChange => ({ answer: mutation })
const only =
  (pattern: RegExp, mutation: Mutation): Mutation =>
  (body, request) =>
    pattern.test(request) ? mutation(body, request) : body
const head = (
  change: (response: RecordedResponse) => RecordedResponse
): StrangerChange => ({
  response: change
})
const type = (value: string): StrangerChange =>
  head((one) =>
    one.body.kind === 'json'
      ? { ...one, headers: new Map([...one.headers, ['content-type', value]]) }
      : one
  )

const page = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
const html = (
  pattern: RegExp,
  text: string,
  status: number,
  contentType = 'text/html; charset=utf-8'
): StrangerChange => ({
  response: (one, request) =>
    pattern.test(request)
      ? {
          ...one,
          status,
          headers: new Map([['content-type', contentType]]),
          body: { kind: 'text', text }
        }
      : one
})

/** The text of a JSON answer, changed so that it is none any more. */
const raw = (pattern: RegExp, change: (text: string) => string): StrangerChange => ({
  response: (one, request) => {
    if (!pattern.test(request) || one.body.kind !== 'json') return one
    const text = change(JSON.stringify(toJson(one)))
    return { ...one, body: { kind: 'text', text } }
  }
})
const toJson = ({ body }: RecordedResponse): unknown =>
  body.kind === 'json' ? JSON.parse(writeCompact(body.tree, 'utf8')) : undefined

const valuesOf = (change: (value: string, name: string) => Json): Mutation =>
  onContinue((values) =>
    mapEntries(values, (name, value) => [
      name,
      name === 'continue' || typeof value !== 'string' ? value : change(value, name)
    ])
  )
const withContinue = /&\w+continue=|sroffset=|continue=-/

/** Members of `query.pages` from the last to the first. */
function reversedPages(tree: JsonTree): JsonTree {
  if (tree.kind !== 'object') return tree
  const members = tree.members.map((one) =>
    one.key === 'pages' && one.value.kind === 'object'
      ? { ...one, value: { ...one.value, members: one.value.members.toReversed() } }
      : { ...one, value: reversedPages(one.value) }
  )
  return { ...tree, members }
}

const flagsAsNumbers: Mutation = (value, request) => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (isList(value)) return value.map((one) => flagsAsNumbers(one, request))
  return isRecord(value)
    ? mapEntries(value, (name, one) => [name, flagsAsNumbers(one, request)])
    : value
}

const field = (
  pattern: RegExp,
  change: (value: Json, name: string) => Json | undefined
): Mutation => members(pattern, change)
const hours = (iso: string): string =>
  new Date(Date.parse(iso) + 3 * 3_600_000).toISOString().replace('.000', '')

const base64 = (text: string): string => Buffer.from(text).toString('base64')

export const strangerCases: readonly StrangerCase[] = [
  {
    name: 'apcontinue in base64',
    severity: 'risky',
    change: {
      answer: valuesOf((value, name) => (name === 'apcontinue' ? base64(value) : value)),
      request: (name, value) => [name, name === 'apcontinue' ? base64(value) : value]
    }
  },
  {
    name: 'continue of a generator renamed',
    severity: 'breaking',
    change: {
      answer: onContinue((values) =>
        mapEntries(values, (name, value) => [
          name === 'gapcontinue' ? 'gapfrom' : name,
          value
        ])
      ),
      request: (name, value) => [name === 'gapcontinue' ? 'gapfrom' : name, value]
    }
  },
  {
    name: 'offset skips a row',
    severity: 'risky',
    change: {
      answer: (body, request) => {
        const skipped = /sroffset=/.test(request)
          ? batches((all) => all.slice(1))(body, request)
          : body
        return onContinue((values) =>
          mapEntries(values, (name, value) => [
            name,
            name === 'sroffset' && typeof value === 'number' ? value + 1 : value
          ])
        )(skipped, request)
      },
      request: (name, value) => [
        name,
        name === 'sroffset' ? String(Number(value) + 1) : value
      ]
    }
  },
  {
    name: '-|| to ||',
    severity: 'risky',
    change: {
      answer: onContinue((values) =>
        mapEntries(values, (name, value) => [name, value === '-||' ? '||' : value])
      ),
      request: (name, value) => [
        name,
        name === 'continue' && value === '-||' ? '||' : value
      ]
    }
  },
  {
    name: 'last row of a continued list lost',
    severity: 'risky',
    change: answer((body, request) =>
      isRecord(body) && withContinue.test(request) && !('continue' in body)
        ? batches((all) => all.slice(0, -1))(body, request)
        : body
    )
  },
  {
    name: 'first row of a continued batch lost',
    severity: 'risky',
    change: answer(
      only(
        withContinue,
        batches((all) => all.slice(1))
      )
    )
  },
  {
    name: 'row repeated',
    severity: 'risky',
    change: answer((body, request) => {
      const last = withContinue.test(request)
        ? { title: 'Волга', ns: 0, pageid: 2 }
        : undefined
      return last === undefined
        ? body
        : batches(([first, ...more]) =>
            first === undefined ? [] : [first, first, ...more.slice(0, -1)]
          )(body, request)
    })
  },
  {
    name: 'max gives 50',
    severity: 'risky',
    change: answer(
      only(
        /aplimit=max/,
        onTop((one) => {
          const query = one['query']
          const all =
            isRecord(query) && isList(query['allpages']) ? query['allpages'] : []
          return {
            ...one,
            continue: { apcontinue: 'Hub_30', continue: '-||' },
            query: { allpages: all.slice(0, 50) }
          }
        })
      )
    )
  },
  {
    name: 'links doubled',
    severity: 'risky',
    change: answer(
      only(
        /prop=links/,
        onPages((one) => {
          const links = one['links']
          return isList(links) ? { ...one, links: [...links.slice(0, 1), ...links] } : one
        })
      )
    )
  },
  {
    name: 'infinity is never',
    severity: 'breaking',
    change: answer(
      field(
        /^(?:expiry|blockexpiry)$/,
        texts((text) => (text === 'infinity' ? 'never' : text))
      )
    )
  },
  {
    name: 'date without time',
    severity: 'breaking',
    change: answer(
      only(
        /list=categorymembers/,
        time((iso) => iso.slice(0, 10))
      )
    )
  },
  {
    name: 'RFC dates',
    severity: 'breaking',
    change: answer(
      only(
        /imageinfo/,
        time((iso) => new Date(iso).toUTCString())
      )
    )
  },
  {
    name: 'epoch seconds',
    severity: 'breaking',
    change: answer(
      only(
        /list=recentchanges/,
        time((iso) => String(Date.parse(iso) / 1000))
      )
    )
  },
  { name: 'three hours off', severity: 'risky', change: answer(time(hours)) },
  {
    name: 'session cookie renamed',
    severity: 'risky',
    change: head((one) => ({
      ...one,
      cookies: one.cookies.map((cookie) => ({
        ...cookie,
        name: cookie.name.replace('wiki143', 'farm_x')
      }))
    }))
  },
  {
    name: 'login cookie lost',
    severity: 'breaking',
    change: {
      response: (one, request) =>
        /action=login/.test(request) ? { ...one, cookies: [] } : one
    }
  },
  {
    name: 'API error header gone',
    severity: 'risky',
    change: head((one) => ({
      ...one,
      headers: new Map(
        [...one.headers].filter(([name]) => name !== 'mediawiki-api-error')
      )
    }))
  },
  { name: 'charset gone', severity: 'breaking', change: type('application/json') },
  {
    name: 'latin-1',
    severity: 'breaking',
    change: type('application/json; charset=iso-8859-1')
  },
  { name: 'HTML type', severity: 'breaking', change: type('text/html; charset=utf-8') },
  {
    name: 'moved for good',
    severity: 'breaking',
    // Answers in XML are replaced, too, but those are a cause of their own.
    change: head((one) =>
      one.body.kind !== 'json'
        ? one
        : {
            ...one,
            status: 301,
            headers: new Map([
              ['content-type', 'text/html; charset=utf-8'],
              ['location', 'https://elsewhere.example/api.php']
            ]),
            body: { kind: 'text', text: '' }
          }
    )
  },
  {
    name: '500 for parse',
    severity: 'breaking',
    change: html(/action=parse/, page('500 Internal Server Error'), 500)
  },
  {
    name: 'firewall',
    severity: 'breaking',
    change: html(/list=search/, page('Forbidden'), 403)
  },
  {
    name: 'captcha page',
    severity: 'breaking',
    change: html(/list=usercontribs/, page('Are you a robot?'), 200)
  },
  {
    name: 'empty body',
    severity: 'breaking',
    change: html(/list=logevents/, '', 200, 'application/json; charset=utf-8')
  },
  {
    name: 'PHP notice',
    severity: 'breaking',
    change: raw(
      /./,
      (text) =>
        `<br />\n<b>Warning</b>:  Undefined variable $x in /srv/w/x.php on line 3<br />\n${text}`
    )
  },
  {
    name: 'cut JSON',
    severity: 'breaking',
    change: raw(/./, (text) => text.slice(0, text.length / 2))
  },
  {
    name: 'error became warning',
    severity: 'breaking',
    change: answer(
      only(/nosuch(?:action|list)/, () => ({
        batchcomplete: '',
        warnings: {
          main: { '*': 'Unrecognized value for parameter "action": nosuchaction.' }
        }
      }))
    )
  },
  {
    name: 'missing category, no error',
    severity: 'risky',
    change: answer(
      only(/cmtitle=Волга/, () => ({
        batchcomplete: '',
        query: { categorymembers: [] }
      }))
    )
  },
  {
    name: 'docref gone',
    severity: 'cosmetic',
    change: answer(
      onTop((one) => {
        const error = one['error']
        if (!isRecord(error)) return one
        const { '*': _, docref: __, ...rest } = error
        return { ...one, error: rest }
      })
    )
  },
  {
    name: 'section ignored',
    severity: 'risky',
    change: answer(
      only(
        /rvsection=/,
        onPages((one) => {
          const { revisions = [] } = one
          const whole = field(
            /^\*$/,
            texts((text) => `Всё начало.\n\n${text}\n\nИ весь конец.`)
          )
          return { ...one, revisions: whole(revisions, '') }
        })
      )
    )
  },
  {
    name: 'export ignored',
    severity: 'breaking',
    change: {
      answer: onQuery((query) => {
        const { export: _, ...rest } = query
        return rest
      }),
      response: (one, request) =>
        /exportnowrap/.test(request)
          ? {
              ...one,
              headers: new Map([['content-type', 'application/json; charset=utf-8']]),
              body: {
                kind: 'text',
                text: '{"batchcomplete":"","query":{"pages":{"2":{"pageid":2,"ns":0,"title":"Волга"}}}}'
              }
            }
          : one
    }
  },
  {
    name: 'redirects ignored',
    severity: 'risky',
    change: answer(
      only(
        /redirects=/,
        onQuery((query, request) => {
          const { redirects: _, pages, ...rest } = query
          const isNew = /formatversion=2/.test(request)
          const names = /titles=([^&]*)/.exec(request)?.[1]?.split('|') ?? []
          const fresh = names.map((title, at) => ({ pageid: 700 + at, ns: 0, title }))
          const map = Object.fromEntries(fresh.map((one) => [String(one.pageid), one]))
          return { ...rest, pages: pages === undefined ? {} : isNew ? fresh : map }
        })
      )
    )
  },
  {
    name: 'replacement characters',
    severity: 'risky',
    change: answer(
      only(
        /list=allpages/,
        field(
          /^title$/,
          texts((text) => text.replaceAll(/[ёЁ]/g, '\uFFFD'))
        )
      )
    )
  },
  {
    name: 'NFD',
    severity: 'risky',
    change: answer(
      field(
        /^title$/,
        texts((text) => text.normalize('NFD'))
      )
    )
  },
  {
    name: 'mojibake',
    severity: 'risky',
    change: answer(
      field(
        /^comment$/,
        texts((text) => Buffer.from(text).toString('latin1'))
      )
    )
  },
  {
    name: 'exists gone',
    severity: 'breaking',
    change: answer(only(/action=parse/, field(/^exists$/, gone)))
  },
  {
    name: 'links empty',
    severity: 'risky',
    change: answer(
      only(
        /action=parse/,
        field(/^links$/, (value) => (isList(value) ? [] : value))
      )
    )
  },
  {
    name: 'image host',
    severity: 'risky',
    change: answer(
      field(
        /^(?:url|thumburl|descriptionurl|descriptionshorturl)$/,
        texts((text) =>
          text.replace(/127\.0\.0\.1:8143(?=\/w\/images|\/images)/, 'images.example')
        )
      )
    )
  },
  {
    name: 'thumb width',
    severity: 'risky',
    change: answer(
      field(
        /^thumbwidth$/,
        numbers((one) => one + 1)
      )
    )
  },
  {
    name: 'missing pages have ids',
    severity: 'breaking',
    change: answer(
      onQuery((query) => {
        const pages = query['pages']
        if (!isRecord(pages)) return query
        const keyed = mapEntries(pages, (id, one) => [id.replace(/^-/, '90'), one])
        return { ...query, pages: keyed }
      })
    )
  },
  {
    name: 'special is missing',
    severity: 'breaking',
    change: answer(
      onPages((one) => {
        if (!('special' in one)) return one
        const { special, ...rest } = one
        return { ...rest, missing: special ?? '' }
      })
    )
  },
  {
    name: 'time zone of the site',
    severity: 'risky',
    change: answer(
      only(
        /siteinfo/,
        field(/^(?:timezone|timeoffset)$/, (value) =>
          typeof value === 'number' ? 180 : 'Europe/Moscow'
        )
      )
    )
  },
  {
    name: 'opensearch of two',
    severity: 'breaking',
    change: answer((body) => (isList(body) ? body.slice(0, 2) : body))
  },
  {
    name: 'opensearch without urls',
    severity: 'risky',
    change: answer((body) =>
      isList(body)
        ? body.map((one, at) => (at === 3 && isList(one) ? one.map(() => '') : one))
        : body
    )
  },
  {
    name: 'sha1 in base 36',
    severity: 'risky',
    change: answer(
      field(
        /^sha1$/,
        texts((text) => BigInt(`0x${text}`).toString(36).padStart(31, '0'))
      )
    )
  },
  {
    name: 'entities',
    severity: 'cosmetic',
    change: answer(
      only(
        /action=parse/,
        everyText((text) => text.replaceAll('&amp;', '&#38;'))
      )
    )
  },
  {
    name: 'pages in another order',
    severity: 'cosmetic',
    change: {
      response: (one, request) =>
        /formatversion=2/.test(request) || one.body.kind !== 'json'
          ? one
          : { ...one, body: { ...one.body, tree: reversedPages(one.body.tree) } }
    }
  },
  {
    name: 'flags as 1 and 0',
    severity: 'breaking',
    change: answer(only(/formatversion=2/, flagsAsNumbers))
  },
  {
    name: 'slots.default',
    severity: 'breaking',
    change: answer(
      field(/^slots$/, (value) => {
        if (!isRecord(value)) return value
        const { main, ...rest } = value
        return main === undefined ? value : { default: main, ...rest }
      })
    )
  },
  {
    name: 'user nested',
    severity: 'breaking',
    change: answer(
      rows('user', (row) => {
        const { user, ...rest } = row
        return typeof user === 'string' ? { ...rest, performer: { name: user } } : row
      })
    )
  },
  {
    name: 'groups as text',
    severity: 'breaking',
    change: answer(
      field(/^groups$/, (value) => (isList(value) ? value.join(',') : value))
    )
  },
  {
    name: 'batchcomplete gone at the end',
    severity: 'breaking',
    change: answer(
      onTop((one, request) => {
        if ('continue' in one || !withContinue.test(request)) return one
        const { batchcomplete: _, ...rest } = one
        return rest
      })
    )
  },
  {
    name: 'errors as a list',
    severity: 'breaking',
    change: answer(
      onTop((one) => {
        const { error, ...rest } = one
        if (!isRecord(error)) return one
        const { code, info, '*': docref } = error
        const text = info ?? ''
        return {
          ...rest,
          errors: [{ code: code ?? '', '*': text, module: 'main' }],
          docref: docref ?? ''
        }
      })
    )
  },
  {
    name: 'tokens without their end',
    severity: 'risky',
    change: answer(
      only(
        /meta=tokens/,
        everyText((text) => text.replace(/\+\\$/, ''))
      )
    )
  },
  {
    name: 'login wants a second factor',
    severity: 'breaking',
    change: answer(
      only(/action=login/, () => ({
        login: { result: 'Aborted', reason: 'Authentication requires user interaction' }
      }))
    )
  },
  {
    name: 'right lost',
    severity: 'breaking',
    change: answer(
      only(
        /meta=userinfo|list=users/,
        right((names) => names.filter((one) => one !== 'edit'))
      )
    )
  },
  {
    name: 'default limit lower',
    severity: 'risky',
    change: answer((body, request) =>
      /list=categorymembers/.test(request) && !/cmlimit/.test(request)
        ? batches((all) => all.slice(0, 5))(body, request)
        : body
    )
  },
  {
    name: 'inprop value gone',
    severity: 'breaking',
    change: answer((body, request) => {
      if (!/inprop=[^&]*protection/.test(request)) return body
      const text = 'Unrecognized value for parameter "inprop": protection'
      const without = field(/^(?:protection|restrictiontypes)$/, gone)(body, request)
      return isRecord(without)
        ? { ...without, warnings: { info: { '*': text } } }
        : without
    })
  }
]
