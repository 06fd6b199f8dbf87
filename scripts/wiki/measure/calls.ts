/** Calls whose answers two labs must agree on: every call of the API's specification, every listing, and more. */
import { listingCalls } from './listings.ts'

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')

const ofSpecification: readonly string[] = [
  `action=query&prop=duplicatefiles&titles=${encode('Файл:Map_07.png|Файл:Вид 00.png|Файл:Нет такого.png')}`,
  `action=query&prop=categoryinfo&titles=${encode('Категория:Foo|Category:Bar_baz|Категория:Природа 0')}`,
  'action=query&prop=pageprops&titles=MediaWiki',
  `action=query&prop=pageprops&titles=${encode('Абрикос|Ёжик')}`,
  'action=query&prop=images&titles=Albert_Einstein',
  `action=query&prop=images&titles=${encode('Волга')}`,
  'action=query&list=pagepropnames',
  'action=query&list=prefixsearch&pssearch=meaning',
  `action=query&list=prefixsearch&pssearch=${encode('аб')}`,
  'action=query&meta=userinfo&uiprop=blockinfo|groups|rights|hasmsg',
  `action=query&list=blocks&bkusers=${encode('Алиса|Bob')}`,
  'action=query&list=allpages&apfrom=B',
  `action=query&list=allpages&apfrom=${encode('Берёза')}`,
  'action=query&generator=alltransclusions&gatfrom=B',
  'action=query&generator=allfileusages&gaffrom=B',
  'action=query&generator=allimages&prop=duplicatefiles',
  'action=query&list=allimages&aimime=image/png|image/svg%2Bxml',
  'action=query&meta=filerepoinfo&friprop=apiurl|name|displayname|rootUrl',
  'action=query&list=usercontribs&ucuser=Bob',
  `action=query&list=usercontribs&ucuser=${encode('Алиса')}&ucprop=ids|title|timestamp|comment|size|flags|tags`,
  'action=query&list=gadgetcategories',
  'action=query&meta=allmessages&amprefix=ipb-',
  'action=logout',
  'action=compare&fromrev=3&torev=4',
  'action=compare&fromrev=2&torev=13',
  `action=parse&text=${encode("'''{{PAGENAME}}''' {{Box B|1}}")}&title=${encode('Проба пера')}`,
  `action=expandtemplates&text=${encode('{{Подвал}} {{Box B|1}}')}`,
  'action=tokens&type=email|move'
]

const ofListings: readonly string[] = listingCalls
  .filter(({ asAdmin }) => !asAdmin)
  .flatMap(({ query }) => [`action=query&${query}`, `action=query&${query}&rawcontinue=`])

const more: readonly string[] = [
  ...[
    'general',
    'namespaces|namespacealiases',
    'interwikimap',
    'statistics',
    'extensions',
    'languages',
    'magicwords'
  ].map((part) => `action=query&meta=siteinfo&siprop=${part}`),
  ...['query', 'query%2Ballpages', 'query%2Bduplicatefiles', 'parse', 'compare'].map(
    (module) => `action=paraminfo&modules=${module}`
  ),
  `action=query&prop=info|revisions|categories|pageprops&inprop=url|displaytitle&rvprop=ids|content|sha1|user|timestamp|comment|tags&rvslots=main&titles=${encode('Волга|Ёжик|Узел|Нет такой 1')}`,
  'action=query&generator=allpages&gaplimit=50&prop=info|pageprops|categoryinfo',
  'action=query&generator=allpages&gaplimit=20&prop=pageimages|extracts&exintro=&exlimit=20&explaintext=',
  'action=query&list=allimages&aiprop=timestamp|user|size|sha1|mime|mediatype|bitdepth|url|canonicaltitle|comment&ailimit=100',
  'action=query&list=allusers&auprop=blockinfo|groups|editcount|registration|rights&aulimit=100',
  'action=query&list=blocks&bkprop=id|user|by|timestamp|expiry|reason|range|flags|restrictions&bklimit=100',
  'action=query&list=logevents&lelimit=500&leprop=ids|title|type|user|timestamp|comment|details|tags',
  'action=query&list=recentchanges&rclimit=500&rcprop=title|ids|sizes|flags|user|timestamp|comment|loginfo|tags|sha1',
  'action=query&list=allpages&apprtype=edit|move',
  'action=query&list=pagepropnames&ppnlimit=500',
  `action=parse&page=${encode('Узел')}`,
  `action=parse&page=${encode('Ёжик')}&prop=text|links|templates|images|categories|externallinks|sections|displaytitle|properties`,
  `action=query&prop=revisions&rvprop=content&rvslots=main&titles=${encode('Длинная страница')}`,
  'action=opensearch&search=%D0%B0%D0%B1',
  'action=query&meta=tokens',
  'action=query&meta=userinfo&uiprop=*',
  'action=nosuchaction',
  'action=query&list=nosuchlist&titles=A'
]

export const comparedCalls: readonly string[] = [
  ...ofSpecification,
  ...ofListings,
  ...more
]

/** For a caller with rights: what was deleted, and who may do what. */
export const adminCalls: readonly string[] = [
  ...listingCalls
    .filter(({ asAdmin }) => asAdmin)
    .map(({ query }) => `action=query&${query}`),
  'action=query&meta=userinfo&uiprop=rights|groups|options|editcount|registrationdate',
  'action=query&list=alldeletedrevisions&adrprop=ids|user|timestamp|comment|content&adrlimit=50'
]
