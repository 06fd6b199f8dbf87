/** What clients ask: each kind of read as parameters for a page and a user. */
import type { Params } from './program.ts'

type Read = (title: string, user: string) => Params

const query = (params: Params): Params => ({ action: 'query', ...params })

const ofPage: Readonly<Record<string, Read>> = {
  revisions: (titles) =>
    query({
      prop: 'revisions',
      titles,
      rvprop: 'ids|content|user|comment|timestamp',
      rvslots: 'main'
    }),
  history: (titles) =>
    query({ prop: 'revisions', titles, rvprop: 'ids|user|tags|flags', rvlimit: '10' }),
  info: (titles) => query({ prop: 'info', titles }),
  protection: (titles) => query({ prop: 'info', titles, inprop: 'protection' }),
  watched: (titles) =>
    query({ prop: 'info', titles, inprop: 'watched|notificationtimestamp|watchers' }),
  can: (titles) =>
    query({
      prop: 'info',
      titles,
      intestactions: 'read|edit|move|delete',
      intestactionsdetail: 'full'
    }),
  two: (titles) => query({ prop: 'info|categories', titles: `${titles}|Prove B` }),
  categories: (titles) => query({ prop: 'categories', titles }),
  links: (titles) => query({ prop: 'links|templates', titles }),
  pageprops: (titles) => query({ prop: 'pageprops', titles }),
  contributors: (titles) => query({ prop: 'contributors', titles }),
  deletedrevisions: (titles) =>
    query({
      prop: 'deletedrevisions',
      titles,
      drvprop: 'ids|user|content',
      drvslots: 'main'
    }),
  linkshere: (titles) => query({ prop: 'linkshere|transcludedin|redirects', titles }),
  imageinfo: () =>
    query({
      prop: 'imageinfo',
      titles: 'File:Prove.png',
      iiprop: 'user|size|sha1|comment',
      iilimit: '5'
    }),
  parse: (page) => ({
    action: 'parse',
    page,
    prop: 'wikitext|text|categories|links',
    disablelimitreport: '1'
  }),
  raw: (titles) => query({ prop: 'extracts', titles, explaintext: '1' }),
  generated: (titles) => query({ generator: 'links', titles, prop: 'info' }),
  logged: (letitle) => query({ list: 'logevents', letitle, lelimit: '5' }),
  linksto: (bltitle) => query({ list: 'backlinks', bltitle }),
  transcluding: (eititle) => query({ list: 'embeddedin', eititle }),
  threads: (page) => ({
    action: 'discussiontoolspageinfo',
    page,
    prop: 'threaditemshtml'
  }),
  searched: (search) => ({ action: 'opensearch', search, limit: '5' })
}

const ofUser: Readonly<Record<string, Read>> = {
  usercontribs: (_, ucuser) =>
    query({
      list: 'usercontribs',
      ucuser,
      uclimit: '5',
      ucprop: 'ids|title|comment|tags|flags'
    }),
  users: (_, ususers) =>
    query({
      list: 'users',
      ususers,
      usprop: 'groups|rights|blockinfo|editcount|registration'
    }),
  blocked: (_, bkusers) =>
    query({ list: 'blocks', bkusers, bkprop: 'id|user|by|reason|restrictions|flags' }),
  loggedof: (_, leuser) => query({ list: 'logevents', leuser, lelimit: '5' })
}

