/** Listings drawn by lot from what a wiki says of its modules: shapes of requests that nobody thought of. */
import type {
  ModuleDescription,
  ParamDescription
} from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { type Case, e } from './cases.ts'
import { lottery } from './run.ts'

/** A number from 0 up to that one, less one. */
export type Draw = (below: number) => number

/** Lots of their own for each wiki and each thing drawn. */
export function drawFor(url: string, seed: number, nth: number): Draw {
  const draw = lottery(seed * 100_003 + nth * 7919 + Number(new URL(url).port) * 31)
  // Seeds that lie close together begin alike.
  for (let warm = 0; warm < 5; warm += 1) draw(2)
  return draw
}

/** What a parameter may be, by the kind that the wiki says it has. */
const pool: Readonly<Record<string, readonly string[]>> = {
  namespace: ['0', '1', '2', '4', '6', '10', '14'],
  title: [
    'Абрикос',
    'Узел',
    'Шаблон:Box B',
    'Файл:Map 07.png',
    'Категория:Природа 0',
    'Волга',
    'Нет такой'
  ],
  user: ['Bob', 'Алиса', 'Admin', '127.0.0.1'],
  timestamp: [
    '2001-01-01T00:00:00Z',
    '2014-06-01T00:00:00Z',
    '2020-01-01T00:00:00Z',
    '2030-01-01T00:00:00Z'
  ],
  integer: ['0', '1', '2', '5', '100'],
  string: ['Р', 'река', 'Абрикос', 'B', 'Map', 'ё', '1']
}
/** What a query names of pages, where it takes some. */
const pageSets: readonly string[] = [
  'titles=Волга|Узел|Абрикос|Ёжик|Река 00|Река 01|Нет такой',
  'titles=Узел',
  'titles=Узел|Абрикос',
  'titles=Шаблон:Box B|Файл:Map 07.png|Категория:Природа 0|Узел',
  'pageids=1|2|3|4|5|6|7|8|9|10|11|12',
  'titles=Нет такой|Узел|Волга'
]
const besides: readonly string[] = [
  ...Array.from({ length: 14 }, () => ''),
  '&formatversion=2',
  '&formatversion=2',
  '&formatversion=2',
  '&meta=userinfo',
  '&meta=siteinfo&siprop=namespaces',
  '&indexpageids=',
  '&redirects=',
  '&converttitles=',
  '&uselang=ru',
  '&errorformat=plaintext',
  '&titles=Волга'
]
/** Drawn by lot, or said of the moment, or of the asker. */
const fickle =
  /^(?:random|tokens?|watchlist|watchlistraw|mystashedfiles|growthtasks|mostviewed|pageviews)$/

/** Modules of one kind that page what they say. */
export const paging = (
  modules: Iterable<ModuleDescription>,
  group: 'list' | 'prop' | 'generator'
): readonly ModuleDescription[] =>
  [...modules].filter(
    (one) =>
      one.path.startsWith('query+') &&
      (group === 'generator' ? one.generator : one.group === group) &&
      one.parameters.get('limit') !== undefined &&
      !fickle.test(nameOf(one))
  )

const nameOf = ({ path }: ModuleDescription): string => path.slice('query+'.length)

/** One listing. */
export function drawCase(modules: Iterable<ModuleDescription>, draw: Draw): Case {
  const all = [...modules]
  const kind =
    (['list', 'list', 'generator', 'generator', 'prop'] as const)[draw(5)] ?? 'list'
  const module = pick(paging(all, kind), draw)
  if (module === undefined) throw new Error(`no module of kind ${kind} has a limit`)
  const prefix = (kind === 'generator' ? 'g' : '') + module.prefix
  const name = nameOf(module)
  const own = parametersOf(module, prefix, draw)
  const pages = kind === 'prop' || (kind === 'generator' && module.group === 'prop')
  const set = pages ? `&${pick(pageSets, draw) ?? ''}` : ''
  const more =
    kind === 'list' ? listsBeside(all, name, draw) : propsBeside(all, name, draw)
  const extra = more.map((one) => parametersOf(one, one.prefix, draw, 0.15)).join('')
  const beside = pick(besides, draw) ?? ''
  const together = [name, ...more.map(nameOf)].join('|')
  const props = more.length === 0 ? '' : `&prop=${more.map(nameOf).join('|')}`
  const named = kind === 'generator' ? `generator=${name}${props}` : `${kind}=${together}`
  const given = `${named}${set}${own}${extra}${beside}`
  const query = encoded(given.replace(/^&/, ''))
  return { name: given, query, limit: `${prefix}limit`, derivable: false }
}

