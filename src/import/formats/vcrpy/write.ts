/** Cassettes of vcrpy. Source: https://vcrpy.readthedocs.io/en/latest/usage.html; vcr/serialize.py of 4.2.1. */
import { STATUS_CODES } from 'node:http'
import { type Exported, type ExportFormat, headerLists, textOf } from '../../exchange/exported-exchange.ts'
import { yaml } from '../../syntax/write-yaml.ts'

export const vcrpy: ExportFormat = {
  name: 'vcrpy',
  kind: 'file',
  write: (exchanges) => yaml({ interactions: exchanges.map(interaction), version: 1 }),
}

const interaction = (one: Exported): object => ({
  request: { body: null, headers: {}, method: 'GET', uri: one.url.href },
  response: {
    body: { string: textOf(one.body) ?? new Uint8Array(one.body) },
    headers: headerLists(one),
    status: { code: one.status, message: STATUS_CODES[one.status] ?? '' },
  },
})
