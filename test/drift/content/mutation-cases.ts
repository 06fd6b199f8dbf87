/** Mutations of a wiki's answers that break clients or put them at risk: what is done, how it is told, and the mutation. */
import {
  isList,
  isRecord,
  type Json,
  lists,
  type Mutation,
  members,
  rows,
  type WikiChange
} from './mutating-wiki.ts'
import {
  asText,
  batches,
  gone,
  hasText,
  isFailed,
  mapEntries,
  numbers,
  onContinue,
  onPages,
  onQuery,
  onTop,
  response,
  right,
  texts,
  time
} from './mutation-builders.ts'

export interface MutationCase {
  readonly name: string
  /** `severity kind field` of one of the findings, as docs/how-we-know.md shows it. */
  readonly told: string
  readonly change: WikiChange
  /** How it is told in the same version, where no release can have made it. */
  readonly toldInOne?: string
  /** Undone it is cosmetic; `other`: between two versions alone. */
  readonly isUndoneQuietly?: boolean | 'other'
  /** Edits of other pages may have done it. */
  readonly isContentAfterEdits?: boolean
}

const failure = (code: string, info: string): Json => ({ error: { code, info } })
const shorterBatches: WikiChange = {
  answer: (answer, request) =>
    /list=/.test(request) && !/limit=/.test(request)
      ? lists((all) => (all.length > 5 ? all.slice(0, 5) : all))(
          isRecord(answer) && isRecord(answer['query']) && !('continue' in answer)
            ? { ...answer, continue: { next: 'x|y', continue: '-||' } }
            : answer,
          request
        )
      : answer,
  module: (module) => {
    if (!isRecord(module) || !isList(module['parameters'])) return module
    const parameters = module['parameters'].map((one) =>
      isRecord(one) && one['name'] === 'limit' && one['default'] === 10
        ? { ...one, default: 5 }
        : one
    )
    return { ...module, parameters }
  }
}

/** Users of an import keep their names behind a prefix, and have no account here. */
const imported: Mutation = rows('revid', (row) =>
  typeof row['user'] === 'string'
    ? {
        ...row,
        user: `imported>${row['user']}`,
        ...('userid' in row ? { userid: 0 } : {})
      }
    : row
)

const moduleEnded: WikiChange = {
  answer: onTop((answer, request) => {
    if (!request.includes('list=gadgetcategories')) return answer
    const text = 'Unrecognized value for parameter "list": gadgetcategories'
    const isNew = request.includes('formatversion=2')
    const { query: _, ...rest } = answer
    return { ...rest, warnings: { query: isNew ? { warnings: text } : { '*': text } } }
  })
}

const forms: readonly MutationCase[] = [
  {
    name: 'revid a string',
    told: 'breaking type.changed revid',
    change: members(/^revid$/, asText)
  },
  {
    name: 'lastrevid a string',
    told: 'breaking type.changed lastrevid',
    change: members(/^lastrevid$/, asText)
  },
  {
    name: 'size a string',
    told: 'breaking type.changed size',
    change: members(/^size$/, asText)
  },
  {
    name: 'all numbers strings',
    told: 'breaking type.changed pageid',
    change: members(/id$|^ns$|^size$|^length$/, asText)
  },
  {
    name: 'timestamps numbers',
    told: 'breaking type.changed timestamp',
    change: members(/^timestamp$/, (value) =>
      typeof value === 'string' ? Date.parse(value) / 1000 : value
    )
  },
  {
    name: 'groups a text with bars',
    told: 'breaking type.changed groups',
    change: members(/^groups$/, (value) => (isList(value) ? value.join('|') : value))
  },
  {
    name: 'comment null',
    told: 'breaking field.nullable comment',
    change: members(/^comment$/, () => null)
  },
  {
    name: 'comments null, parsed ones too',
    told: 'breaking field.nullable comment',
    change: members(/comment$/, () => null)
  },
  {
    name: 'user null',
    told: 'breaking field.nullable user',
    change: members(/^user$/, () => null)
  },
  {
    name: 'timestamp null',
    told: 'breaking field.nullable timestamp',
    change: members(/^timestamp$/, () => null)
  },
  {
    name: 'lastrevid null',
    told: 'breaking field.nullable lastrevid',
    change: members(/^lastrevid$/, () => null)
  },
  {
    name: 'timestamps of MediaWiki',
    told: 'breaking value.format timestamp',
    change: time((iso) => iso.replace(/\D/g, ''))
  },
  {
    name: 'timestamps with fractions',
    told: 'breaking value.format timestamp',
    change: time((iso) => iso.replace('Z', '.000Z'))
  },
  {
    name: 'timestamps with an offset',
    told: 'breaking value.format timestamp',
    change: time((iso) => iso.replace('Z', '+03:00'))
  },
  {
    name: 'titles with _',
    told: 'breaking value.format title',
    change: members(
      /^title$/,
      texts((text) => text.replaceAll(' ', '_'))
    )
  },
  {
    name: 'URLs without their scheme',
    told: 'breaking value.format url',
    change: members(
      /url$/,
      texts((text) => text.replace(/^https?:/, ''))
    )
  },
  {
    name: 'flags true instead of ""',
    told: 'breaking encoding.flag',
    change: members(/^(?:minor|new|top|bot|missing)$/, (value) =>
      value === '' ? true : value
    )
  },
  {
    name: 'missing 1 instead of true',
    told: 'breaking type.changed missing',
    change: members(/^missing$/, (value) => (value === true ? 1 : value))
  },
  {
    name: 'an array around each answer',
    told: 'breaking type.changed',
    change: (answer) => [answer]
  }
]

