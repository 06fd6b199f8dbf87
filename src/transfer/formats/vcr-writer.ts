/**
 * Cassettes of Ruby's VCR and of vcrpy.
 * Sources: https://benoittgt.github.io/vcr/; lib/vcr/structs.rb of 5.0; https://vcrpy.readthedocs.io/en/latest/usage.html;
 * vcr/serialize.py of 4.2.1.
 */
import { isUtf8 } from 'node:buffer'
import { STATUS_CODES } from 'node:http'
import { Document, Scalar, visit } from 'yaml'
import type { ExportedExchange, FormatWriter } from '../exchange/exchanges.ts'
import { headerLists } from '../exchange/imported-answer.ts'

export const vcrWriter: FormatWriter = {
  name: 'vcr',
  write: (exchanges, day, version) =>
    writeYaml({
      http_interactions: exchanges.map((one) => interaction(one, day)),
      recorded_with: `wikitape ${version}`
    })
}

const interaction = (one: ExportedExchange, day: string) => ({
  request: {
    method: 'get',
    uri: uriOf(one.url),
    body: { encoding: 'UTF-8', string: '' },
    headers: {}
  },
  response: {
    status: { code: one.status, message: STATUS_CODES[one.status] ?? '' },
    headers: headerLists(one.headers),
    body: bodyOf(one.body)
  },
  recorded_at: new Date(day).toUTCString()
})

/**
 * As WebMock, VCR's usual backend, writes it: parameters sorted, and these characters unescaped.
 * Source: lib/webmock/util/uri.rb of 3.18.
 */
function uriOf({ origin, pathname, search }: URL) {
  const query = search
    .slice(1)
    .replaceAll('+', '%20')
    .replaceAll('|', '%7C')
    .replace(/%(?:2[14789ACF]|3[AF]|40|7E)/gi, decodeURIComponent)
  const nameIn = (pair: string) => pair.split('=', 1)[0] ?? ''
  const sorted = query.split('&').sort((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1))
  return `${origin}${pathname}${query === '' ? '' : `?${sorted.join('&')}`}`
}

const bodyOf = (body: Buffer) =>
  isUtf8(body)
    ? { encoding: 'UTF-8', string: body.toString('utf8') }
    : { encoding: 'ASCII-8BIT', base64_string: body.toString('base64') }

/**
 * Texts as JSON spells them, on one line each; bytes as `!!binary`.
 * @param value of objects, lists, texts, numbers, null and bytes
 */
function writeYaml(value: unknown) {
  const document = new Document(value, {
    version: '1.1',
    // The library would write the text `<<` as what merges maps, in no quotes.
    customTags: (tags) =>
      tags.filter(
        (tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge'
      ),
    aliasDuplicateObjects: false
  })
  visit(document, {
    Scalar(key, node) {
      if (key !== 'key' && typeof node.value === 'string') node.type = Scalar.QUOTE_DOUBLE
    }
  })
  return document
    .toString({ lineWidth: 0, doubleQuotedAsJSON: true })
    .replace(ambiguousCharacters, escapeCharacter)
}

/** All but ASCII stands in quotes; these break lines in YAML 1.1, or are no characters there. */
const ambiguousCharacters = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g
const escapeCharacter = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

export const vcrpyWriter: FormatWriter = {
  name: 'vcrpy',
  write: (exchanges) =>
    writeYaml({ interactions: exchanges.map(vcrpyInteraction), version: 1 })
}

const vcrpyInteraction = (one: ExportedExchange) => ({
  request: {
    body: null,
    headers: {},
    method: 'GET',
    uri: one.url.href
  },
  response: {
    body: {
      string: isUtf8(one.body) ? one.body.toString('utf8') : new Uint8Array(one.body)
    },
    headers: headerLists(one.headers),
    status: { code: one.status, message: STATUS_CODES[one.status] ?? '' }
  }
})
