/** Which wiki a path belongs to: a host may have several, e.g. `/en/api.php` and `/de/api.php`. */

/** Of hosts with one wiki. Source: https://www.mediawiki.org/wiki/API:Main_page, and the farms in use */
export const usualPaths: readonly string[] = ['/w/api.php', '/api.php', '/wiki/api.php', '/mediawiki/api.php']

/** What clients assume without having looked it up. */
const aliases: readonly string[] = ['/w/api.php', '/api.php']

/**
 * True for the path of another wiki's API. Other pages are recorded under their whole path, so they cannot be mixed up.
 * @param apiPath path of the recorded api.php, where the cassette names it
 * @param namedHost true where the client named the wiki's own host, so that its paths are no assumptions
 */
export function isOtherWikisApi(path: string, apiPath: string | undefined, namedHost: boolean): boolean {
  if (path === apiPath || apiPath === undefined || !path.endsWith('/api.php')) return false
  const plain = path.replace(/\/{2,}/g, '/')
  const isAlias = !namedHost && aliases.includes(plain) && usualPaths.includes(apiPath)
  return plain !== apiPath && !isAlias
}
