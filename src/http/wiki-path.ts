/** Whose path it is: a host may have one api.php for each of its wikis, e.g. `/en/api.php` and `/de/api.php`. */

/** Where the one wiki of a host has its api.php. Source: https://www.mediawiki.org/wiki/API:Main_page, and the farms in use */
export const usualPaths: readonly string[] = ['/w/api.php', '/api.php', '/wiki/api.php', '/mediawiki/api.php']

/** What clients that are pointed at wikitape ask for without having looked it up. */
const aliases: readonly string[] = ['/w/api.php', '/api.php']

export interface PathOptions {
  /** Path of the api.php that is recorded; undefined where the cassette does not tell. */
  readonly apiPath: string | undefined
  /** True where the client has named the wiki's own host: there another path is another place. */
  readonly namedHost: boolean
}

/** True of a path that asks another wiki's API. Other pages are recorded under their whole path, and never mixed up. */
export function isOtherWikisApi(path: string, { apiPath, namedHost }: PathOptions): boolean {
  if (path === apiPath || apiPath === undefined || !path.endsWith('/api.php')) return false
  const plain = path.replace(/\/{2,}/g, '/')
  const isAlias = !namedHost && aliases.includes(plain) && usualPaths.includes(apiPath)
  return plain !== apiPath && !isAlias
}
