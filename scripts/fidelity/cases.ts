/** The listings that the fidelity test walks: those of docs/paging.md, each as a query without limit and dialect. */

export interface Case {
  /** What the table calls it. */
  readonly name: string
  readonly query: string
  /** Name of the limit parameter. */
  readonly limit: string
  /** Start parameter, for listings in the order of titles. */
  readonly from?: string
  /** Prefix of `start`, `end` and `dir`, for listings in the order of time. */
  readonly times?: string
  /** True where the continue value follows from the rows, so that a rule can be learned from a walk at limit 10. */
  readonly derivable: boolean
  /** A request whose answer shows what the rows do not, where continue values name such a thing. */
  readonly shownBy?: string
}

const list = (
  name: string,
  prefix: string,
  more = '',
  extra: Partial<Case> = {}
): Case => ({
  name: `list=${name}${more === '' ? '' : ` ${decodeURIComponent(more.slice(1))}`}`,
  query: `list=${name}${more}`,
  limit: `${prefix}limit`,
  derivable: true,
  ...extra
})
const generator = (
  name: string,
  prefix: string,
  more = '',
  extra: Partial<Case> = {}
): Case => ({
  ...list(name, `g${prefix}`, more, extra),
  name: `generator=${name}${more === '' ? '' : ` ${decodeURIComponent(more.slice(1))}`}`,
  query: `generator=${name}${more}`
})
const titles = encodeURIComponent('Волга|Узел|Абрикос|Ёжик|Река 00|Река 01|Нет такой')
const prop = (
  name: string,
  prefix: string,
  more = '',
  extra: Partial<Case> = {}
): Case => ({
  name: `prop=${name}${more === '' ? '' : ` ${decodeURIComponent(more.slice(1))}`}`,
  query: `prop=${name}&titles=${titles}${more}`,
  limit: `${prefix}limit`,
  derivable: true,
  ...extra
})
const opaque = { derivable: false }
/** Values of generators that take their rows from one page begin with its id, which the rows do not show. */
const ofPage = { shownBy: `prop=info&titles=${encodeURIComponent('Узел')}` }
export const e: typeof encodeURIComponent = encodeURIComponent