const fields: readonly MutationCase[] = [
  {
    name: 'sha1 gone',
    told: 'breaking field.removed sha1',
    change: members(/^sha1$/, gone)
  },
  {
    name: 'user gone',
    told: 'breaking field.removed user',
    change: members(/^user$/, gone)
  },
  {
    name: 'comment gone',
    told: 'breaking field.removed comment',
    change: members(/^comment$/, gone)
  },
  {
    name: 'batchcomplete gone',
    told: 'breaking field.removed batchcomplete',
    change: members(/^batchcomplete$/, gone)
  },
  {
    name: 'sections of a parse gone',
    told: 'breaking field.removed sections',
    change: members(/^sections$/, gone)
  },
  {
    name: 'a field new',
    told: 'additive field.added slotsize',
    change: rows('revid', (row) => ({ ...row, slotsize: 5 }))
  },
  {
    name: 'user renamed to username',
    told: 'breaking field.renamed user',
    change: rows('user', ({ user = null, ...row }) => ({ ...row, username: user }))
  },
  {
    name: 'size and sha1 moved into "file"',
    told: 'breaking field.moved sha1',
    change: rows('sha1', ({ sha1 = null, size = null, ...row }) => ({
      ...row,
      file: { sha1, size }
    }))
  },
  {
    name: 'details of log rows moved into the row',
    told: 'breaking field.moved duration',
    change: rows('params', ({ params, ...row }) => ({
      ...row,
      ...(isRecord(params) ? params : {})
    }))
  },
  {
    name: 'minor gone',
    told: 'risky field.removed minor',
    change: members(/^minor$/, gone)
  }
]

const values: readonly MutationCase[] = [
  {
    name: 'size off by one',
    told: 'risky value.changed size',
    change: members(
      /^size$/,
      numbers((size) => size + 1)
    )
  },
  {
    name: 'length off by one',
    told: 'risky value.changed length',
    change: members(
      /^length$/,
      numbers((length) => length + 1)
    )
  },
  {
    name: 'user names changed',
    told: 'risky value.changed user',
    change: members(
      /^user$/,
      texts((name) => `User:${name}`)
    )
  },
  {
    name: 'namespaces of other numbers',
    told: 'risky value.changed ns',
    change: members(
      /^ns$/,
      numbers((ns) => (ns === 14 ? 114 : ns))
    )
  },
  {
    name: 'text of revisions without its last character',
    told: 'risky value.changed content',
    change: members(
      /^content$/,
      texts((text) => text.slice(0, -1))
    )
  },
  {
    name: 'user ids 0',
    told: 'risky value.changed userid',
    change: members(/^userid$/, () => 0)
  },
  {
    name: 'another content model',
    told: 'risky value.changed contentmodel',
    change: members(/^contentmodel$/, () => 'text')
  },
  {
    name: 'addresses on another path',
    told: 'risky value.changed fullurl',
    change: members(
      /^fullurl$/,
      texts((url) => url.replace('/wiki/', '/w/index.php?title='))
    )
  },
  { name: 'users imported', told: 'risky value.changed user', change: imported },
  {
    name: 'sha1 in capitals',
    told: 'risky value.changed sha1',
    change: members(
      /^sha1$/,
      texts((text) => text.toUpperCase())
    )
  },
  {
    name: 'titles case-sensitive',
    told: 'risky configuration.changed case',
    change: members(
      /^case$/,
      texts((text) => text.replace('first-letter', 'case-sensitive'))
    )
  },
  {
    name: 'rights renamed',
    told: 'breaking enum.value-removed rights',
    change: right((all) =>
      all.map((one) =>
        one === 'edit' ? 'modify' : one === 'createpage' ? 'makepage' : one
      )
    )
  },
  {
    name: 'a right lost',
    told: 'breaking enum.value-removed rights',
    change: right((all) => all.filter((one) => one !== 'edit'))
  },
  {
    name: 'parsed text wrapped',
    told: 'risky html.structure text',
    toldInOne: 'risky configuration.changed text',
    change: hasText((html) => `<section class="new">${html}</section>`)
  },
  {
    name: 'parsed text in another language',
    told: 'risky html.structure text',
    toldInOne: 'risky configuration.changed text',
    change: hasText((html) => html.replaceAll('lang="ru"', 'lang="en"'))
  },
  {
    name: 'parsed text empty',
    told: 'risky html.structure text',
    toldInOne: 'risky configuration.changed text',
    change: hasText(() => '')
  },
  {
    name: 'sections counted from 0',
    told: 'risky value.changed index',
    toldInOne: 'risky configuration.changed index',
    change: members(/^sections$/, (all) =>
      isList(all)
        ? all.map((one, at) => (isRecord(one) ? { ...one, index: String(at) } : one))
        : all
    )
  },
  {
    name: 'a comparison without its rows',
    told: 'risky html.structure body',
    change: members(
      /^compare$/,
      members(
        /^(?:\*|body)$/,
        texts((html) => html.replace(/<\/?tr\b[^>]*>/g, ''))
      ) as (value: Json) => Json
    )
  },
  {
    name: '`<ref>` shown as text',
    told: 'risky html.structure text',
    toldInOne: 'risky configuration.changed text',
    change: hasText((html) =>
      html
        .replace(
          /<sup [^>]*class="reference"[\s\S]*?<\/sup>/g,
          '&lt;ref&gt;Словарь&lt;/ref&gt;'
        )
        .replace(/<ol class="references"[\s\S]*?<\/ol>/g, '')
    )
  }
]

