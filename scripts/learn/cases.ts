/** The questions that listings are learned from: each listing in every order that its parameters give it. */

/** One listing, as a query without limit, dialect and continuation. */
export interface LearnCase {
  readonly kind: 'list' | 'generator' | 'prop'
  readonly module: string
  /** Parameters of the module, less its prefix. */
  readonly own: Readonly<Record<string, string>>
  /** Of the request: `titles`. */
  readonly more: Readonly<Record<string, string>>
}

type Own = Readonly<Record<string, string>>

const list = (module: string, ...owns: readonly Own[]): readonly LearnCase[] =>
  (owns.length === 0 ? [{}] : owns).map((own) => ({
    kind: 'list',
    module,
    own,
    more: {}
  }))
/** Of a list, also as a generator. */
const both = (module: string, ...owns: readonly Own[]): readonly LearnCase[] => [
  ...list(module, ...owns),
  ...list(module, ...owns).map((one): LearnCase => ({ ...one, kind: 'generator' }))
]
const generators = (module: string, ...owns: readonly Own[]): readonly LearnCase[] =>
  list(module, ...owns).map((one): LearnCase => ({ ...one, kind: 'generator' }))

const several = 'Волга|Узел|Абрикос|Ёжик|Река 00|Река 01|Нет такой'
/** In several namespaces. */
const spread =
  'Абрикос|Волга|Узел|Шаблон:Box B|Шаблон:Box A|Категория:Природа 0|Файл:Map 07.png'
const files = 'Файл:Map 07.png|Файл:Map 01.png|Файл:Вид 00.png|Файл:Нет такого.png'
const props = (
  module: string,
  titles: readonly string[],
  ...owns: readonly Own[]
): readonly LearnCase[] =>
  titles.flatMap((one) =>
    (owns.length === 0 ? [{}] : owns).map(
      (own): LearnCase => ({ kind: 'prop', module, own, more: { titles: one } })
    )
  )
const propGenerators = (
  module: string,
  titles: readonly string[],
  ...owns: readonly Own[]
): readonly LearnCase[] =>
  props(module, titles, ...owns).map((one): LearnCase => ({ ...one, kind: 'generator' }))

const down = { dir: 'descending' }
const newer = { dir: 'newer' }
const inTime = [{}, newer]
const withIds = { prop: 'ids|title' }

