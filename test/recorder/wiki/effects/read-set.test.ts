/** Which answers a write leaves alone by MediaWiki's own code. */
import { describe, expect, it } from 'vitest'
import { readSetOf, whyAffected } from '../../../../src/recorder/wiki/effects/read-set.ts'
import { writeSetOf } from '../../../../src/recorder/wiki/effects/write-set.ts'
import { decodeSiteinfo } from '../../../../src/recorder/wiki/site/site-facts.ts'

const namespaces = Object.fromEntries(
  (
    [
      [0, ''],
      [1, 'Talk'],
      [2, 'User'],
      [3, 'User talk'],
      [6, 'File'],
      [8, 'MediaWiki'],
      [10, 'Template'],
      [14, 'Category']
    ] as const
  ).map(([id, name]) => [id, { id, name, canonical: name, case: 'first-letter' }])
)
const site = decodeSiteinfo({
  query: {
    general: { generator: 'MediaWiki 1.43.9', lang: 'en', case: 'first-letter' },
    namespaces,
    namespacealiases: []
  }
})

const params = (query: string): ReadonlyMap<string, string> =>
  new Map(new URLSearchParams(query))
/** Why; undefined where the answer holds after the write. */
const why = (
  asked: string,
  write: string,
  effect: 'read' | 'write' = 'read'
): string | undefined =>
  whyAffected(writeSetOf(params(write), site), readSetOf(params(asked), effect, site))

const edit = 'action=edit&title=Volga'
const query = 'action=query&'

describe('after a write of an ordinary page', () => {
  it.each([
    'prop=revisions&titles=Kama',
    'prop=revisions|deletedrevisions&titles=Kama|Oka',
    'meta=siteinfo&siprop=general',
    'meta=userinfo&uiprop=options'
  ])('%s holds', (asked) => {
    expect(why(query + asked, edit)).toBeUndefined()
  })

  it.each([
    'prop=info&inprop=protection|url&titles=Kama',
    'prop=imageinfo&titles=File:Map.png',
    'meta=userinfo&uiprop=groups|hasmsg',
    'meta=userinfo&uiprop=*',
    'list=users&ususers=Bob',
    'prop=revisions&titles=Talk:Volga',
    // The page itself, and what is known from showing a page: it may include the one that was written.
    'prop=revisions&titles=Volga',
    ...[
      'categories',
      'links',
      'templates',
      'images',
      'extlinks',
      'iwlinks',
      'langlinks',
      'pageprops'
    ].map((prop) => `prop=${prop}&titles=Kama`),
    'prop=info|links&titles=Kama',
    'prop=links&pageids=7',
    'prop=info&inprop=displaytitle&titles=Kama',
    'prop=info&inprop=watched&titles=User talk:Volga',
    'prop=revisions&rvprop=ids|parsetree&titles=Kama',
    'prop=revisions&rvprop=ids|parsedcomment&titles=Kama',
    'prop=revisions&rvparse=&titles=Kama',
    'prop=revisions&rvexpandtemplates=&titles=Kama',
    // What is found, listed or shown.
    ...[
      'allpages',
      'backlinks',
      'categorymembers',
      'recentchanges',
      'search',
      'usercontribs',
      'watchlist'
    ].map((list) => `list=${list}`),
    'generator=allpages&prop=info',
    'generator=links&titles=Kama&prop=revisions',
    'prop=redirects&titles=Kama',
    'prop=linkshere&titles=Kama',
    'prop=categoryinfo&titles=Kama|Category:Rivers',
    'prop=categoryinfo&pageids=7',
    'redirects=&titles=Kama',
    'meta=siteinfo&siprop=statistics',
    'meta=allmessages&ammessages=mainpage&amenableparser='
  ])('%s may be another', (asked) => {
    expect(why(query + asked, edit)).toBeDefined()
  })

  it.each([
    'action=parse&page=Kama',
    'action=parse&text=x',
    'action=expandtemplates&text=x',
    'action=opensearch'
  ])('%s may be another', (asked) => {
    expect(why(asked, edit)).toBeDefined()
  })
})

