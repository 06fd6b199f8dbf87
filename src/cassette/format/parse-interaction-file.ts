/** An interaction's file as plain values, and its JSON bodies: compact text, not yet a tree, where wikitape wrote the file. */
import { compactJson } from '../../json/compact-json.ts'
import { itemsOf, type JsonTree, memberOf } from '../../json/json-tree.ts'
import { isPlainObject, parsePlain, plainItems, tryParsePlain } from '../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../json/read-json.ts'

interface ParsedInteractionFile {
  readonly file: unknown
  /** By index of the response: compact JSON in the spelling that the file names, or a tree. */
  readonly bodies: ReadonlyMap<number, Buffer | JsonTree>
}

/** A JSON body as `encodeInteraction` writes it begins behind this. No string of a JSON text has a line break in it. */
const bodyMember = '\n      "json": '
/** What follows the body of a response that is spelled in ASCII. */
const asciiMember = /^,(?:\n {6}"seconds": [\d.]+,)?\n {6}"spelling": "ascii"/
/** How a placeholder begins. U+0000 has no other spelling, so that a file without this text has no such string. */
const placeholderStart = '"\\u0000'

/** Undefined where a body is elsewhere, cannot be made compact, or is no JSON. */
function parseOwnLayout(source: Buffer): ParsedInteractionFile | undefined {
  // Responses of one file seldom differ in their spelling.
  const isAscii = source.subarray(-120).includes('"spelling": "ascii"')
  const found: Buffer[] = []
  let rest = ''
  let at = 0
  for (let from = source.indexOf(bodyMember); from >= 0; from = source.indexOf(bodyMember, at)) {
    const start = from + bodyMember.length
    const body = compactJson(source, start, isAscii ? 'ascii' : 'utf8')
    if (body === undefined || isSpelledAscii(source, body.end) !== isAscii) return undefined
    // JSON has nothing but ASCII outside of strings, so that any bytes may stand for the others here.
    if (tryParsePlain(source.toString('latin1', start, body.end)) === undefined) return undefined
    rest += `${source.toString('utf8', at, start)}${placeholderStart}${found.length}"`
    found.push(body.bytes)
    at = body.end
  }
  rest += source.toString('utf8', at)
  if (rest.split(placeholderStart).length - 1 !== found.length) return undefined
  const file = tryParsePlain(rest)
  const responses = isPlainObject(file) ? plainItems(file['responses']) : []
  const bodies = new Map<number, Buffer>()
  for (const [index, response] of responses.entries()) {
    if (!isPlainObject(response) || !Object.hasOwn(response, 'json')) continue
    const body = found[bodies.size]
    if (response['json'] !== `\0${bodies.size}` || body === undefined) return undefined
    bodies.set(index, body)
  }
  return file !== undefined && bodies.size === found.length ? { file, bodies } : undefined
}

const isSpelledAscii = (source: Buffer, bodyEnd: number): boolean =>
  asciiMember.test(source.toString('latin1', bodyEnd, bodyEnd + 100))

/** @param source valid UTF-8 */
export function parseInteractionFile(source: Buffer): ParsedInteractionFile | { readonly fault: JsonFault } {
  const own = parseOwnLayout(source)
  if (own !== undefined) return own
  const text = source.toString()
  const reading = readJson(text)
  if (!reading.ok) return { fault: reading.fault }
  const bodies = itemsOf(memberOf(reading.tree, 'responses')).flatMap((response, at) => {
    const body = memberOf(response, 'json')
    return body === undefined ? [] : [[at, body] as const]
  })
  return { file: parsePlain(text), bodies: new Map(bodies) }
}
