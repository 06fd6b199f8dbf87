/**
 * Names of fields that hold wikitext, a status, text for people, a closed set, an order without meaning.
 * Sources: https://www.mediawiki.org/wiki/API:Main_page (module pages) and real answers of five versions.
 */
import { wordSet } from '../../text/words.ts'
import { fieldOf, type Path, templateOf } from '../changes/path.ts'

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

/** True where the value is written for people: wordings, labels, interface messages. */
export function holdsHumanText(path: Path): boolean {
  if (textFields.has(fieldOf(path))) return true
  const template = templateOf(path)
  return template.startsWith('query.allmessages[*]') || /^query\.messages\b/.test(template)
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
const rankedLists = /^query\.(?:search|prefixsearch|querypage\.results|mostviewed|geosearch|wbsearch)$/
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
export const isUnordered = (path: Path): boolean => isClosedSet(path) || unorderedLists.has(fieldOf(path))