const listings: readonly MutationCase[] = [
  {
    name: 'lists reversed',
    told: 'risky order.changed allpages',
    change: batches((all) => [...all].reverse())
  },
  {
    name: 'the first two rows in another order',
    told: 'risky order.changed allpages',
    change: batches(([first, second, ...more]) =>
      first && second && more.length > 1
        ? [second, first, ...more]
        : [first ?? [], second ?? [], more].flat()
    )
  },
  {
    name: 'default limit lowered',
    told: 'risky param.default-changed aplimit',
    change: shorterBatches
  },
  {
    name: 'a row lost in each batch',
    told: 'risky continuation.batch',
    change: batches((all) => all.slice(0, -1))
  },
  {
    name: 'the first row lost in each batch',
    told: 'risky continuation.batch',
    change: batches((all) => all.slice(1))
  },
  {
    name: 'rows twice',
    told: 'risky continuation.batch',
    change: batches((all) => all.flatMap((row) => [row, row]))
  },
  {
    name: 'the first row again for the last one',
    told: 'risky items.more allpages',
    change: batches((all) => {
      const [first] = all
      return first !== undefined && 'pageid' in first && all.length > 2
        ? [...all.slice(0, -1), first]
        : all
    })
  },
  {
    name: 'links of pages gone',
    told: 'risky items.fewer links',
    isUndoneQuietly: 'other',
    isContentAfterEdits: true,
    change: onPages(({ links, ...page }) =>
      links === undefined ? page : { ...page, links: [] }
    )
  },
  {
    name: 'categories of pages without their namespace',
    told: 'risky items.fewer categories',
    isContentAfterEdits: true,
    change: onPages((page) => {
      const { categories } = page
      const bare = members(
        /^title$/,
        texts((title) => title.replace(/^[^:]*:/, ''))
      )
      return isList(categories)
        ? { ...page, categories: categories.map((one) => bare(one, '')) }
        : page
    })
  },
  {
    name: 'no continuation',
    told: 'breaking continuation.format continue',
    change: onTop(({ continue: more, ...answer }) =>
      more === undefined ? answer : { ...answer, batchcomplete: true }
    )
  },
  {
    name: 'continuation without end',
    told: 'breaking continuation.format continue',
    change: onTop((answer) =>
      answer['query'] === undefined || 'continue' in answer
        ? answer
        : { ...answer, continue: { next: '1', continue: '-||' } }
    )
  },
  {
    name: 'numbers of continue values as texts',
    told: 'breaking type.changed sroffset',
    change: onContinue((all) => mapEntries(all, (name, value) => [name, String(value)]))
  },
  {
    name: 'continue values with spaces',
    told: 'risky continuation.value-shape',
    change: onContinue((all) =>
      mapEntries(all, (name, value) => [
        name,
        texts((text) => text.replaceAll('_', ' '))(value)
      ])
    )
  },
  {
    name: 'continue values of another form',
    told: 'risky continuation.value-shape',
    change: onContinue((all) =>
      mapEntries(all, (name, value) => [
        name,
        name === 'continue' ? value : `v2|${String(value)}`
      ])
    )
  },
  {
    name: 'continue parameters renamed',
    told: 'breaking continuation.param',
    change: onContinue((all) =>
      mapEntries(all, (name, value) => [name.replace(/(.)continue$/, '$1next'), value])
    )
  },
  {
    name: 'query-continue instead of continue',
    told: 'breaking continuation.format',
    change: onTop(({ continue: values, ...answer }) => {
      if (!isRecord(values))
        return values === undefined ? answer : { ...answer, continue: values }
      const { continue: _, ...rest } = values
      return { ...answer, 'query-continue': { module: rest } }
    })
  },
  {
    name: 'redirects ignored',
    told: 'risky items.fewer redirects',
    isContentAfterEdits: true,
    change: onQuery(({ redirects, pages, ...rest }) => {
      if (!isList(redirects)) return pages === undefined ? rest : { ...rest, pages }
      const named = redirects.map((one, at) => ({
        pageid: 700 + at,
        ns: 0,
        title: isRecord(one) ? String(one['from']) : ''
      }))
      const byId = Object.fromEntries(named.map((one) => [String(one.pageid), one]))
      return { ...rest, pages: isList(pages) ? named : byId }
    })
  }
]

