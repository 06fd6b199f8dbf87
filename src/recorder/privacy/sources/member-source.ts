/** Members of an API answer by where their text comes from. Names of these are MediaWiki's and its extensions'. */
import { wordSet } from '../../text/words.ts'
import type { AnswerSource, TextSource } from './answer-source.ts'

/**
 * Below these is what people wrote, in whatever form; some have members that people name too (`jsondata`, `cargoquery`,
 * `pageprops`). Sources: ApiParse, ApiExpandTemplates, ApiComparePages, ApiQueryRevisionsBase, ApiQueryPageProps,
 * ApiQuerySearch, ApiQueryAllMessages, ApiQueryImageInfo (metadata of files), ApiQueryLogEvents (`params`); extensions
 * JsonConfig, Cargo, SemanticMediaWiki (`results`), TemplateData (`pages`), TextExtracts, Kartographer, Wikibase, Echo, Flow,
 * VisualEditor, DiscussionTools.
 */
const contentMembers = wordSet(
  'parse expandtemplates compare revisions deletedrevisions alldeletedrevisions deletedrevs pageprops search allmessages ' +
    'metadata commonmetadata extmetadata params jsondata cargoquery results templatedata paramOrder mapdata entities ' +
    'terms entityterms notifications flow visualeditor visualeditoredit discussiontoolspageinfo extlinks exturlusage ' +
    'categories links templates langlinks iwlinks abusefilters spamblacklist titleblacklist'
)
/** Values of these are text of people wherever they stand. */
const contentNames = wordSet(
  '* content text html wikitext comment parsedcomment summary snippet titlesnippet sectionsnippet categorysnippet extract ' +
    'title displaytitle description source body from to sortkey sortkeyprefix anchor line label url query gfrom'
)
/** Messages of the wiki to its caller, and pages of its own in an answer. */
const ownMembers = wordSet(
  'error errors warnings userinfo globaluserinfo authmanagerinfo tokens headhtml headitems'
)

/** @param path names of members, from the top */
export function sourceOfMember(
  path: readonly string[],
  answer: AnswerSource
): TextSource {
  if (answer.source === 'content' || answer.source === 'foreign') return answer.source
  let isContent = contentNames.has(path.at(-1) ?? '')
  for (const step of path) {
    if (ownMembers.has(step)) return answer.source
    isContent ||= contentMembers.has(step)
  }
  return isContent ? 'content' : answer.source
}

/** True for what the wiki says of its caller. @param path names of members, from the top */
export const isOfCaller = (path: readonly string[]): boolean =>
  path.some((step) => step === 'userinfo' || step === 'globaluserinfo')
