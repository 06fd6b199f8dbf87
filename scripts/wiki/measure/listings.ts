/** Every listing of the Action API that the lab is to fill, and the call that reads it. */

export interface ListingCall {
  readonly name: string
  /** Query string without format, limit and continue. */
  readonly query: string
  /** The member that holds the items: of `query`, or of each page when `ofPages`. */
  readonly member: string
  readonly ofPages?: boolean
  readonly limit: string
  readonly asAdmin?: boolean
  /** Why fewer than 31 items are all there can be. */
  readonly reason?: string
}

function list(
  name: string,
  prefix: string,
  more = '',
  member: string = name
): ListingCall {
  return { name, query: `list=${name}${more}`, member, limit: `${prefix}limit` }
}

function prop(
  name: string,
  prefix: string,
  title = 'Узел',
  member: string = name,
  more = ''
): ListingCall {
  const query = `prop=${name}&titles=${encodeURIComponent(title)}${more}`
  return { name, query, member, ofPages: true, limit: `${prefix}limit` }
}

const encode = encodeURIComponent

const alphabetic: readonly ListingCall[] = [
  ...[
    list('allpages', 'ap'),
    list('allimages', 'ai'),
    list('allcategories', 'ac'),
    list('allusers', 'au')
  ],
  ...[
    list('pagepropnames', 'ppn'),
    list('tags', 'tg'),
    list('alllinks', 'al'),
    list('alltransclusions', 'at')
  ],
  ...[list('allfileusages', 'af'), list('allredirects', 'ar')],
  list('allredirects with fragment', 'ar', '&arprop=title|fragment|ids', 'allredirects'),
  list('gadgetcategories', 'gc'),
  list('pageswithprop', 'pwp', '&pwppropname=defaultsort'),
  list('protectedtitles', 'pt')
].map((entry) => ({
  ...entry,
  query: entry.query.replace('list=allredirects with fragment', 'list=allredirects')
}))

const aboutPages: readonly ListingCall[] = [
  list('backlinks', 'bl', `&bltitle=${encode('Волга')}`),
  list('embeddedin', 'ei', `&eititle=${encode('Шаблон:Box B')}`),
  list('imageusage', 'iu', `&iutitle=${encode('Файл:Map_07.png')}`),
  list('categorymembers', 'cm', `&cmtitle=${encode('Категория:Природа 0')}`),
  list('iwbacklinks', 'iwbl', '&iwblprefix=w'),
  list('langbacklinks', 'lbl', '&lbllang=en'),
  list('exturlusage', 'eu'),
  list('prefixsearch', 'ps', `&pssearch=${encode('абрикос')}`),
  list('search', 'sr', `&srwhat=text&srsearch=${encode('природа')}`),
  {
    ...list('search (titles)', 'sr', `&srsearch=${encode('река')}`, 'search'),
    query: `list=search&srsearch=${encode('река')}`
  },
  list('querypage', 'qp', '&qppage=Shortpages', 'querypage')
]

const chronological: readonly ListingCall[] = [
  list('usercontribs', 'uc', '&ucuser=Bob'),
  ...[
    list('recentchanges', 'rc'),
    list('logevents', 'le'),
    list('allrevisions', 'arv'),
    list('blocks', 'bk')
  ],
  { ...list('alldeletedrevisions', 'adr'), asAdmin: true },
  { ...list('filearchive', 'fa'), asAdmin: true }
]

const props: readonly ListingCall[] = [
  ...[
    prop('links', 'pl'),
    prop('templates', 'tl'),
    prop('categories', 'cl'),
    prop('images', 'im')
  ],
  prop('contributors', 'pc'),
  ...[
    prop('linkshere', 'lh'),
    prop('redirects', 'rd'),
    prop('extlinks', 'el'),
    prop('iwlinks', 'iw'),
    prop('langlinks', 'll')
  ],
  prop('transcludedin', 'ti', 'Шаблон:Box B'),
  prop('fileusage', 'fu', 'Файл:Map_07.png'),
  prop('duplicatefiles', 'df', 'Файл:Map_07.png'),
  prop('revisions', 'rv'),
  prop('imageinfo', 'ii', 'Файл:Летопись.png'),
  { ...prop('deletedrevisions', 'drv', 'Ненужное 00'), asAdmin: true }
]

export const listingCalls: readonly ListingCall[] = [
  ...alphabetic,
  ...aboutPages,
  ...chronological,
  ...props
]
