/**
 * What the names of fields say: whether a value is content, a status, text for people, an item of a closed set.
 * Sources: https://www.mediawiki.org/wiki/API:Main_page (module pages) and real answers of five versions.
 */
import { fieldOf, type Path, parentFieldOf, templateOf } from '../changes/path.ts'

/** Content of the wiki: moves by nature. */
const contentFields: ReadonlySet<string> = new Set([
  ...[
    'pageid',
    'logpage',
    'revid',
    'parentid',
    'lastrevid',
    'oldrevid',
    'newrevid',
    'old_revid',
    'rcid',
    'logid',
    'id',
  ],
  ...['fromid', 'toid', 'fromrevid', 'torevid', 'curid', 'oldid', 'fromns', 'tons', 'ns', 'userid', 'baseid'],
  ...['title', 'name', 'user', 'from', 'to', 'fromtitle', 'totitle', 'displaytitle', 'category', 'prefix'],
  ...['touched', 'timestamp', 'registration', 'expiry', 'time', 'curtimestamp', 'starttimestamp'],
  ...[
    'size',
    'length',
    'oldlen',
    'newlen',
    'bytes',
    'width',
    'height',
    'duration',
    'pagecount',
    'thumbwidth',
  ],
  ...[
    'comment',
    'parsedcomment',
    'summary',
    'reason',
    'text',
    'wikitext',
    'content',
    '*',
    'snippet',
    'extract',
  ],
  ...['editcount', 'edits', 'pages', 'articles', 'images', 'users', 'activeusers', 'admins', 'jobs', 'files'],
  ...['subcats', 'totalhits', 'recentactions', 'watchers', 'sha1', 'md5', 'hash', 'etag', 'archivename'],
  ...['url', 'descriptionurl', 'descriptionshorturl', 'thumburl', 'fullurl', 'editurl', 'canonicalurl'],
  ...['sortkey', 'sortkeyprefix', 'defaultsort', 'description', 'bitdepth', 'mime', 'mediatype', 'counter'],
])

/** Names that say the same by their ending. */
const contentEnding = /(?:timestamp|count|size|title|url|revid|pageid|sha1|comment|text)$/

/** Where a wiki tells of its installation rather than of its API. */
const installation =
  /^query\.(?:statistics|querypage\.(?:results|cached|cachedtimestamp)|interwikimap|dbrepllag|libraries|extensions|skins|repos|languages|languageinfo)\b|\.(?:server|servername|wikiid|logo|favicon|base)$/
/** The same for single members of siteinfo's `general`: names and versions of what the wiki runs on. */
const environment =
  /^query\.general\.(?:generator|git-.*|php.*|db.*|mainpage|sitename|lang|fallback.*|timezone|timeoffset|logo|favicon)/

/** True where a changed value means that content moved, not the API. */
export function holdsContent(path: Path): boolean {
  const field = fieldOf(path)
  if (contentFields.has(field) || contentEnding.test(field) || dictionaries.has(field)) return true
  const template = templateOf(path)
  return installation.test(template) || environment.test(template) || dictionaries.has(parentFieldOf(path))
}

/** Objects whose member names are content: preferences, page properties, message keys. */
const dictionaries: ReadonlySet<string> = new Set([
  ...['defaultoptions', 'options', 'pageprops', 'jsconfigvars', 'metadata', 'commonmetadata', 'extmetadata'],
  ...['languageinfo', 'properties', 'variantfallbacks', 'imagelimits', 'licenses', 'parsewarnings'],
])
/** True where members come and go with the wiki's content and settings. */
export const isDictionary = (path: Path): boolean => path.kind === 'member' && dictionaries.has(path.step)

/** True for a value inside of such an object: another type is another setting. */
export function isInDictionary(path: Path): boolean {
  for (let at: Path | undefined = path.parent; at !== undefined; at = at.parent)
    if (isDictionary(at)) return true
  return false
}

/** Wikitext may hold tags, which are its author's and not the API's. */
const wikitext =
  /\.(?:revisions|slots)\b|(?:^|\.)(?:wikitext|expandtemplates|psttext)\b|(?:comment|summary|reason|snippet)$/
export const holdsWikitext = (path: Path): boolean => wikitext.test(templateOf(path))

/** Words that clients branch on. */
const statusFields: ReadonlySet<string> = new Set(['result', 'status', 'errorcode'])
export const holdsStatus = (path: Path): boolean => statusFields.has(fieldOf(path))

const textFields: ReadonlySet<string> = new Set([
  ...['info', 'message', 'html', 'displayname', 'localname', 'help', 'helptext', 'docref', 'line', 'label'],
  ...['description', 'descriptionmsg', 'summarymsg', 'grouplabel', 'statusmessage', 'invalidreason'],
])

/** True where the value is written for people: wordings, labels, interface messages. */
export function holdsHumanText(path: Path): boolean {
  if (textFields.has(fieldOf(path))) return true
  const template = templateOf(path)
  return template.startsWith('query.allmessages[*]') || /^query\.messages\b/.test(template)
}

/** Lists of plain values that are sets out of a small closed vocabulary. */
const closedSets: ReadonlySet<string> = new Set([
  ...['rights', 'groups', 'implicitgroups', 'implicitrights', 'contentmodels', 'contentformats', 'source'],
  ...['grantrights', 'rightsremove', 'add', 'remove', 'add-self', 'remove-self', 'restrictiontypes', 'types'],
  ...['levels', 'cascadinglevels', 'semiprotectedlevels', 'tokens', 'flags', 'supportedcontentmodels'],
  ...['groupmemberships', 'changeablegroups', 'actions', 'logtypes'],
])
export const isClosedSet = (path: Path): boolean => closedSets.has(fieldOf(path))

/** Lists in the order of what their items count, so that an edit anywhere may turn them round. */
const rankedLists = /^query\.(?:search|prefixsearch|querypage\.results|mostviewed|geosearch|wbsearch)$/
export const isRanked = (path: Path): boolean => rankedLists.test(templateOf(path))

/** Lists whose order says nothing, so that another order is at most untidy. */
const unorderedLists: ReadonlySet<string> = new Set([
  ...[
    'tags',
    'categories',
    'links',
    'templates',
    'images',
    'langlinks',
    'iwlinks',
    'externallinks',
    'properties',
  ],
  ...[
    'aliases',
    'namespaces',
    'namespacealiases',
    'extensions',
    'libraries',
    'skins',
    'usergroups',
    'normalized',
  ],
  ...['magicwords', 'specialpagealiases', 'interwikimap', 'languages', 'modules', 'protocols', 'variables'],
  ...[
    'extensiontags',
    'functionhooks',
    'showhooks',
    'subscribers',
    'fileextensions',
    'redirects',
    'converted',
  ],
  ...['extlinks', 'duplicatefiles', 'transcludedin', 'fileusage', 'linkshere', 'contributors'],
  ...['languagevariants', 'defaultoptions', 'limitreportdata', 'headitems', 'modulestyles', 'modulescripts'],
])
export const isUnordered = (path: Path): boolean => isClosedSet(path) || unorderedLists.has(fieldOf(path))
