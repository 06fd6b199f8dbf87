/**
 * What fields hold, by name and place: content of the wiki rather than behaviour of its API; wikitext, a status, text for
 * people, a closed set, an order without meaning.
 * Sources: https://www.mediawiki.org/wiki/API:Main_page (module pages) and real answers of five versions.
 */
import { wordSet } from '../../recorder/text/words.ts'
import {
  fieldOf,
  type Path,
  parentFieldOf,
  selfAndParents,
  templateOf,
} from '../changes/change.ts'

const contentFields = wordSet(`
  logpage parentid rcid logid id fromid toid curid oldid fromns tons ns userid baseid name user from to
  category prefix touched registration expiry time length oldlen newlen bytes width height duration
  thumbwidth summary reason content * snippet extract edits pages articles images users activeusers admins
  jobs files subcats totalhits recentactions watchers md5 hash etag archivename sortkey sortkeyprefix
  defaultsort description bitdepth mime mediatype counter top
`)

/** Endings of further such names. */
const contentEnding = /(?:timestamp|count|size|title|url|revid|pageid|sha1|comment|text)$/

/** Members of siteinfo about the installation rather than the API. */
const installation =
  /^query\.(?:statistics|querypage\.(?:results|cached|cachedtimestamp)|interwikimap|dbrepllag|libraries|extensions|skins|repos|languages|languageinfo|usergroups\[\*\]\.number$)\b|\.(?:server|servername|wikiid|logo|favicon|base)$/
/** Single members of siteinfo's `general`: names and versions of what the wiki runs on. */
const environment =
  /^(?:query\.general|siteinfo)\.(?:generator|dbname$|base$|git-.*|php.*|db.*|mainpage|sitename|timeoffset|time$|logo|favicon)/

/** True if a changed value means that content moved, not the API. */
export function holdsContent(path: Path): boolean {
  const field = fieldOf(path)
  if (contentFields.has(field) || contentEnding.test(field) || dictionaries.has(field))
    return true
  const isSetting = isEnvironment(path) || dictionaries.has(parentFieldOf(path))
  return isSetting || entityContent.test(templateOf(path))
}

/** True for what the wiki's host, database and PHP are, and how far it has got. */
export function isEnvironment(path: Path): boolean {
  const template = templateOf(path)
  return installation.test(template) || environment.test(template)
}

/** Objects whose member names are content: preferences, page properties, message keys. */
const dictionaries = wordSet(`
  defaultoptions options pageprops jsconfigvars metadata commonmetadata extmetadata languageinfo
  properties variantfallbacks imagelimits licenses parsewarnings ratelimits
`)
/** True if members come and go with the wiki's settings. */
const isOfSettings = ({ kind, step, parent }: Path): boolean =>
  // A limit has one rate for each group of users.
  kind === 'member' ? dictionaries.has(step) : parent?.step === 'ratelimits'

/** Of Wikibase: by ids of entities, languages, sites, properties. Source: ResultBuilder::getModifiedEntityArray; 1.45 */
const entityMaps =
  /^(?:entities|(?:entities\[\*\]\.|entity\.)(?:labels|descriptions|aliases|sitelinks|claims)|claims)$|^(?:entit|claims?\b).*\.(?:qualifiers|snaks)$/
const entityContent =
  /^entit.*\.(?:labels|descriptions|aliases|sitelinks)\[\*\](?:\[\*\])?\.value$|^(?:entit|claims?\b).*\.datavalue\.value\b/

/** True if members come and go with the wiki's content and settings. */
export const isDictionary = (path: Path): boolean =>
  isOfSettings(path) || (path.kind === 'member' && entityMaps.test(templateOf(path)))

/** True for a value inside of an object of settings: another type is another setting. */
export const isInDictionary = ({ parent }: Path): boolean =>
  selfAndParents(parent).some(isOfSettings)

/** Fields that never change for a given revision or log entry. */
export const fixedFields: ReadonlySet<string> = wordSet(`
  lastrevid size length oldlen newlen sha1 timestamp user comment parsedcomment contentmodel minor bot new redirect mime
  level bitdepth mediatype pagecount
`)
/** The size of a file, which follows from its hash. */
export const imageSize: RegExp =
  /^query\.(?:allimages|pages\[\*\]\.imageinfo)\[\*\]\.(?:width|height)$/
/** The text of a revision, and the parameters by which it is not as it was saved. */
export const savedText: RegExp = /\brevisions\[\*\]\.(?:slots\.[^.]+\.)?(?:\*|content)$/
export const textParams: RegExp = /^\w*v(?:parse|expandtemplates|generatexml)$/
/** These follow from the title and from settings. */
export const titleFields: ReadonlySet<string> = wordSet(
  'ns fullurl editurl canonicalurl descriptionurl',
)

/** A pattern of places that begin with `prefix` and one of the words. */
const placesOf = (prefix: string, words: Iterable<string>, end = '\\b'): RegExp =>
  new RegExp(`^${prefix}(?:${[...words].join('|')})${end}`)

/** Lists whose rows go with an edit, a move or a deletion, and never by themselves as those of a search or of a month. */
const lastingNames = wordSet(`
  allpages alllinks allcategories allimages allfileusages allredirects alltransclusions allrevisions
  categorymembers backlinks embeddedin imageusage usercontribs logevents exturlusage pageswithprop querypage
`)
export const lastingLists: RegExp = placesOf(
  'query\\.',
  lastingNames,
  '(?:\\.results)?\\[\\*\\]$',
)
export const lastingGenerators: ReadonlySet<string> = wordSet(
  `${[...lastingNames].join(' ')} links templates images categories`,
)