export const cases: readonly Case[] = [
  list('allpages', 'ap', '', { from: 'apfrom' }),
  list('allpages', 'ap', '&formatversion=2', { from: 'apfrom' }),
  list('allpages', 'ap', '&apnamespace=14', { from: 'apfrom' }),
  list('allpages', 'ap', '&apdir=descending'),
  // In miser mode these filter after the limit.
  list('allpages', 'ap', '&apfilterredir=nonredirects', { from: 'apfrom' }),
  list(
    'categorymembers',
    'cm',
    `&cmtitle=${e('Категория:Природа 0')}&cmnamespace=14`,
    opaque
  ),
  list('exturlusage', 'eu', '&eunamespace=0', opaque),
  list('allrevisions', 'arv', '&arvnamespace=0', { times: 'arv' }),
  generator('allpages', 'ap', '&gapfilterredir=redirects', { from: 'gapfrom' }),
  prop('redirects', 'rd', '&rdnamespace=0'),
  list('allimages', 'ai', '', { from: 'aifrom' }),
  list('allimages', 'ai', '&aisort=timestamp'),
  list('allcategories', 'ac', '', { from: 'acfrom' }),
  list('allusers', 'au', '', { from: 'aufrom' }),
  list('pagepropnames', 'ppn'),
  list('tags', 'tg'),
  list('alllinks', 'al', '', opaque),
  list('alllinks', 'al', '&alprop=ids|title', { ...opaque, from: 'alfrom' }),
  list('alllinks', 'al', '&alunique=', opaque),
  list('alltransclusions', 'at', '', opaque),
  list('alltransclusions', 'at', '&atprop=ids|title', { ...opaque, from: 'atfrom' }),
  list('allfileusages', 'af', '', { ...opaque, from: 'affrom' }),
  list('allfileusages', 'af', '&afprop=ids|title', { from: 'affrom' }),
  list('allredirects', 'ar', '', opaque),
  list('allredirects', 'ar', '&arprop=ids|title', { from: 'arfrom' }),
  list('backlinks', 'bl', `&bltitle=${e('Абрикос')}`),
  list('embeddedin', 'ei', `&eititle=${e('Шаблон:Box B')}`),
  list('imageusage', 'iu', `&iutitle=${e('Файл:Map 07.png')}`),
  list('categorymembers', 'cm', `&cmtitle=${e('Категория:Природа 0')}`, opaque),
  list(
    'categorymembers',
    'cm',
    `&cmtitle=${e('Категория:Природа 0')}&cmprop=ids|title|sortkey`
  ),
  list('usercontribs', 'uc', '&ucuser=Bob', { times: 'uc' }),
  list('recentchanges', 'rc', '&rcprop=title|ids|timestamp', { times: 'rc' }),
  list('logevents', 'le', '', { times: 'le' }),
  list('logevents', 'le', '&meta=userinfo'),
  list('allpages', 'ap', '&meta=siteinfo&siprop=namespaces&apnamespace=14', {
    from: 'apfrom'
  }),
  list('allrevisions', 'arv', '', { times: 'arv' }),
  list('prefixsearch', 'ps', `&pssearch=${e('Р')}`),
  list('search', 'sr', `&srsearch=${e('река')}`),
  list('querypage', 'qp', '&qppage=Longpages'),
  list('exturlusage', 'eu', '', opaque),
  list('blocks', 'bk', '', { times: 'bk' }),
  list('protectedtitles', 'pt'),
  list('filearchive', 'fa'),
  list('random', 'rn', '', opaque),
  generator('allpages', 'ap', '', { from: 'gapfrom' }),
  generator('allpages', 'ap', '&prop=info', { from: 'gapfrom' }),
  generator('allpages', 'ap', '&prop=categories'),
  generator('allpages', 'ap', '&formatversion=2', { from: 'gapfrom' }),
  generator('alltransclusions', 'at', '', opaque),
  generator('allfileusages', 'af', '', opaque),
  generator('allimages', 'ai', '&prop=duplicatefiles', { from: 'gaifrom' }),
  generator('allcategories', 'ac', '', { from: 'gacfrom' }),
  generator('backlinks', 'bl', `&gbltitle=${e('Абрикос')}`),
  generator('categorymembers', 'cm', `&gcmtitle=${e('Категория:Природа 0')}`, opaque),
  generator(
    'categorymembers',
    'cm',
    `&gcmtitle=${e('Категория:Природа 0')}&gcmdir=desc`,
    opaque
  ),
  generator(
    'categorymembers',
    'cm',
    `&gcmtitle=${e('Категория:Природа 0')}&gcmsort=timestamp`,
    opaque
  ),
  generator('links', 'pl', `&titles=${e('Узел')}`, ofPage),
  generator('categories', 'cl', `&titles=${e('Узел')}`, ofPage),
  generator('templates', 'tl', `&titles=${e('Узел')}`, ofPage),
  generator('images', 'im', `&titles=${e('Узел')}`, ofPage),
  generator('embeddedin', 'ei', `&geititle=${e('Шаблон:Box B')}`),
  generator('prefixsearch', 'ps', `&gpssearch=${e('Р')}`),
  generator('search', 'sr', `&gsrsearch=${e('река')}`),
  prop('links', 'pl'),
  prop('links', 'pl', '&formatversion=2'),
  prop('templates', 'tl'),
  prop('categories', 'cl'),
  prop('categories|info', 'cl'),
  prop('images', 'im'),
  // By ids of actors from 1.33 on.
  prop('contributors', 'pc', '', opaque),
  prop('linkshere', 'lh'),
  prop('transcludedin', 'ti', '', opaque),
  prop('redirects', 'rd'),
  prop('langlinks', 'll'),
  prop('iwlinks', 'iw'),
  prop('extlinks', 'el', '', opaque),
  prop('extracts', 'ex', '&exintro=&explaintext=', opaque),
  prop('pageimages', 'pi', '', opaque),
  list('allpages', 'ap', '&meta=userinfo|siteinfo'),
  generator('allpages', 'ap', '&meta=userinfo|siteinfo'),
  generator('allpages', 'ap', '&prop=categories&meta=userinfo|siteinfo')
]

/** Listings that are somebody's own. */
export const ownCases: readonly Case[] = [
  list('watchlist', 'wl'),
  list('watchlistraw', 'wr'),
  list('alldeletedrevisions', 'adr'),
  list('logevents', 'le', '&meta=userinfo&uiprop=groups', { times: 'le' })
]

/** Names of all modules that the cases use. */
export const modulesOf = (all: readonly Case[]): readonly string[] => [
  ...new Set(
    all.flatMap(({ query }) =>
      [...new URLSearchParams(query)].flatMap(([name, value]) =>
        name === 'list' || name === 'generator' || name === 'prop' ? value.split('|') : []
      )
    )
  )
]
