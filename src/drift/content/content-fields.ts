/**
 * Fields whose values are content of the wiki rather than behaviour of its API, by name and place.
 * Sources: https://www.mediawiki.org/wiki/API:Main_page (module pages) and real answers of five versions.
 */
import { wordSet } from '../../text/words.ts'
import { fieldOf, type Path, parentFieldOf, selfAndParents, templateOf } from '../changes/path.ts'

const contentFields = wordSet(`
  pageid logpage revid parentid lastrevid oldrevid newrevid old_revid rcid logid id fromid toid fromrevid
  torevid curid oldid fromns tons ns userid baseid title name user from to fromtitle totitle displaytitle
  category prefix touched timestamp registration expiry time curtimestamp starttimestamp size length
  oldlen newlen bytes width height duration pagecount thumbwidth comment parsedcomment summary reason
  text wikitext content * snippet extract editcount edits pages articles images users activeusers admins
  jobs files subcats totalhits recentactions watchers sha1 md5 hash etag archivename url descriptionurl
  descriptionshorturl thumburl fullurl editurl canonicalurl sortkey sortkeyprefix defaultsort description
  bitdepth mime mediatype counter
`)

/** Endings of further such names. */
const contentEnding = /(?:timestamp|count|size|title|url|revid|pageid|sha1|comment|text)$/

/** Members of siteinfo about the installation rather than the API. */
const installation =
  /^query\.(?:statistics|querypage\.(?:results|cached|cachedtimestamp)|interwikimap|dbrepllag|libraries|extensions|skins|repos|languages|languageinfo)\b|\.(?:server|servername|wikiid|logo|favicon|base)$/
/** The same for single members of siteinfo's `general`: names and versions of what the wiki runs on. */
const environment =
  /^query\.general\.(?:generator|git-.*|php.*|db.*|mainpage|sitename|timezone|timeoffset|time$|logo|favicon)/

/** True where a changed value means that content moved, not the API. */
export function holdsContent(path: Path): boolean {
  const field = fieldOf(path)
  if (contentFields.has(field) || contentEnding.test(field) || dictionaries.has(field)) return true
  return isEnvironment(path) || dictionaries.has(parentFieldOf(path))
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
/** True where members come and go with the wiki's content and settings. */
export const isDictionary = ({ kind, step, parent }: Path): boolean =>
  // A limit has one rate for each group of users.
  kind === 'member' ? dictionaries.has(step) : parent?.step === 'ratelimits'

/** True for a value inside of such an object: another type is another setting. */
export const isInDictionary = ({ parent }: Path): boolean => selfAndParents(parent).some(isDictionary)

/** Of one revision or row of a log these stay for ever. */
export const fixedFields: ReadonlySet<string> = wordSet(`
  size length oldlen newlen sha1 timestamp user comment parsedcomment contentmodel minor bot new redirect mime
  level
`)
/** The text of a revision, and the parameters by which it is not as it was saved. */
export const savedText: RegExp = /\brevisions\[\*\]\.(?:slots\.[^.]+\.)?(?:\*|content)$/
export const textParams: RegExp = /^\w*v(?:parse|expandtemplates|generatexml)$/
/** These follow from the title and from settings. */
export const titleFields: ReadonlySet<string> = wordSet('ns fullurl editurl canonicalurl descriptionurl')

/** Lists whose rows go with an edit, a move or a deletion, and never by themselves as those of a search or of a month. */
const lastingNames = wordSet(`
  allpages alllinks allcategories allimages allfileusages allredirects alltransclusions allrevisions
  categorymembers backlinks embeddedin imageusage usercontribs logevents exturlusage pageswithprop querypage
`)
export const lastingLists: RegExp = new RegExp(
  `^query\\.(?:${[...lastingNames].join('|')})(?:\\.results)?\\[\\*\\]$`,
)
export const lastingGenerators: ReadonlySet<string> = wordSet(
  `${[...lastingNames].join(' ')} links templates images categories`,
)

/** A pattern of places that begin with `prefix` and one of the words. */
const placesOf = (prefix: string, words: ReadonlySet<string>): RegExp =>
  new RegExp(`^${prefix}(?:${[...words].join('|')})\\b`)

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

/** What every page has, whatever its text. */
export const permanentFields: RegExp =
  /^query\.pages\[\*\]\.(?:pageid|ns|title|touched|lastrevid|length|contentmodel)$/

/** Fields of a page that edits of other pages change: what links to it, what its templates hold. */
const otherPagesNames = wordSet(`
  extlinks pageimage thumbnail original pageprops categories categoryinfo links templates images
  langlinks langlinkscount iwlinks fileusage linkshere redirects transcludedin contributors
  anoncontributors coordinates imageinfo duplicatefiles watchers description terms
`)
export const otherPagesFields: RegExp = new RegExp(
  `^query\\.pages\\[\\*\\]\\.(?:${[...otherPagesNames].join('|')})$`,
)

/** Fields that only edits of the page itself change: its text, its revisions, whether it exists and who may edit it. */
const ownPageNames = wordSet(`
  extract revisions deletedrevisions length touched new redirect missing known protection displaytitle
  varianttitles lastrevid contentmodel imagerepository tocdata
`)
const pageFieldNames = new Set([...otherPagesNames, ...ownPageNames])
export const pageDependentFields: readonly RegExp[] = [
  /^parse\.(?!$)\w|^compare\b|^query\.search\b/,
  /^query\.(?:users|allusers)\[\*\]\.(?:block|editcount|groups|implicitgroups|rights|groupmemberships)/,
  placesOf('query\\.pages\\[\\*\\]\\.', pageFieldNames),
]
