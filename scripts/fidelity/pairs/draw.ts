/** One scene: a request near one parameter of one module, drawn by lot out of what the wiki says of itself. */
import type {
  ModuleDescription,
  ParamDescription
} from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import { type Draw, pick } from '../drawn.ts'
import type { Ask, Caller } from './ask.ts'
import { type Pools, signedText, valuesFor } from './pools.ts'

/** What is drawn from. */
export interface Ground {
  readonly modules: readonly ModuleDescription[]
  readonly pools: Pools
  readonly callers: readonly Caller[]
}

/** Which parameter of which module a scene is about. */
export interface Feature {
  readonly module: ModuleDescription
  readonly param: ParamDescription | undefined
  /** The parameter is not the module's own: one of the query's, of the printer's, or one that nobody knows. */
  readonly outer?: boolean
  /** A prop walked to its end inside of a generator's batches. */
  readonly inside?: true
}

export interface Scene {
  readonly feature: Feature
  /** The name of the parameter with its prefix; empty if it is about none. */
  readonly name: string
  readonly ask: Ask
  /** Names of the parameters that limit something. */
  readonly limits: readonly string[]
  /** As much of everything as there is. */
  readonly rich: boolean
}

export const nameOf = ({ path }: ModuleDescription): string =>
  path.slice(path.indexOf('+') + 1)

const isSubmodule = ({ path }: ModuleDescription): boolean => path.startsWith('query+')
/** Of the asker's own, or with words of the moment. */
const fickle =
  /^(?:tokens|mystashedfiles|filerepoinfo|growthtasks|mostviewed|pageviews|authmanagerinfo)$/

const unknown = ['foo', 'bar', 'bogus', 'dtenable', 'useskinversion', '_']
/** What stands around the modules, each beside some of them. */
const outerNames = [
  'titles',
  'pageids',
  'revids',
  'redirects',
  'converttitles',
  'continue',
  'rawcontinue'
]
const printerNames = [
  'format',
  'formatversion',
  'callback',
  'errorformat',
  'uselang',
  'utf8',
  'foo',
  'dtenable'
]

const outerParam = (name: string): ParamDescription => ({
  name,
  type: ['pageids', 'revids'].includes(name)
    ? 'integer'
    : name === 'titles'
      ? 'title'
      : 'string',
  values: new Set(),
  multi: ['titles', 'pageids', 'revids'].includes(name),
  onlySelects: false,
  allowsDuplicates: false,
  default: undefined,
  required: false,
  deprecated: false,
  deprecatedValues: new Set(),
  sensitive: false,
  tokenType: undefined,
  min: undefined,
  max: undefined,
  highMax: undefined,
  limit: undefined,
  highLimit: undefined,
  subtypes: undefined,
  submodules: new Map(),
  submodulePrefix: ''
})

/** Every parameter of every module that reads, each module twice more as such, and what stands around them. */
export function featuresOf(modules: readonly ModuleDescription[]): readonly Feature[] {
  const found = (path: string): readonly ModuleDescription[] =>
    modules.filter((one) => one.path === path)
  const pages = ['query+info', 'query+categories', 'query+linkshere'].flatMap(found)
  const all = [...pages, ...['parse', 'query+siteinfo', 'query+allpages'].flatMap(found)]
  const outer = (module: ModuleDescription) => (name: string) => ({
    module,
    param: outerParam(name),
    outer: true
  })
  const own = modules
    .filter((one) => !fickle.test(nameOf(one)))
    .flatMap((module) => [
      { module, param: undefined },
      { module, param: undefined },
      ...[...module.parameters.values()]
        .filter(({ name, tokenType }) => name !== 'continue' && tokenType === undefined)
        .map((param) => ({ module, param }))
    ])
  const inside = modules
    .filter(({ group, parameters }) => group === 'prop' && parameters.has('limit'))
    .map((module) => ({ module, param: undefined, inside: true }) as const)
  return [
    ...own,
    ...inside,
    ...pages.flatMap((module) => outerNames.map(outer(module))),
    ...all.flatMap((module) => printerNames.map(outer(module)))
  ]
}