/** The wiki's configuration, as against its pages. */
const settingNames = wordSet(`
  general namespaces namespacealiases specialpagealiases magicwords usergroups autocreatetempuser
  libraries extensions fileextensions rightsinfo restrictions languages languagevariants skins
  extensiontags functionhooks protocols defaultoptions uploaddialog allmessages userinfo tokens
  authmanagerinfo filerepoinfo languageinfo repos
`)
export const settings: readonly RegExp[] = [
  /^(?:headers|cookies|status|paraminfo|tokens|login)\b/,
  placesOf('query\\.', settingNames),
]

/** What a log, the clock or the caller changes without any edit: blocks, rights, protection, settings of users. */
export const loggedPlaces: RegExp =
  /\b(?:userinfo|users|allusers|blocks|block\w*|protection|cascade\w*|expiry|groups|rights|editcount|watchers|visitingwatchers|\w*hidden|suppressed|statistics|touched|options|unreadcount|number|limits)\b|^query\.tokens|^tokens\b|^login\b/
/** Lists whose rows go with time, or when a job runs. */
export const volatileLists: ReadonlySet<string> = wordSet(
  'random recentchanges watchlist watchlistraw querypage search prefixsearch mostviewed protectedtitles',
)

/** What every page has, whatever its text. */
export const permanentFields: RegExp =
  /^query\.pages\[\*\]\.(?:pageid|ns|title|touched|lastrevid|length|contentmodel)$/

/** Fields of a page that edits of other pages change: what links to it, what its templates hold. */
const otherPagesNames = wordSet(`
  extlinks pageimage thumbnail original pageprops categories categoryinfo links templates images
  langlinks langlinkscount iwlinks fileusage linkshere redirects transcludedin contributors
  anoncontributors coordinates imageinfo duplicatefiles watchers description terms
`)
export const otherPagesFields: RegExp = placesOf(
  'query\\.pages\\[\\*\\]\\.',
  otherPagesNames,
  '$',
)

/** Fields that only edits of the page itself change: its text, its revisions, whether it exists and who may edit it. */
const ownPageNames = wordSet(`
  extract revisions deletedrevisions length touched new redirect missing known protection displaytitle
  varianttitles lastrevid contentmodel imagerepository tocdata
`)
export const pageDependentFields: readonly RegExp[] = [
  /^parse\.(?!$)\w|^compare\b|^query\.search\b/,
  /^query\.(?:users|allusers)\[\*\]\.(?:block|editcount|groups|implicitgroups|rights|groupmemberships)/,
  placesOf('query\\.pages\\[\\*\\]\\.', [...otherPagesNames, ...ownPageNames]),
]

/** Wikitext may hold tags, which are its author's and not the API's. */
const wikitext =
  /\.(?:revisions|slots)\b|(?:^|\.)(?:wikitext|expandtemplates|psttext)\b|(?:comment|summary|reason|snippet)$/
export const holdsWikitext = (path: Path): boolean => wikitext.test(templateOf(path))

/** Words that clients branch on. */
const statusFields: ReadonlySet<string> = new Set(['result', 'status', 'errorcode'])
export const holdsStatus = (path: Path): boolean => statusFields.has(fieldOf(path))

const textFields = wordSet(`
  info message html displayname localname help helptext docref line label description descriptionmsg
  summarymsg grouplabel statusmessage invalidreason
`)

/** True if the value is written for people: wordings, labels, interface messages. */
export function holdsHumanText(path: Path): boolean {
  if (textFields.has(fieldOf(path))) return true
  const template = templateOf(path)
  return (
    template.startsWith('query.allmessages[*]') || /^query\.messages\b/.test(template)
  )
}

/** Lists of plain values that are sets out of a small closed vocabulary. */
const closedSets = wordSet(`
  rights groups implicitgroups implicitrights contentmodels contentformats source grantrights
  rightsremove add remove add-self remove-self restrictiontypes types levels cascadinglevels
  semiprotectedlevels tokens flags supportedcontentmodels groupmemberships changeablegroups actions
  logtypes
`)
export const isClosedSet = (path: Path): boolean => closedSets.has(fieldOf(path))

/** Lists ranked by something that an edit of any page may change. */
const rankedLists =
  /^query\.(?:search|prefixsearch|querypage\.results|mostviewed|geosearch|wbsearch)$/
export const isRanked = (path: Path): boolean => rankedLists.test(templateOf(path))

/** The place of a page among those that a generator found. */
export const isRank = (path: Path): boolean => templateOf(path) === 'query.pages[*].index'

/** Lists whose order has no meaning. */
const unorderedLists = wordSet(`
  tags categories links templates images langlinks iwlinks externallinks properties aliases namespaces
  namespacealiases extensions libraries skins usergroups normalized magicwords specialpagealiases
  interwikimap languages modules protocols variables extensiontags functionhooks showhooks subscribers
  fileextensions redirects converted extlinks duplicatefiles transcludedin fileusage linkshere
  contributors languagevariants defaultoptions limitreportdata headitems modulestyles modulescripts
`)
export const isUnordered = (path: Path): boolean =>
  isClosedSet(path) ||
  (unorderedLists.has(fieldOf(path)) && templateOf(path) !== 'query.tags')
