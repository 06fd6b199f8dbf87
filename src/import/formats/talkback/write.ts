/** Tapes of talkback. Source: https://github.com/ijpiantanida/talkback; tape-renderer.ts of 4.2.0. */
import { isUtf8 } from 'node:buffer'
import JSON5 from 'json5'
import { type ExportedExchange, type FormatWriter, headerLists } from '../../exchange/exported-exchange.ts'

export const talkbackWriter: FormatWriter = {
  name: 'talkback',
  kind: 'folder',
  write: (exchanges, day) =>
    new Map(
      exchanges.map((one, at) => [
        `${String(at + 1).padStart(5, '0')}.json5`,
        `${JSON5.stringify(tape(one, day), null, 4)}\n`,
      ]),
    ),
}

/** JSON is written as a text, which talkback serves unchanged; of values it would make other bytes. */
function tape(one: ExportedExchange, day: string): object {
  const isText = isUtf8(one.body)
  return {
    meta: {
      createdAt: `${day}T00:00:00.000Z`,
      host: one.url.origin,
      ...(isText ? { resHumanReadable: true } : {}),
    },
    req: { headers: {}, url: one.url.pathname + one.url.search, method: 'GET', body: '' },
    res: {
      status: one.status,
      headers: { ...headerLists(one), 'content-length': [String(one.body.length)] },
      body: one.body.toString(isText ? 'utf8' : 'base64'),
    },
  }
}