const chance = (draw: Draw, share: number): boolean => draw(1000) < share * 1000
const e = encodeURIComponent

/** A value as the wiki may take it; several where it takes several. */
export function drawnValue(param: ParamDescription, pools: Pools, draw: Draw): string {
  const values =
    param.type === 'enum' ? [...param.values] : valuesFor(param.name, param.type, pools)
  // What is said although it goes without saying.
  if (param.default !== undefined && chance(draw, 0.15)) return param.default
  return severalOf(
    values,
    param.multi && pools.rich === true ? 'most' : param.multi,
    draw
  )
}

const several = (values: readonly string[], { rich }: Pools, draw: Draw): string =>
  severalOf(values, rich === true ? 'most' : true, draw)

/** @param multi whether it may be several; `most` for as many as there are */
function severalOf(
  values: readonly string[],
  multi: boolean | 'most',
  draw: Draw
): string {
  const most = chance(draw, 0.15) ? 12 : 4
  const drawn = multi === 'most' ? 24 : 1 + draw(Math.min(most, values.length))
  const count = multi === false ? 1 : drawn
  const chosen = [
    ...new Set(Array.from({ length: count }, () => pick(values, draw) ?? ''))
  ]
  return chosen.join(chosen.some((one) => one.includes('|')) ? '\u001f' : '|')
}

type Entry = readonly [name: string, encoded: string]
const entry = (name: string, value: string): Entry => [name, e(value)]

/** What these do not answer without. */
const needed =
  /^(?:search|srsearch|query|user|page|title|text|fromtitle|totitle|modules|feed|users|page)$/

/** What cuts or turns a listing: what one of them does depends on the others, and on how few rows there are. */
export const ranges: RegExp =
  /^(?:dir|from|to|prefix|start|end|sort|user|namespace|unique)$/

/** Ways to say whose: two of them are an error. */
const whose = /^(?:user|userids|userprefix|iprange)$/

function ownEntries(
  module: ModuleDescription,
  prefix: string,
  feature: Feature,
  ground: Ground,
  draw: Draw
): Entry[] {
  const { pools } = ground
  const found: Entry[] = []
  const share = module.parameters.size < 8 ? 0.3 : isSubmodule(module) ? 0.08 : 0.04
  for (const param of module.parameters.values()) {
    if (param.name === 'continue' || param.tokenType !== undefined) continue
    const isFeature = feature.module === module && feature.param?.name === param.name
    const isOther = feature.param !== undefined && whose.test(feature.param.name)
    if (!isFeature && isOther && feature.module === module && whose.test(param.name))
      continue
    const isRange = ranges.test(feature.param?.name ?? '') && ranges.test(param.name)
    const usual = param.deprecated ? share / 4 : share
    const wanted = isFeature
      ? !chance(draw, 0.2)
      : isNeeded(module, param) || chance(draw, isRange ? 0.35 : usual)
    if (!wanted) continue
    found.push(entry(prefix + param.name, wantedValue(module, param, pools, draw)))
  }
  return found
}

/** Texts of revisions have limits of their own: they are asked for often. */
function wantedValue(
  module: ModuleDescription,
  param: ParamDescription,
  pools: Pools,
  draw: Draw
): string {
  const value = drawnValue(param, pools, draw)
  if (param.name === 'prop' && param.values.has('content') && chance(draw, 0.4))
    return `ids|content`
  if (param.name === 'title' && /categorymembers/.test(module.path))
    return pick(pools.categories, draw) ?? value
  if (param.name === 'title' && /imageusage/.test(module.path))
    return pick(pools.files, draw) ?? value
  return value
}

function isNeeded(
  module: ModuleDescription,
  { name, required }: ParamDescription
): boolean {
  if (required) return true
  if (isSubmodule(module) && module.group === 'list')
    return name === 'user'
      ? !/allrevisions|alldeleted|recentchanges|logevents|watchlist|allimages/.test(
          module.path
        )
      : name === 'search' ||
          (name === 'title' &&
            module.path !== 'query+logevents' &&
            module.path !== 'query+recentchanges') ||
          (name === 'users' && module.path === 'query+users')
  // One of them is enough, and two are an error.
  if (module.path === 'parse') return name === 'text'
  return !isSubmodule(module) && needed.test(name)
}

