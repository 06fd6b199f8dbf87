/** Cassettes of Ruby's VCR. Source: https://benoittgt.github.io/vcr/; lib/vcr/structs.rb of 5.0. */
import { STATUS_CODES } from 'node:http'
import {
  type ExportedExchange,
  type FormatWriter,
  headerLists,
  utf8Text,
} from '../../exchange/exported-exchange.ts'
import { writeYaml } from '../../syntax/write-yaml.ts'

export const vcrWriter: FormatWriter = {
  name: 'vcr',
  kind: 'file',
  write: (exchanges, day, version) =>
    writeYaml({
      http_interactions: exchanges.map((one) => interaction(one, day)),
      recorded_with: `wikitape ${version}`,
    }),
}

const interaction = (one: ExportedExchange, day: string): object => ({
  request: { method: 'get', uri: uriOf(one.url), body: { encoding: 'UTF-8', string: '' }, headers: {} },
  response: {
    status: { code: one.status, message: STATUS_CODES[one.status] ?? '' },
    headers: headerLists(one),
    body: bodyOf(one.body),
  },
  recorded_at: new Date(day).toUTCString(),
})

/**
 * As WebMock, VCR's usual backend, writes it: parameters sorted, and these characters unescaped.
 * Source: lib/webmock/util/uri.rb of 3.18.
 */
function uriOf({ origin, pathname, search }: URL): string {
  const query = search
    .slice(1)
    .replaceAll('+', '%20')
    .replaceAll('|', '%7C')
    .replace(/%(?:2[14789ACF]|3[AF]|40|7E)/gi, decodeURIComponent)
  const sorted = query.split('&').sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1))
  return `${origin}${pathname}${query === '' ? '' : `?${sorted.join('&')}`}`
}

const nameIn = (pair: string): string => pair.split('=', 1)[0] ?? ''

function bodyOf(body: Buffer): object {
  const text = utf8Text(body)
  return text === undefined
    ? { encoding: 'ASCII-8BIT', base64_string: body.toString('base64') }
    : { encoding: 'UTF-8', string: text }
}