describe('what a write reaches', () => {
  const kama = 'action=query&prop=revisions&titles=Kama'
  const siteinfo = 'action=query&meta=siteinfo'

  it.each([
    ['action=edit&title=Template:Box', kama],
    ['action=edit&title=MediaWiki:Sidebar', siteinfo],
    ['action=edit&title=User:Bob/common.js', siteinfo],
    // A user's language is that of every answer; what a user may do shows in many.
    ['action=options&optionname=language&optionvalue=de', siteinfo],
    ['action=userrights&user=Bob&add=bot', siteinfo],
    ['action=purge&titles=Volga&forcerecursivelinkupdate=', kama],
    ['action=import', kama],
    ['action=upload&filename=A.png', 'action=query&prop=imageinfo&titles=File:B.png'],
    ['action=createaccount&username=Eve', 'action=query&list=users&ususers=Eve'],
    ['action=createaccount&username=Eve', 'action=query&list=allusers']
  ])('%s: %s', (write, asked) => {
    expect(why(asked, write)).toBeDefined()
  })

  it.each([
    ['a move, whose talk page goes along', 'action=move&from=A&to=B&movetalk=1', edit],
    ['an edit that follows redirects', 'action=edit&title=A&redirect=1&text=x', edit],
    [
      'an upload',
      'action=upload&filename=B.png&ignorewarnings=1',
      'action=upload&filename=A.png'
    ],
    ['a block of pages', 'action=block&user=Bob&partial=1&pagerestrictions=A', edit],
    ['an edit of a blocked user', edit, 'action=block&user=Bob'],
    [
      'a purge of what a generator finds',
      'action=purge&generator=links&titles=Volga',
      'action=edit&title=Kama'
    ],
    [
      'a purge of revisions',
      'action=purge&revids=7&titles=Volga',
      'action=edit&title=Kama'
    ],
    [
      'an edit of a page whose talk page is watched',
      edit,
      'action=watch&titles=Talk:Volga'
    ]
  ])('the answer to %s depends on more than its page', (_, write, earlier) => {
    expect(why(write, earlier, 'write')).toBeDefined()
  })

  it('the answer to a purge does not depend on other purges', () => {
    const purge = 'action=purge&generator=allpages'
    expect(why(purge, 'action=purge&titles=Volga', 'write')).toBeUndefined()
  })

  it('the answer to an edit does not depend on edits of other pages', () => {
    expect(why('action=edit&title=Kama&text=x', edit, 'write')).toBeUndefined()
  })

  it.each([
    ['action=clearhasmsg', 'meta=userinfo&uiprop=hasmsg', true],
    ['action=clearhasmsg', 'meta=userinfo&uiprop=*', true],
    ['action=clearhasmsg', 'list=recentchanges', false],
    ['action=clearhasmsg', 'meta=userinfo', false],
    ['action=purge&titles=Volga', 'prop=info&titles=Volga', true],
    ['action=purge&titles=Volga', 'list=categorymembers&cmtitle=Category:A', false],
    [
      'action=purge&titles=Volga&forcelinkupdate=1',
      'list=categorymembers&cmtitle=Category:A',
      true
    ],
    ['action=purge&titles=Volga', 'prop=revisions&titles=Volga', false],
    ['action=purge&generator=allpages', 'list=categorymembers&cmtitle=Category:A', false],
    ['action=purge&generator=allpages', 'prop=info&titles=Volga', true],
    ['action=purge&revids=7&redirects=&converttitles=', 'list=allpages', false],
    ['action=purge&generator=allpages&forcerecursivelinkupdate=1', 'list=allpages', true],
    ['action=purge&titles=Volga', 'list=extensionmodule', true]
  ])('%s: %s may be another: %s', (write, asked, may) => {
    expect(why(query + asked, write) !== undefined).toBe(may)
  })
})