export const learnCases: readonly LearnCase[] = [
  ...both(
    'allpages',
    {},
    down,
    { namespace: '14' },
    { namespace: '10', ...down },
    { filterredir: 'redirects' },
    { namespace: '6' }
  ),
  ...both(
    'allimages',
    {},
    down,
    { sort: 'timestamp' },
    { sort: 'timestamp', ...down },
    { sort: 'timestamp', ...newer },
    { mime: 'image/png' }
  ),
  ...both('allcategories', {}, down, { prop: 'size' }, { min: '2' }),
  ...list('allusers', {}, down, { prop: 'groups|editcount' }),
  ...list('pagepropnames', {}),
  ...list('tags', {}, { prop: 'hitcount|description' }),
  ...['alllinks', 'alltransclusions', 'allfileusages', 'allredirects'].flatMap(
    (module) => [
      ...list(
        module,
        {},
        withIds,
        down,
        { ...withIds, ...down },
        { unique: '' },
        { unique: '', ...down }
      ),
      ...generators(module, {}, down, { unique: '' }, { unique: '', ...down })
    ]
  ),
  ...both(
    'backlinks',
    { title: 'Абрикос' },
    { title: 'Абрикос', ...down },
    { title: 'Узел' }
  ),
  ...both(
    'backlinks',
    { title: 'Волга', namespace: '0|2' },
    { title: 'Волга', namespace: '0|2', ...down }
  ),
  ...both(
    'backlinks',
    { title: 'Волга', filterredir: 'nonredirects' },
    { title: 'Абрикос', namespace: '0' }
  ),
  ...both(
    'embeddedin',
    { title: 'Шаблон:Box B' },
    { title: 'Шаблон:Box B', ...down },
    { title: 'Шаблон:Box A' }
  ),
  ...both(
    'imageusage',
    { title: 'Файл:Map 07.png' },
    { title: 'Файл:Map 07.png', ...down }
  ),
  ...['Категория:Природа 0', 'Категория:Природа 1'].flatMap((title) =>
    both(
      'categorymembers',
      { title },
      { title, ...down },
      { title, dir: 'desc' },
      { title, sort: 'timestamp' },
      { title, sort: 'timestamp', dir: 'older' },
      { title, sort: 'timestamp', ...down },
      { title, sort: 'timestamp', dir: 'desc' }
    )
  ),
  ...list(
    'categorymembers',
    { title: 'Категория:Природа 0', prop: 'ids|title|sortkey' },
    { title: 'Категория:Природа 0', prop: 'ids|title|sortkey', ...down },
    { title: 'Категория:Природа 0', prop: 'ids|title|timestamp', sort: 'timestamp' },
    {
      title: 'Категория:Природа 0',
      prop: 'ids|title|timestamp',
      sort: 'timestamp',
      dir: 'older'
    }
  ),
  ...list(
    'usercontribs',
    { user: 'Bob' },
    { user: 'Bob', ...newer },
    { user: 'Алиса' },
    { user: 'Алиса|Dora|Bob' },
    { user: 'Алиса|Dora|Bob', ...newer },
    { userprefix: 'А' },
    { userprefix: 'А', ...newer },
    { userids: '1|3|4' },
    { userids: '3' },
    { iprange: '127.0.0.0/16' }
  ),
  ...both('recentchanges', {}, newer),
  ...list(
    'recentchanges',
    { prop: 'title|ids|timestamp' },
    { type: 'new', prop: 'title|ids|timestamp' }
  ),
  ...list('logevents', {}, newer, { type: 'upload' }, { prop: 'ids|timestamp|type' }),
  ...list(
    'allrevisions',
    ...inTime,
    { prop: 'ids|timestamp' },
    { user: 'Bob' },
    { namespace: '0' }
  ),
  ...generators(
    'allrevisions',
    {},
    newer,
    { generatetitles: '' },
    { generatetitles: '', ...newer }
  ),
  ...both('prefixsearch', { search: 'Р' }, { search: 'А' }),
  ...both('search', { search: 'река' }, { search: 'а' }),
  ...both(
    'querypage',
    { page: 'Longpages' },
    { page: 'Shortpages' },
    { page: 'Mostlinked' }
  ),
  ...both('exturlusage', {}, { query: 'example.org' }),
  ...list('blocks', ...inTime),
  ...both('protectedtitles', ...inTime),
  ...list('filearchive', {}, down, { prop: 'timestamp|user' }),
  ...both(
    'pageswithprop',
    { propname: 'lab' },
    { propname: 'lab', ...down },
    { propname: 'displaytitle' }
  ),
  ...both('iwbacklinks', { prefix: 'wikipedia' }, { prefix: 'wikipedia', ...down }),
  ...both('langbacklinks', { lang: 'en' }, { lang: 'en', ...down }),
  ...props('links', [several, 'Узел'], {}, down, { namespace: '0|14' }),
  ...props('templates', [several, 'Узел'], {}, down),
  ...props('categories', [several, 'Узел'], {}, down, { prop: 'sortkey|timestamp' }),
  ...props('images', [several, 'Узел'], {}, down),
  ...props('contributors', [several, 'Узел']),
  ...props('linkshere', [several, 'Абрикос', spread], {}, { prop: 'pageid|title' }),
  ...props('transcludedin', [
    'Шаблон:Box B|Шаблон:Box A|Шаблон:Нет',
    'Шаблон:Box B',
    spread
  ]),
  ...props('fileusage', [files, 'Файл:Map 07.png']),
  ...props('redirects', [several, 'Абрикос', spread]),
  ...props('langlinks', [several, 'Узел'], {}, down, { prop: 'url' }),
  ...props('iwlinks', [several, 'Узел'], {}, down),
  ...props('extlinks', [several, 'Узел']),
  ...props('duplicatefiles', [files], {}, down),
  ...props('imageinfo', [files], {}),
  ...props('revisions', ['Узел', 'Абрикос'], {}, newer),
  ...['links', 'templates', 'categories', 'images'].flatMap((module) =>
    propGenerators(module, ['Узел', several], {}, down)
  ),
  ...propGenerators('linkshere', ['Абрикос', several, spread]),
  ...propGenerators('transcludedin', ['Шаблон:Box B', spread]),
  ...propGenerators('fileusage', ['Файл:Map 07.png', files]),
  ...propGenerators('redirects', ['Абрикос', several, spread]),
  ...propGenerators('duplicatefiles', [files])
]

/** Parameters that may change in what order rows come, or how the wiki goes on, whatever their module. */
const ordering: readonly string[] = [
  'dir',
  'sort',
  'unique',
  'redirect',
  'orderby',
  'generatetitles',
  'iprange'
]

const linksTo: ReadonlySet<string> = new Set([
  'linkshere',
  'transcludedin',
  'fileusage',
  'redirects'
])
/** Lists and props that sort by the namespace of the linking page where several are asked for. */
const bySource: ReadonlySet<string> = new Set([
  'linkshere',
  'transcludedin',
  'fileusage',
  'backlinks',
  'embeddedin',
  'imageusage'
])
const namespaceOf = (title: string): string => (/^([^:]*):/.exec(title) ?? [])[1] ?? ''

/** Under which of them a question is asked. */
export function whenOf(
  kind: string,
  module: string,
  params: (name: string) => string | undefined,
  takesPages: boolean,
  titles: string | undefined
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of ordering) {
    const value = params(name)
    if (value !== undefined)
      found[name] = value === '' || name === 'iprange' ? '*' : value
  }
  if ((params('user') ?? '').includes('|')) found['user'] = '|'
  const ids = params('userids')
  if (ids !== undefined) found['userids'] = ids.includes('|') ? '|' : '1'
  if (params('userprefix') !== undefined) found['userprefix'] = '*'
  const several = (titles ?? '').includes('|')
  if (kind === 'generator' && takesPages && several) found['titles'] = '|'
  // ApiQueryBacklinks, ApiQueryBacklinksprop: values and the order change with the number of namespaces.
  if (bySource.has(module))
    found['namespace'] = (params('namespace') ?? '').includes('|') ? '|' : '1'
  // ApiQueryBacklinksprop: values begin with namespace and title only where the pages asked for have several.
  if (linksTo.has(module)) {
    found['titles'] = several ? '|' : '1'
    found['namespaces'] =
      new Set((titles ?? '').split('|').map(namespaceOf)).size > 1 ? '|' : '1'
  }
  return found
}