const ofWiki: Readonly<Record<string, Read>> = {
  recentchanges: () =>
    query({
      list: 'recentchanges',
      rclimit: '8',
      rcprop: 'title|ids|user|comment|flags'
    }),
  recenttagged: () =>
    query({ list: 'recentchanges', rclimit: '5', rcprop: 'title|ids|tags|loginfo' }),
  patrolled: () =>
    query({ list: 'recentchanges', rclimit: '5', rcprop: 'title|patrolled|ids' }),
  watchlist: () =>
    query({
      list: 'watchlist',
      wllimit: '6',
      wlprop: 'title|user|notificationtimestamp',
      wlallrev: '1'
    }),
  watchedtalks: () =>
    query({ list: 'watchlist', wlnamespace: '1', wllimit: '6', wlprop: 'title|user' }),
  watchlistraw: () => query({ list: 'watchlistraw', wrlimit: '50', wrprop: 'changed' }),
  allrevisions: () =>
    query({ list: 'allrevisions', arvlimit: '5', arvdir: 'older', arvprop: 'ids|user' }),
  alldeleted: () =>
    query({ list: 'alldeletedrevisions', adrprefix: 'Prove', adrlimit: '10' }),
  logevents: () => query({ list: 'logevents', lelimit: '5' }),
  blocks: () =>
    query({
      list: 'blocks',
      bklimit: '4',
      bkprop: 'id|user|by|reason|restrictions|flags'
    }),
  abuselog: () =>
    query({ list: 'abuselog', afllimit: '4', aflprop: 'ids|user|title|result' }),
  categorymembers: () =>
    query({ list: 'categorymembers', cmtitle: 'Category:Prove', cmlimit: '20' }),
  membersofv: () =>
    query({ list: 'categorymembers', cmtitle: 'Category:Prove V', cmlimit: '20' }),
  categoryinfo: () =>
    query({ prop: 'categoryinfo', titles: 'Category:Prove|Category:Prove V' }),
  allpages: () => query({ list: 'allpages', apprefix: 'Prove', aplimit: '20' }),
  protectedtitles: () => query({ list: 'protectedtitles', ptlimit: '5' }),
  stashed: () => query({ list: 'mystashedfiles', msfprop: 'size|type' }),
  tags: () =>
    query({
      list: 'tags',
      tglimit: '500',
      tgprop: 'hitcount|active|defined|displayname'
    }),
  allusers: () =>
    query({
      list: 'allusers',
      aufrom: 'Prove',
      aulimit: '3',
      auprop: 'groups|editcount'
    }),
  userinfo: () =>
    query({
      meta: 'userinfo',
      uiprop: 'rights|groups|blockinfo|hasmsg|editcount|unreadcount|options'
    }),
  hasmsg: () => query({ meta: 'userinfo', uiprop: 'hasmsg' }),
  statistics: () => query({ meta: 'siteinfo', siprop: 'statistics' }),
  usergroups: () =>
    query({ meta: 'siteinfo', siprop: 'usergroups', sinumberingroup: '1' }),
  notifications: () =>
    query({
      meta: 'notifications',
      notprop: 'list|count',
      notformat: 'model',
      notlimit: '5'
    }),
  unread: () => query({ meta: 'unreadnotificationpages' }),
  message: () =>
    query({
      meta: 'allmessages',
      ammessages: 'mainpage|prove-message',
      amenableparser: '1'
    }),
  checktoken: () => ({ action: 'checktoken', type: 'csrf', token: '{csrf}' }),
  allimages: () => query({ list: 'allimages', aiprefix: 'Prove', ailimit: '10' }),
  filearchive: () =>
    query({ list: 'filearchive', faprefix: 'Prove', faprop: 'user|size' }),
  temporary: () =>
    query({
      list: 'users',
      ususers: '~2027-1|~2027-01',
      usprop: 'editcount|registration'
    }),
  expanded: () => ({
    action: 'expandtemplates',
    prop: 'wikitext',
    text: '{{Prove T}} {{:Prove W}} {{PAGESIZE:Prove A}}'
  }),
  stashimage: () =>
    query({ prop: 'stashimageinfo', siifilekey: '{filekey}', siiprop: 'size|sha1' })
}

const all: Readonly<Record<string, Read>> = { ...ofPage, ...ofUser, ...ofWiki }

const routes: Readonly<Record<string, string>> = {
  restpage: '/page/{}',
  restbare: '/page/{}/bare',
  resthistory: '/page/{}/history',
  restbotedits: '/page/{}/history?filter=bot',
  restcount: '/page/{}/history/counts/edits',
  restminor: '/page/{}/history/counts/minor',
  resteditors: '/page/{}/history/counts/editors',
  restmedia: '/page/{}/links/media',
  resttitles: '/search/title?q=Prove&limit=20',
  restsearch: '/search/page?q={}&limit=10',
  restfile: '/file/Prove.png'
}

export const restReads: readonly string[] = Object.keys(routes)

/** The address of a read of rest.php; undefined for one of api.php. */
export const routeOf = (name: string, title: string): string | undefined =>
  routes[name] &&
  `/w/rest.php/v1${routes[name].replace('{}', encodeURIComponent(title.replaceAll(' ', '_')))}`

/** Modules that not every version of the lab's wikis has. */
const missingIn: Readonly<Record<string, readonly string[]>> = {
  '1.35': ['abuselog', 'notifications', 'unread', 'threads'],
  '1.39': ['notifications', 'unread', 'threads'],
  '1.43': []
}

export const readNames = (version: string): readonly string[] =>
  [...Object.keys(all), ...restReads].filter(
    (name) => !(missingIn[version] ?? []).includes(name)
  )

/** @throws Error for a name that there is not */
export function readOf(name: string, title: string, user: string): Params {
  const read = all[name]
  if (read === undefined) throw new Error(`there is no read "${name}"`)
  return { ...read(title, user), format: 'json', formatversion: '2' }
}
