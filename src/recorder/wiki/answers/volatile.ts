/**
 * Volatile values of answers, which differ although the wiki is unchanged: times and cache keys in the parser's reports, the
 * clock, the server's name. Measured on real wikis recorded twice.
 */
import { type JsonTree, jsonLiteral, mapMembers, sameTree } from '../../json/json-tree.ts'
import { wordSet } from '../../text/words.ts'
import { escapeHtml } from './envelope.ts'

/** Comments that the parser appends to rendered HTML. @param open and close the marks of a comment, as they are spelled there */
const parserReport = (open: string, close: string) =>
  new RegExp(
    `(${open})\\s*(?:NewPP limit report|Transclusion expansion time report|Saved in (?:parser cache|RevisionOutputCache))` +
      `(?:(?!${open})[\\s\\S])*?(${close})`,
    'g'
  )
const plainReport = parserReport('<!--', '-->')
const escapedReport = parserReport('&lt;!--', '--&gt;')

/** When the answer was made, on which machine, and versions in siteinfo that change with each security update. */
const volatileMembers = wordSet(
  'curtimestamp servedby limitreportdata limitreporthtml phpversion dbversion'
)

/** Variables in a page's head (`action=parse&prop=headhtml`): the request's id, and how long it took. */
const headVariables =
  /(\\?"wg(?:RequestId|BackendResponseTime)\\?":)(?:\d+|\\?"[^"\\]*\\?")/g

/** When a feed was made, which stands before its items (`ChannelFeed` of MediaWiki). */
const feedTime =
  /^(<\?xml[^>]*>\s*<(?:rss|feed)\b(?:(?!<(?:item|entry)\b)[\s\S])*?<(?:lastBuildDate|updated)>)[^<]*/

/** The text without the contents of report comments, without these variables, a feed's time and the query that it repeats. */
export function withoutParserReports(given: string): string {
  const hasVariables = given.includes('wgRequestId') || given.includes('wgBackend')
  const text = hasVariables
    ? given.replace(headVariables, '$1')
    : withFeedQuery(given.replace(feedTime, '$1'), '')
  return text.replace(plainReport, '$1$2')
}

/** The same for answers as text: XML, PHP, pages and feeds. */
export const equalTextsIgnoringVolatile = (a: string, b: string): boolean =>
  a === b || withoutVolatileText(a) === withoutVolatileText(b)

function withoutVolatileText(given: string) {
  const text = withoutParserReports(given)
  if (text.startsWith('<?xml')) return withoutVolatileXml(text)
  return /^a:\d+:\{/.test(text) ? withoutVolatilePhp(text) : text
}

/** `<` is in tags alone; what is inside of an element is escaped. */
const withoutVolatileXml = (text: string) =>
  text
    .replace(escapedReport, '$1$2')
    .replace(/(<limitreport(data|html)\b[^<>]*>)(?:(?!<\/limitreport\2>)[\s\S])*/g, '$1')
    .replace(/<\w[^<>]*>/g, (tag) =>
      tag
        .replace(/( (?:curtimestamp|servedby|phpversion|dbversion)=)"[^"]*"/g, '$1')
        .replace(/( timeoffset="(?:(?! timeoffset=)[^>])* time=)"[^"]*"/, '$1')
    )

/** Without the lengths of texts, since reports differ in length. */
const withoutVolatilePhp = (text: string) =>
  text
    .replace(/\bs:\d+:(?=")/g, 's:')
    .replace(/("(?:curtimestamp|servedby|phpversion|dbversion)";s:)"[^"]*"/g, '$1')
    .replace(/("timeoffset";(?:(?!"timeoffset")[^}])*?"time";s:)"[^"]*"/, '$1')
    .replace(/("limitreportdata";a:\d+:\{)(?:(?!\}\})[\s\S])*/g, '$1')
    .replace(/("limitreporthtml";(?:a:1:\{s:"\*";)?s:")(?:(?!";)[\s\S])*/g, '$1')

/** True where two answers to the same request differ only in volatile values. */
export const equalIgnoringVolatile = (a: JsonTree, b: JsonTree): boolean =>
  sameTree(withoutVolatile(a), withoutVolatile(b))

function withoutVolatile(tree: JsonTree): JsonTree {
  if (tree.kind === 'string')
    return { kind: 'string', value: withoutParserReports(tree.value) }
  if (tree.kind === 'array')
    return { kind: 'array', items: tree.items.map(withoutVolatile) }
  if (tree.kind === 'literal') return tree
  // `query.general.time` of siteinfo; other members called `time` are content.
  const isSiteinfo = tree.members.some(({ key }) => key === 'timeoffset')
  const isVolatile = (key: string) =>
    volatileMembers.has(key) || (isSiteinfo && key === 'time')
  return mapMembers(tree, (value, key) =>
    isVolatile(key) ? nothing : withoutVolatile(value)
  )
}

const nothing = jsonLiteral(null)

/** Up to the query of each address, in linear time. What a title or an entry says is escaped, and links of entries are not `self`. */
const ownAddress =
  /^((?:<\?xml[^>]*>\s*)+<feed\b[^>]*>\s*<id>[^<?]*)(?:\?[^<]*)?(<\/id>(?:(?!<entry>)[\s\S])*?<link rel="self"[^<>]* href="[^"?]*)[^"]*/

/** An Atom feed as the wiki writes it for this query string; any other text as it is. */
export function withFeedQuery(text: string, query: string): string {
  const added = query === '' ? '' : `?${escapeHtml(query).replaceAll("'", '&#039;')}`
  return text.replace(
    ownAddress,
    (_, id: string, link: string) => id + added + link + added
  )
}
