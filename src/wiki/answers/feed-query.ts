/** Atom feeds repeat the address of their request, in `<id>` and in the link to themselves; RSS does not. Measured on 1.39 and 1.43. */
import { escapeHtml } from './envelope.ts'

/** Up to the query of each address, in linear time. What a title or an entry says is escaped, and links of entries are not `self`. */
const ownAddress =
  /^((?:<\?xml[^>]*>\s*)+<feed\b[^>]*>\s*<id>[^<?]*)(?:\?[^<]*)?(<\/id>(?:(?!<entry>)[\s\S])*?<link rel="self"[^<>]* href="[^"?]*)[^"]*/

/** An Atom feed as the wiki writes it for this query string; any other text as it is. */
export function withFeedQuery(text: string, query: string): string {
  const added = query === '' ? '' : `?${escapeHtml(query).replaceAll("'", '&#039;')}`
  return text.replace(ownAddress, (_, id: string, link: string) => id + added + link + added)
}
