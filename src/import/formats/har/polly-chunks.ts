/**
 * Compressed answers as Polly.js writes them into HAR: the chunks as they arrived, a JSON list in hex or base64.
 * Source: https://github.com/Netflix/pollyjs, adapter-node-http/src/index.js of 2.0 to 6.0.
 */
import { decompressBody, type HeaderPairs, headerValue } from '../../exchange/imported-answer.ts'
import { decodeBase64 } from '../../exchange/members.ts'

/** The decoded body, or why it is not known; undefined where the text is no list of chunks. */
export async function decodePollyChunks(
  content: string,
  headers: HeaderPairs,
): Promise<Uint8Array | string | undefined> {
  const coding = headerValue(headers, 'content-encoding')
  const chunks = coding === '' || !content.startsWith('[') ? undefined : parseChunks(content)
  if (chunks === undefined) return undefined
  const isHex = chunks.every((one) => /^(?:[0-9a-f]{2})*$/i.test(one))
  const spellings = isHex ? [chunks.map((one) => Buffer.from(one, 'hex'))] : []
  const decoded = chunks.map(decodeBase64).filter((one) => typeof one !== 'string')
  if (decoded.length === chunks.length) spellings.push(decoded.map((one) => Buffer.from(one)))
  let why = `its body is a list of texts, and none of them content-encoding ${coding}`
  for (const parts of spellings) {
    const body = await decompressBody(Buffer.concat(parts), coding)
    if (typeof body !== 'string') return body
    why = body
  }
  return why
}

/** Undefined for what may be the wiki's own JSON. */
function parseChunks(content: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(content)
    if (!Array.isArray(list) || list.length === 0) return undefined
    const chunks = list.filter((one) => typeof one === 'string')
    return chunks.length === list.length && chunks.every((one) => /^[\w+/=-]*$/.test(one))
      ? chunks
      : undefined
  } catch {
    return undefined
  }
}
