/** Whether two addresses, with what the wikis there say of themselves, are one wiki. */
import type { SiteFacts } from '../wiki/site/site-facts.ts'

export interface WikiIdentity {
  /** Address of its api.php. */
  readonly upstream: string
  /** Undefined where the wiki was not asked. */
  readonly site: Pick<SiteFacts, 'lang' | 'wikiId'> | undefined
}

/**
 * `moved`: the same wiki under another address, or its address with https instead of http.
 * `unproven`: another address, and no wiki id to tell whether it is the same wiki.
 */
export type WikiMatch = 'same' | 'moved' | 'unproven' | 'other'

/** What the wikis say of themselves counts more than their addresses. */
export function compareWikis(recorded: WikiIdentity, requested: WikiIdentity): WikiMatch {
  const id = recorded.site?.wikiId
  const requestedId = requested.site?.wikiId
  const idsKnown = id !== undefined && requestedId !== undefined
  const languages = [recorded.site?.lang, requested.site?.lang].filter(Boolean)
  // The content language of a wiki does not change.
  if (idsKnown ? id !== requestedId : new Set(languages).size > 1) return 'other'
  const from = addressOf(recorded.upstream)
  const to = addressOf(requested.upstream)
  // A cassette without an address fits any wiki.
  if (!from || !to) return 'same'
  const sameLocation = from.location === to.location
  if (sameLocation && from.scheme === to.scheme) return 'same'
  return idsKnown || sameLocation ? 'moved' : 'unproven'
}

/** Names of this machine; 127.0.0.2 may be another server. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `location`: host, port unless it is the scheme's own, path. */
function addressOf(upstream: string) {
  if (!URL.canParse(upstream)) return undefined
  const { protocol, hostname, port, pathname } = new URL(upstream)
  const host = loopback.has(hostname) ? 'localhost' : hostname.replace(/\.$/, '')
  return { scheme: protocol, location: `${host}:${port}${pathname}` }
}