/** A set of pages with props, of which some page what they say. */
export function drawPages(modules: Iterable<ModuleDescription>, draw: Draw): Case {
  const props = [...modules].filter(
    (one) => one.path.startsWith('query+') && one.group === 'prop'
  )
  const chosen = Array.from({ length: 1 + draw(3) }, () => pick(props, draw)).flatMap(
    (one) => one ?? []
  )
  const own = chosen.map((one) => parametersOf(one, one.prefix, draw, 0.12)).join('')
  const names = [...new Set(chosen.map(nameOf))].join('|')
  const given = `prop=${names}&${pick(pageSets, draw) ?? ''}${own}${pick(besides, draw) ?? ''}`
  const first = chosen.find((one) => one.parameters.has('limit'))
  return {
    name: given,
    query: encoded(given),
    limit: first ? `${first.prefix}limit` : '',
    derivable: false
  }
}

/** Now and then another list or two. */
function listsBeside(
  all: readonly ModuleDescription[],
  driver: string,
  draw: Draw
): readonly ModuleDescription[] {
  const lists = paging(all, 'list').filter((one) => nameOf(one) !== driver)
  const count = [0, 0, 0, 0, 1, 2][draw(6)] ?? 0
  return Array.from({ length: count }, () => pick(lists, draw)).flatMap(
    (one) => one ?? []
  )
}

/** No prop, one or two; with a generator now and then one that pages. */
function propsBeside(
  all: readonly ModuleDescription[],
  driver: string,
  draw: Draw
): readonly ModuleDescription[] {
  const props = all.filter(
    (one) =>
      one.path.startsWith('query+') && one.group === 'prop' && nameOf(one) !== driver
  )
  const count = [0, 0, 0, 1, 1, 2][draw(6)] ?? 0
  return Array.from({ length: count }, () => pick(props, draw)).flatMap(
    (one) => one ?? []
  )
}

function parametersOf(
  module: ModuleDescription,
  prefix: string,
  draw: Draw,
  share = 0.25
): string {
  return [...module.parameters.values()]
    .filter(
      ({ name, deprecated }) =>
        !['limit', 'continue', 'offset'].includes(name) && !deprecated
    )
    .filter((one) => isNeeded(module, one) || draw(1000) < share * 1000)
    .map((one) => [`${prefix}${one.name}`, drawnValue(one, draw)] as const)
    .map(([name, value]) => `&${name}=${value}`)
    .join('')
}

/** What these modules do not answer without. */
const isNeeded = ({ path }: ModuleDescription, { name }: ParamDescription): boolean =>
  [
    'query+backlinks',
    'query+embeddedin',
    'query+imageusage',
    'query+categorymembers'
  ].includes(path)
    ? name === 'title'
    : ['search', 'user', 'page', 'prefixsearch'].includes(name) &&
      path !== 'query+allpages'

function drawnValue(
  { name, type, values: closed, multi }: ParamDescription,
  draw: Draw
): string {
  const values = type === 'enum' ? [...closed] : (pool[kindOf(name, type)] ?? [''])
  const count = multi ? 1 + draw(Math.min(4, values.length)) : 1
  return [...new Set(Array.from({ length: count }, () => pick(values, draw) ?? ''))].join(
    '|'
  )
}

/** Before 1.36 titles are plain strings to the wiki. */
const kindOf = (name: string, type: string): string =>
  type === 'string' && /title/.test(name)
    ? 'title'
    : type === 'string' && /user/.test(name)
      ? 'user'
      : type === 'text'
        ? 'string'
        : type === 'expiry'
          ? 'timestamp'
          : type

/** One of them; undefined where there is none. */
export const pick = <T>(values: readonly T[], draw: Draw): T | undefined =>
  values[draw(values.length)]

const encoded = (query: string): string =>
  query
    .split('&')
    .map((part) => part.replace(/=(.*)$/s, (_, value: string) => `=${e(value)}`))
    .join('&')
