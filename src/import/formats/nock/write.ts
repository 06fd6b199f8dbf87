/** For `nock.load`. Source: https://github.com/nock/nock#recording */
import { isUtf8 } from 'node:buffer'
import { tryParsePlain } from '../../../json/plain-json.ts'
import { type ExportedExchange, type FormatWriter, jsonText } from '../../exchange/exported-exchange.ts'

export const nockWriter: FormatWriter = {
  name: 'nock',
  kind: 'file',
  write: (exchanges) => jsonText(exchanges.map(nockDefinition)),
}

const nockDefinition = (one: ExportedExchange): object => ({
  scope: one.url.origin,
  method: 'GET',
  path: one.url.pathname + one.url.search,
  body: '',
  status: one.status,
  ...nockResponse(one.body),
  rawHeaders: one.headers.flat(),
})

/** nock parses JSON and writes it again; where that would change a byte, the body is given in hex. */
function nockResponse(body: Buffer): object {
  return isUtf8(body) && survivesParsing(body.toString('utf8'))
    ? { response: body.toString('utf8') }
    : { response: body.toString('hex'), responseIsBinary: true }
}

function survivesParsing(text: string): boolean {
  const value = tryParsePlain(text)
  return value === undefined || JSON.stringify(value) === text
}