/** Values that are fewer pages than they seem. */
const fewerPages = (pools: Pools, draw: Draw): Entry => {
  const page = pick(pools.targets, draw) ?? ''
  const also = ['<bad>', '<bad>', `:${page}`, page.toLowerCase(), 'Нет такой', 'Гад']
  return entry('titles', `${page}|${pick(also, draw)}`)
}

/** Pages of the query: by title, now and then by number. */
export function pageSet(pools: Pools, draw: Draw): Entry {
  const kind = draw(10)
  if (kind === 0) return entry('revids', several(pools.revids, pools, draw))
  if (kind <= 2)
    return entry(
      'pageids',
      several(
        chance(draw, 0.2) ? [...pools.pageids, '99999', '46.0'] : pools.pageids,
        pools,
        draw
      )
    )
  if (kind === 3)
    return [
      'titles',
      pick(
        ['%CD%E8%EB', '%D0%A6%D0%B5%D0%BB%D1%8C%00', '%FF|%D0%A6%D0%B5%D0%BB%D1%8C'],
        draw
      ) ?? ''
    ]
  if (kind <= 5) return entry('titles', pick(pools.targets, draw) ?? '')
  if (kind === 6 || kind === 7) return fewerPages(pools, draw)
  const titles = several(pools.titles, pools, draw)
  return entry(
    'titles',
    chance(draw, 0.2)
      ? `${titles}|${pick(['<bad>', ':Цель', 'Нет такой', 'узел'], draw)}`
      : titles
  )
}

const generators = [
  'links',
  'links',
  'allpages',
  'categorymembers',
  'allpages',
  'backlinks',
  'linkshere',
  'redirects',
  'templates',
  'categories'
]

function generatorEntries(ground: Ground, feature: Feature, draw: Draw): Entry[] {
  const name = pick(generators, draw)
  const module = ground.modules.find(({ path }) => path === `query+${name}`)
  if (module === undefined) return []
  const own = ownEntries(module, `g${module.prefix}`, feature, ground, draw)
  const isOfPages = module.group === 'prop'
  const isOfTargets = isOfPages && chance(draw, 0.5)
  const target = entry('titles', pick(ground.pools.targets, draw) ?? '')
  const set = isOfTargets ? target : isOfPages ? pageSet(ground.pools, draw) : undefined
  // Where pages begin that others link to.
  const hasStart = own.some(([one]) => one === 'gapfrom') || chance(draw, 0.4)
  const start = pick(['ГАД', 'Гад', 'Гад', 'Hub 00', 'Узел'], draw) ?? ''
  return [
    entry('generator', nameOf(module)),
    set,
    ...own,
    name === 'allpages' && !hasStart ? entry('gapfrom', start) : undefined,
    limitOf(module, `g${module.prefix}`, own, draw)
  ].filter((one) => one !== undefined)
}

function limitOf(
  module: ModuleDescription,
  prefix: string,
  own: readonly Entry[],
  draw: Draw
): Entry | undefined {
  const name = `${prefix}limit`
  if (
    !module.parameters.has('limit') ||
    own.some(([one]) => one === name) ||
    chance(draw, 0.15)
  )
    return undefined
  return entry(
    name,
    pick(['1', '2', '2', '3', '5', '10', '500', '500', 'max'], draw) ?? '5'
  )
}

/** Few pages at once, each with more of the prop than fits. */
function insideEntries(feature: Feature, ground: Ground, draw: Draw): Entry[] {
  const { module } = feature
  const named = entry('prop', nameOf(module))
  const limit = entry(`${module.prefix}limit`, pick(['2', '5', '9'], draw) ?? '5')
  const [target, start] = [
    entry('titles', pick(ground.pools.targets, draw) ?? ''),
    entry('gapfrom', pick(['ГАД', 'Гад', 'Hub 00', 'Узел'], draw) ?? '')
  ]
  const several = pick(['2', '2', '3', '500'], draw) ?? '2'
  return chance(draw, 0.5)
    ? [
        entry('generator', 'allpages'),
        start,
        entry('gaplimit', pick(['2', '3'], draw) ?? '2'),
        named,
        limit
      ]
    : [entry('generator', 'links'), target, entry('gpllimit', several), named, limit]
}

