/** A model of one listing whose true answers are known, in the shapes that real wikis use. */
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import {
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../../src/recorder/json/json-tree.ts'
import { compareUtf8 } from '../../../src/recorder/paging/rules/row-order.ts'
import type { Identity } from '../../../src/recorder/request/api-request.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import { envelopeOf } from '../../../src/recorder/wiki/answers/envelope.ts'
import {
  decodeModule,
  type ModuleDescription
} from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { parseUrlencoded } from '../../../src/recorder/wiki/parameters/request-params.ts'

/** How the modelled module writes its continue values. */
export type Continues = 'db-key' | 'ns|pageid' | 'opaque' | 'offset'

export interface ModelRow {
  readonly title: string
  readonly pageid: number
  /** Stands for what the wiki knows and does not show. */
  readonly secret: number
}

const limit = {
  name: 'limit',
  type: 'limit',
  default: 10,
  min: 1,
  max: 500,
  highmax: 5000
}
const described = [
  {
    path: 'main',
    parameters: [
      { name: 'action', default: 'help' },
      { name: 'format', default: 'jsonfm' }
    ]
  },
  {
    path: 'json',
    parameters: [
      { name: 'formatversion', default: '1', type: ['1', '2'] },
      { name: 'callback', type: 'string' }
    ]
  },
  {
    path: 'query',
    parameters: [
      ...['prop', 'list', 'meta', 'titles', 'pageids'].map((name) => ({
        name,
        multi: true,
        type: 'string'
      })),
      { name: 'generator', type: 'string' },
      { name: 'continue', type: 'string' },
      { name: 'rawcontinue', type: 'boolean' }
    ]
  },
  {
    path: 'query+allpages',
    prefix: 'ap',
    parameters: [
      limit,
      ...['continue', 'from', 'to', 'prefix'].map((name) => ({ name, type: 'string' })),
      { name: 'dir', type: ['ascending', 'descending'], default: 'ascending' }
    ]
  },
  {
    path: 'query+search',
    prefix: 'sr',
    parameters: [
      limit,
      { name: 'offset', type: 'integer', default: 0 },
      { name: 'search', type: 'string' }
    ]
  },
  {
    path: 'query+recentchanges',
    prefix: 'rc',
    parameters: [
      limit,
      { name: 'continue', type: 'string' },
      ...['start', 'end'].map((name) => ({ name, type: 'timestamp' })),
      { name: 'dir', type: ['newer', 'older'], default: 'older' }
    ]
  },
  ...(
    [
      ['contributors', 'pc'],
      ['extracts', 'ex'],
      ['pageimages', 'pi']
    ] as const
  ).map(([name, prefix]) => ({
    path: `query+${name}`,
    prefix,
    parameters: [limit, { name: 'continue', type: 'string' }]
  })),
  ...(
    [
      ['categories', 'cl'],
      ['links', 'pl']
    ] as const
  ).map(([name, prefix]) => ({
    path: `query+${name}`,
    prefix,
    group: 'prop',
    parameters: [limit, { name: 'continue', type: 'string' }]
  })),
  {
    path: 'query+tags',
    prefix: 'tg',
    parameters: [limit, { name: 'continue', type: 'string' }]
  },
  { path: 'query+info', prefix: 'in', group: 'prop', parameters: [] },
  { path: 'query+siteinfo', prefix: 'si', group: 'meta', parameters: [] }
]

const modules = new Map<string, ModuleDescription>(
  described.flatMap((one) => {
    const module = decodeModule(one)
    return module === undefined ? [] : [[module.path, module] as const]
  })
)

export const facts: WikiFacts = {
  // Its continue values are no wiki's.
  trust: 'learned',
  lookup: (path) => modules.get(path),
  site: {
    generator: 'MediaWiki 1.43.0',
    lang: 'ru',
    database: 'sqlite',
    configuration: { extensions: [] },
    namespaces: [{ id: 0, name: '', aliases: [], firstLetter: true }]
  }
}

export const deriveQuery = (
  query: string,
  identity: Identity = 'anonymous'
): Derivation => {
  const params = parseUrlencoded(encodeURI(query))
  return derive(
    {
      kind: 'api',
      params,
      files: [],
      envelope: envelopeOf(params),
      identity,
      posted: false
    },
    facts
  )
}

/** A recorded answer. */
export const recorded = (query: string, tree: JsonTree): Interaction =>
  recordedAs(deriveQuery(query), tree)

/** The same of a request that was derived by other facts. */
export function recordedAs(
  { key, canonical, sentValues: asked }: Derivation,
  tree: JsonTree
): Interaction {
  const body = { kind: 'json', tree, spelling: 'utf8' } as const
  return {
    key,
    request: canonical,
    sentValues: asked,
    responses: [{ status: 200, headers: new Map(), cookies: [], body }]
  }
}

export class FakeWiki {
  readonly rows: ModelRow[]
  readonly continues: Continues
  readonly form: 'list' | 'generator'

  constructor(
    rows: readonly ModelRow[],
    continues: Continues,
    form: 'list' | 'generator' = 'list'
  ) {
    const keys = (row: ModelRow): string => row.title.replaceAll(' ', '_')
    this.rows =
      continues === 'ns|pageid'
        ? [...rows].sort((a, b) => a.pageid - b.pageid)
        : [...rows].sort((a, b) => compareUtf8(keys(a), keys(b)))
    this.continues = continues
    this.form = form
  }

  get module(): string {
    return this.continues === 'offset' ? 'search' : 'allpages'
  }

  get prefix(): string {
    return (
      (this.form === 'generator' ? 'g' : '') + (this.continues === 'offset' ? 'sr' : 'ap')
    )
  }

  get param(): string {
    return this.prefix + (this.continues === 'offset' ? 'offset' : 'continue')
  }

  query(parts: string): string {
    return `action=query&format=json&${this.form}=${this.module}${parts}`
  }

  /** The value for going on from that row, as the wiki writes it. */
  valueAt(at: number): JsonTree {
    const row = this.rows[at]
    switch (this.continues) {
      case 'db-key':
        return jsonString(row?.title.replaceAll(' ', '_') ?? '')
      case 'ns|pageid':
        return jsonString(`0|${row?.pageid ?? 0}`)
      case 'opaque':
        return jsonString(`x${row?.secret ?? 0}`)
      case 'offset':
        return jsonLiteral(at)
    }
  }

  /** Where a request begins; only values that the wiki itself writes are understood. */
  start(params: ReadonlyMap<string, string>): number {
    const value = params.get(this.param)
    if (value !== undefined) {
      return this.rows.findIndex((_, at) => {
        const own = this.valueAt(at)
        return (
          (own.kind === 'string' ? own.value : own.kind === 'literal' ? own.text : '') ===
          value
        )
      })
    }
    const from = params.get(`${this.prefix}from`)
    if (from === undefined) return 0
    const key = (from.slice(0, 1).toUpperCase() + from.slice(1)).replaceAll(' ', '_')
    const found = this.rows.findIndex(
      (row) => compareUtf8(row.title.replaceAll(' ', '_'), key) >= 0
    )
    return found < 0 ? this.rows.length : found
  }

  /** The wiki as a request sees it that asks for a part of its rows, or for them backwards. */
  seenBy(params: ReadonlyMap<string, string>): FakeWiki {
    const [to, prefix] = ['to', 'prefix'].map((name) =>
      params.get(this.prefix + name)?.replaceAll(' ', '_')
    )
    const backwards = params.get(`${this.prefix}dir`) === 'descending'
    const from = backwards
      ? params.get(`${this.prefix}from`)?.replaceAll(' ', '_')
      : undefined
    const rows = this.rows.filter((row) => {
      const key = row.title.replaceAll(' ', '_')
      const beyond =
        to !== undefined &&
        (backwards ? compareUtf8(key, to) < 0 : compareUtf8(key, to) > 0)
      const before = from !== undefined && compareUtf8(key, from) > 0
      return !beyond && !before && (prefix === undefined || key.startsWith(prefix))
    })
    const seen = new FakeWiki(rows, this.continues, this.form)
    if (backwards) seen.rows.reverse()
    return seen
  }

  answer(query: string): JsonTree {
    const params = parseUrlencoded(encodeURI(query))
    const narrowed = ['to', 'prefix', 'dir'].some((name) =>
      params.has(this.prefix + name)
    )
    if (narrowed) {
      const backwards = params.get(`${this.prefix}dir`) === 'descending'
      const rest = [...params].filter(
        ([name]) => !['to', 'prefix', 'dir'].includes(name.slice(this.prefix.length))
      )
      const left = rest.filter(([name]) => !backwards || name !== `${this.prefix}from`)
      return this.seenBy(params).answer(left.map((pair) => pair.join('=')).join('&'))
    }
    const asked = params.get(`${this.prefix}limit`) ?? '10'
    const most = asked === 'max' ? 500 : Number(asked)
    const at = this.start(params)
    const end = Math.min(at + most, this.rows.length)
    return jsonObject([
      ...this.#head(params, end),
      ...(asked === 'max'
        ? [['limits', jsonObject([[this.module, jsonLiteral(500)]])] as const]
        : []),
      ...this.#body(this.rows.slice(at, end), params, at)
    ])
  }

  #head(
    params: ReadonlyMap<string, string>,
    end: number
  ): readonly (readonly [string, JsonTree])[] {
    const more = end < this.rows.length
    const value = [this.param, this.valueAt(end)] as const
    if (params.has('rawcontinue'))
      return more
        ? [['query-continue', jsonObject([[this.module, jsonObject([value])]])]]
        : []
    const companion = this.form === 'list' ? '-||' : `${this.param}||`
    const done = [
      'batchcomplete',
      params.get('formatversion') === '2' ? jsonLiteral(true) : jsonString('')
    ] as const
    return more
      ? [done, ['continue', jsonObject([value, ['continue', jsonString(companion)]])]]
      : [done]
  }

  #body(
    rows: readonly ModelRow[],
    params: ReadonlyMap<string, string>,
    at: number
  ): readonly (readonly [string, JsonTree])[] {
    const items = rows.map(({ title, pageid }, nth) =>
      jsonObject([
        ...(this.continues === 'opaque' && this.form === 'list'
          ? []
          : [['pageid', jsonLiteral(pageid)] as const]),
        ['ns', jsonLiteral(0)],
        ['title', jsonString(title)],
        ...(this.continues === 'offset' && this.form === 'generator'
          ? [['index', jsonLiteral(at + nth + 1)] as const]
          : [])
      ])
    )
    if (this.form === 'list')
      return [['query', jsonObject([[this.module, jsonArray(items)]])]]
    if (items.length === 0) return []
    const pages =
      params.get('formatversion') === '2'
        ? jsonArray(items)
        : jsonObject(
            items.map((item, nth) => [String(rows[nth]?.pageid ?? 0), item] as const)
          )
    return [['query', jsonObject([['pages', pages]])]]
  }

  record(query: string, body: JsonTree = this.answer(query)): Interaction {
    return recorded(query, body)
  }

  /** The query for a part that begins at that row, in a dialect. */
  partAt(
    at: number,
    limitOf: number | string,
    dialect: 'continue' | 'raw',
    more = ''
  ): string {
    const value = this.valueAt(at)
    const text =
      value.kind === 'string' ? value.value : value.kind === 'literal' ? value.text : ''
    const companion = this.form === 'list' ? '-||' : `${this.param}||`
    const cursor = at === 0 ? '' : `&${this.param}=${text}`
    const said =
      dialect === 'raw' ? '&rawcontinue=' : `&continue=${at === 0 ? '' : companion}`
    return this.query(`&${this.prefix}limit=${limitOf}${said}${cursor}${more}`)
  }
}

/** Twenty-five pages by title: three batches of ten. */
export const lettersWiki = (): FakeWiki =>
  new FakeWiki(
    [...'ABCDEFGHIJKLMNOPQRSTUVWXY'].map((letter, at) => ({
      title: `Page ${letter}`,
      pageid: at + 1,
      secret: at
    })),
    'db-key'
  )
