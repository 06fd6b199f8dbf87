/**
 * Fields whose values are content of the wiki rather than behaviour of its API, by name and place.
 * Sources: https://www.mediawiki.org/wiki/API:Main_page (module pages) and real answers of five versions.
 */
import { wordSet } from '../../text/word-set.ts'
import { fieldOf, type Path, parentFieldOf, templateOf } from '../changes/path.ts'

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
export function isInDictionary(path: Path): boolean {
  for (let at: Path | undefined = path.parent; at !== undefined; at = at.parent)
    if (isDictionary(at)) return true
  return false
}