function queryEntries(feature: Feature, ground: Ground, draw: Draw): Entry[] {
  const { module } = feature
  if (feature.inside === true) return insideEntries(feature, ground, draw)
  const asGenerator = module.generator && chance(draw, 0.3)
  const prefix = (asGenerator ? 'g' : '') + module.prefix
  const own = ownEntries(module, prefix, feature, ground, draw)
  const limit = limitOf(module, prefix, own, draw)
  const more = chance(draw, asGenerator ? 0.6 : 0.2)
    ? pick(beside(ground, module, asGenerator), draw)
    : undefined
  const extra =
    more === undefined ? [] : ownEntries(more, more.prefix, feature, ground, draw)
  const names = (one: ModuleDescription): string => nameOf(one)
  const group = asGenerator ? 'generator' : module.group
  const groups = new Map<string, string[]>([[group, [names(module)]]])
  if (more !== undefined)
    groups.set(more.group, [...(groups.get(more.group) ?? []), names(more)])
  if (chance(draw, 0.06)) {
    const kind = pick(['prop', 'prop', 'list', 'meta'], draw) ?? 'prop'
    groups.set(kind, [...(groups.get(kind) ?? []), 'bogus'])
  }
  const named = [...groups].map(([kind, all]) =>
    entry(kind, (chance(draw, 0.5) ? all : all.toReversed()).join('|'))
  )
  const pagesWanted = asGenerator
    ? module.group === 'prop'
    : module.group === 'prop' || more?.group === 'prop'
  if (!asGenerator && pagesWanted && feature.outer !== true && chance(draw, 0.35))
    return [
      ...named,
      ...generatorEntries(ground, feature, draw),
      ...own,
      ...extra,
      limit
    ].filter((one) => one !== undefined)
  const set = pagesWanted ? [pageSet(ground.pools, draw)] : []
  return [...named, ...set, ...own, ...extra, limit].filter((one) => one !== undefined)
}

/** Modules that may stand beside it in one request. */
const beside = (
  { modules }: Ground,
  { group, path }: ModuleDescription,
  asGenerator: boolean
): readonly ModuleDescription[] =>
  modules.filter(
    (one) =>
      isSubmodule(one) &&
      one.path !== path &&
      !fickle.test(nameOf(one)) &&
      (asGenerator ? one.group === 'prop' : one.group === group || one.group === 'meta')
  )

const dialects: readonly Entry[] = [
  entry('continue', ''),
  entry('continue', ''),
  entry('rawcontinue', ''),
  entry('continue', 'foo||')
]

/** How most clients ask. */
const plainBesides: readonly (readonly Entry[])[] = [
  [],
  [entry('continue', '')],
  [entry('formatversion', '2')],
  [entry('formatversion', '2'), entry('continue', '')]
]

function besides(draw: Draw): Entry[] {
  const found: Entry[] = []
  if (chance(draw, 0.4))
    found.push(entry('formatversion', pick(['2', '2', '2', '1', '9'], draw) ?? '2'))
  if (chance(draw, 0.5)) found.push(pick(dialects, draw) ?? entry('continue', ''))
  if (chance(draw, 0.15))
    for (const name of unknown)
      if (chance(draw, 0.35)) found.push(entry(name, pick(['1', '2', '0'], draw) ?? '1'))
  if (chance(draw, 0.05))
    found.push(
      entry(pick(['redirects', 'converttitles', 'indexpageids'], draw) ?? 'redirects', '')
    )
  if (chance(draw, 0.05))
    found.push(entry('errorformat', pick(['plaintext', 'bc', 'html'], draw) ?? 'bc'))
  if (chance(draw, 0.03))
    found.push(entry('uselang', pick(['ru', 'en', 'sr-el'], draw) ?? 'ru'))
  return found
}

