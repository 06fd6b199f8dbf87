/** Cassettes of vcrpy. Source: https://vcrpy.readthedocs.io/en/latest/usage.html; vcr/serialize.py of 4.2.1. */
import { STATUS_CODES } from 'node:http'
import {
  type ExportedExchange,
  type FormatWriter,
  headerLists,
  utf8Text,
} from '../../exchange/exported-exchange.ts'
import { writeYaml } from '../../syntax/write-yaml.ts'

export const vcrpyWriter: FormatWriter = {
  name: 'vcrpy',
  kind: 'file',
  write: (exchanges) => writeYaml({ interactions: exchanges.map(interaction), version: 1 }),
}

const interaction = (one: ExportedExchange): object => ({
  request: { body: null, headers: {}, method: 'GET', uri: one.url.href },
  response: {
    body: { string: utf8Text(one.body) ?? new Uint8Array(one.body) },
    headers: headerLists(one),
    status: { code: one.status, message: STATUS_CODES[one.status] ?? '' },
  },
})
