/** One line for each request, for a person who watches: what became of it, how long it took, and why. */
import { folderOf } from '../cassette/name.ts'
import { mergeParams, parseUrlencoded } from '../wiki/params.ts'
import type { Exchange, Reply } from './exchange.ts'

/** E.g. `replayed 200 query.allpages 9f3a1c20d4e5 3 ms`; the reason behind it where there is one. */
export function toldLine(exchange: Exchange, reply: Reply, milliseconds: number): string {
  const { cassetteStatus, status, key, notRecorded, headers } = reply
  const failed = headers.find(([name]) => name === 'mediawiki-api-error')?.[1]
  const why = notRecorded ?? failed
  return [
    cassetteStatus,
    String(status),
    moduleOf(exchange),
    key ?? '-',
    `${Math.round(milliseconds)} ms`,
    ...(why === undefined ? [] : [`(${why})`]),
  ].join(' ')
}

function moduleOf({ target, body, method }: Exchange): string {
  const cut = target.indexOf('?')
  const path = cut < 0 ? target : target.slice(0, cut)
  if (!path.endsWith('/api.php')) return path.slice(0, 100)
  const query = parseUrlencoded(cut < 0 ? '' : target.slice(cut + 1))
  const form = method === 'POST' ? Buffer.from(body.subarray(0, 10_000)).toString('latin1') : ''
  return folderOf(new Map(mergeParams(parseUrlencoded(form), query)))
}