export function drawScene(feature: Feature, wholeGround: Ground, draw: Draw): Scene {
  const { module, param } = feature
  const rich = chance(draw, 0.3)
  const ground: Ground = { ...wholeGround, pools: { ...wholeGround.pools, rich } }
  const query = isSubmodule(module)
  const simple = chance(draw, 0.6)
  const format = simple
    ? 'json'
    : (pick(
        [...Array.from({ length: 24 }, () => 'json'), 'nonefm', 'xmlfm', 'xml'],
        draw
      ) ?? 'json')
  const own = query
    ? queryEntries(feature, ground, draw)
    : ownEntries(module, module.prefix, feature, ground, draw)
  const entries = unique([
    entry('action', query ? 'query' : module.path),
    entry('format', format),
    ...own,
    ...(simple ? (pick(plainBesides, draw) ?? []) : besides(draw)),
    ...(feature.outer === true ? outerEntries(feature, ground, draw) : [])
  ])
  const ask: Ask = {
    entries,
    ...(entries.some(([own]) => own === 'titles[]')
      ? { inAddress: new Set(['titles[]']) }
      : {}),
    posted:
      module.mustBePosted ||
      entries.some(([own]) => own === 'titles[]') ||
      (!simple && chance(draw, 0.3)),
    caller:
      (simple || chance(draw, 0.5) ? 'anonymous' : pick(ground.callers, draw)) ??
      'anonymous',
    ...(chance(draw, 0.05)
      ? { headers: { 'accept-language': pick(['sr-el', 'zh-tw', 'en'], draw) ?? 'en' } }
      : {})
  }
  const name =
    param === undefined || feature.outer === true
      ? (param?.name ?? '')
      : (entries.find(
          ([own]) =>
            own === module.prefix + param.name || own === `g${module.prefix}${param.name}`
        )?.[0] ?? module.prefix + param.name)
  return {
    feature,
    name,
    ask,
    limits: entries.map(([own]) => own).filter((own) => own.endsWith('limit')),
    rich
  }
}

const words: Readonly<Record<string, readonly string[]>> = {
  continue: ['', 'foo||', '-||', '||', 'bogus'],
  format: ['nonefm', 'xmlfm', 'xml', 'php', 'none', 'rawfm'],
  formatversion: ['9', '9', '2', '1', ''],
  errorformat: ['plaintext', 'html', 'bc', 'none'],
  uselang: ['ru', 'en', 'sr-el', 'content', 'user', 'zh-tw']
}

const signedTalk: readonly Entry[] = [
  entry('useskin', 'vector'),
  entry('title', 'Обсуждение:Узел'),
  entry('text', signedText)
]

function outerEntries({ param }: Feature, { pools }: Ground, draw: Draw): Entry[] {
  const name = param?.name ?? ''
  if (name === 'callback') return chance(draw, 0.7) ? [entry('formatversion', '9')] : []
  // A module that is not there leaves wikitape without a description of all parameters.
  if (name === 'foo') {
    const more = chance(draw, 0.5)
      ? [entry('prop', 'info|bogus')]
      : [entry('continue', 'foo||')]
    return [
      ...more,
      ...(chance(draw, 0.5)
        ? [entry('foo', '1'), entry('bar', '2')]
        : [entry('bar', '2'), entry('foo', '1')])
    ]
  }
  // DiscussionTools reads it where it finds who said what on a talk page.
  if (name === 'dtenable')
    return [
      entry(name, pick(['0', '1'], draw) ?? '0'),
      ...(chance(draw, 0.5) ? signedTalk : [])
    ]
  // PHP makes a list of `titles[]`, whatever `titles` says elsewhere.
  if (name === 'titles')
    return [
      chance(draw, 0.4) ? fewerPages(pools, draw) : pageSet(pools, draw),
      ...(chance(draw, 0.3) ? [entry('titles[]', 'Y')] : [])
    ]
  if (name === 'pageids')
    return [entry(name, several([...pools.pageids, '99999'], pools, draw))]
  if (name === 'revids') return [entry(name, several(pools.revids, pools, draw))]
  return [entry(name, pick(words[name] ?? [''], draw) ?? '')]
}

/** PHP takes the last of two; none of the drawn requests should depend on that before it is meant. */
const unique = (entries: readonly Entry[]): readonly Entry[] => [...new Map(entries)]
