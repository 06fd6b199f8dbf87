/** What the shipped cassettes record: every call of the API's 1.25 specification, and the walk of each listing. */

const spec: readonly string[] = [
  'action=query&prop=duplicatefiles&titles=Файл:Map_07.png|Файл:Вид 00.png|Файл:Нет такого.png',
  'action=query&prop=duplicatefiles&titles=File:Map_07.png|file:Вид_00.png',
  'action=query&prop=categoryinfo&titles=Категория:Foo|Category:Bar_baz|Категория:Природа 0',
  'action=query&prop=pageprops&titles=MediaWiki',
  'action=query&prop=pageprops&titles=Абрикос',
  'action=query&prop=images&titles=Albert_Einstein',
  'action=query&prop=images&titles=Волга',
  'action=query&list=pagepropnames',
  'action=query&list=prefixsearch&pssearch=meaning',
  'action=query&list=prefixsearch&pssearch=аб',
  'action=query&meta=userinfo&uiprop=blockinfo|groups|rights|hasmsg',
  'action=query&list=blocks&bkusers=Алиса|Bob',
  'action=query&list=allpages&apfrom=B',
  'action=query&list=allpages&apfrom=Берёза',
  'action=query&generator=alltransclusions&gatfrom=B',
  'action=query&generator=allfileusages&gaffrom=B',
  'action=query&generator=allimages&prop=duplicatefiles',
  'action=query&list=allimages&aimime=image/png|image/gif',
  'action=query&meta=filerepoinfo&friprop=apiurl|name|displayname',
  'action=query&list=usercontribs&ucuser=Bob',
  'action=query&list=usercontribs&ucuser=Nobody',
  'action=query&list=gadgetcategories',
  'action=query&meta=allmessages&amprefix=ipb-',
  'action=logout',
  'action=compare&fromrev=5&torev=11',
  'action=parse&text={{PAGENAME}}&title=Test',
  'action=expandtemplates&text={{Box B|1}}',
  'action=tokens&type=email|move'
]

/** Each call as it stands, in the legacy dialect, and in the second format version. */
const spellings: readonly string[] = ['', '&rawcontinue=', '&formatversion=2']

export const specCalls: readonly string[] = spec.flatMap((call) =>
  spellings.map((spelling) => call + spelling)
)

const hub = 'Узел'

/** First requests of walks that are followed to their end, ten items a batch. */
export const walks: readonly string[] = [
  ...[
    'list=allpages&aplimit=10',
    'list=allimages&ailimit=10',
    'list=allcategories&aclimit=10',
    'list=allusers&aulimit=10',
    'list=pagepropnames&ppnlimit=10',
    'list=tags&tglimit=10',
    'list=alllinks&allimit=10&alprop=ids|title',
    'list=alltransclusions&atlimit=10&atprop=ids|title',
    'list=allfileusages&aflimit=10&afprop=ids|title',
    'list=allredirects&arlimit=10&arprop=ids|title',
    'list=backlinks&bllimit=10&bltitle=Узел',
    'list=embeddedin&eilimit=10&eititle=Шаблон:Box B',
    'list=imageusage&iulimit=10&iutitle=Файл:Map 07.png',
    'list=categorymembers&cmlimit=10&cmtitle=Категория:Природа 0',
    'list=usercontribs&uclimit=10&ucuser=Bob',
    'list=recentchanges&rclimit=10&rcprop=ids|title|user|timestamp|loginfo',
    'list=logevents&lelimit=10',
    'list=allrevisions&arvlimit=10',
    'list=prefixsearch&pslimit=10&pssearch=а',
    'list=search&srlimit=10&srsearch=река',
    'list=querypage&qplimit=10&qppage=Uncategorizedpages',
    'list=exturlusage&eulimit=10',
    'list=blocks&bklimit=10',
    'generator=allpages&gaplimit=10&prop=info',
    'generator=allpages&gaplimit=10&prop=categories|links&cllimit=10&pllimit=10',
    'generator=categorymembers&gcmlimit=10&gcmtitle=Категория:Природа 0'
  ],
  ...[
    'prop=links&pllimit=10',
    'prop=templates&tllimit=10',
    'prop=categories&cllimit=10',
    'prop=images&imlimit=10',
    'prop=contributors&pclimit=10',
    'prop=linkshere&lhlimit=10',
    'prop=transcludedin&tilimit=10',
    'prop=extlinks&ellimit=10',
    'prop=revisions&rvlimit=10&rvprop=ids|timestamp|user'
  ].map(
    (prop) =>
      `${prop}&titles=${prop.includes('transcludedin') ? 'Шаблон:Box B' : prop.includes('revisions') ? 'Волга' : hub}`
  ),
  'prop=links|categories&pllimit=10&cllimit=10&titles=Абрикос|Волга|Берёза'
].map((query) => `action=query&${query}`)
