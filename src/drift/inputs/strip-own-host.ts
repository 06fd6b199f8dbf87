/** A wiki's own host and port, removed from texts before they are compared. */
import { memberAt, textOf } from '../../json/json-tree.ts'
import { type CassetteSide, siteinfoBodies } from './cassette-side.ts'

/** A text with the side's own addresses replaced by one name for all sides. */
export type StripOwnHost = (text: string) => string

export function ownHostStripper(side: CassetteSide): StripOwnHost {
  const addresses = [side.manifest.upstream, ...serversOf(side)]
  const hosts = [...new Set(addresses.flatMap((one) => hostOf(one) ?? []))].sort(
    (a, b) => b.length - a.length,
  )
  if (hosts.length === 0) return (text) => text
  const origin = new RegExp(`(https?:)?//(?:${hosts.map(escapePattern).join('|')})(?![\\w.:-])`, 'g')
  return (text) =>
    hosts.some((host) => text.includes(host))
      ? text.replace(origin, (_, scheme?: string) => `${scheme === undefined ? '' : 'http:'}//wiki.local`)
      : text
}

const serversOf = (side: CassetteSide): readonly string[] =>
  siteinfoBodies(side).flatMap((tree) => textOf(memberAt(tree, 'query', 'general', 'server')) ?? [])

/** `127.0.0.1:8143` of an absolute or protocol-relative address. */
const hostOf = (address: string): string | undefined => /^(?:https?:)?\/\/([^/?#]+)/.exec(address)?.[1]

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