const envelope: readonly MutationCase[] = [
  {
    name: 'all error codes changed',
    told: 'breaking error.code-changed error',
    change: members(/^error$/, (error) =>
      isRecord(error) ? { ...error, code: `api-${String(error['code'])}` } : error
    )
  },
  {
    name: 'errors with HTTP 400',
    told: 'breaking status.changed status',
    change: response((one) => (isFailed(one) ? { ...one, status: 400 } : one))
  },
  {
    name: 'HTTP 400 everywhere',
    told: 'breaking status.changed status',
    change: response((one) => ({ ...one, status: 400 }))
  },
  {
    name: 'the wiki made private',
    told: 'breaking auth.required error',
    change: onTop(({ query, parse, ...answer }) =>
      query === undefined && parse === undefined
        ? answer
        : failure('readapidenied', 'You need read permission to use this module.')
    )
  },
  {
    name: 'a new warning everywhere',
    told: 'risky warning.appeared wiki',
    isUndoneQuietly: true,
    change: onTop((answer, request) =>
      'error' in answer
        ? answer
        : {
            ...answer,
            warnings: {
              ...(isRecord(answer['warnings']) ? answer['warnings'] : {}),
              wiki: request.includes('formatversion=2')
                ? { warnings: 'Answers of this wiki are kept for an hour.' }
                : { '*': 'Answers of this wiki are kept for an hour.' }
            }
          }
    )
  },
  {
    name: 'answers after 7 seconds',
    told: 'note answer.slower seconds',
    isUndoneQuietly: true,
    change: response((one) => ({ ...one, seconds: 7 }))
  },
  {
    name: 'cookies of another site',
    told: 'risky cookie.changed',
    change: response((one) => ({
      ...one,
      cookies: one.cookies.map((cookie) => ({
        ...cookie,
        attributes: [...cookie.attributes, 'SameSite=None']
      }))
    }))
  },
  {
    name: 'a header gone',
    told: 'risky header.removed content-language',
    change: response((one) => ({
      ...one,
      headers: new Map([...one.headers].filter(([name]) => name !== 'content-language'))
    }))
  },
  {
    name: 'a module ended',
    told: 'breaking warning.appeared query',
    change: moduleEnded
  }
]

const without = (list: RegExp, lost: RegExp): Mutation =>
  members(list, (value) => {
    if (isList(value)) return value.filter((one) => !lost.test(JSON.stringify(one)))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([name]) => !lost.test(name)))
  })

const configuration: readonly MutationCase[] = [
  {
    name: 'namespaces gone',
    told: 'risky configuration.removed namespaces',
    change: without(/^namespaces$/, /^2300$/)
  },
  {
    name: 'magic words gone',
    told: 'risky configuration.removed magicwords',
    change: without(/^magicwords$/, /switch|time|expr/)
  },
  {
    name: 'an extension gone',
    told: 'risky extension.removed extensions',
    change: without(/^extensions$/, /Cite/)
  },
  {
    name: 'an interwiki gone',
    told: 'risky configuration.removed interwikimap',
    change: without(/^interwikimap$/, /commons/)
  }
]

/** Every mutation, by what it changes. */
export const mutationCases: readonly MutationCase[] = [
  ...forms,
  ...fields,
  ...values,
  ...listings,
  ...envelope,
  ...configuration
]
