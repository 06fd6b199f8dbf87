/**
 * The file of an interaction as plain values, its JSON bodies apart. A body in wikitape's own layout is only checked, and
 * becomes a tree when it is needed.
 */
import { itemsOf, type JsonTree, memberOf } from '../../json/json-tree.ts'
import { isPlainObject, parsePlain, plainItems, tryParsePlain } from '../../json/plain-json.ts'
import { type JsonFault, readJson } from '../../json/read-json.ts'
import { defaultLimits } from '../../json/tokenizer.ts'

interface ParsedInteractionFile {
  readonly file: unknown
  /** By index of the response: text in the layout of the file, or a tree. */
  readonly bodies: ReadonlyMap<number, string | JsonTree>
}

/** A JSON body in the layout of `encodeInteraction`: no line within it stands as far to the left as its last one. */
const bodyMemberPattern = /\n {6}"json": (\{\n[\s\S]*?\n {6}\}|\[\n[\s\S]*?\n {6}\]|[^\n]*?)(?=,?\n)/g
/** A text in that layout that is no longer than this holds no more values than `readJson` takes. */
const maxOwnLayout = 8 * defaultLimits.maxValues
/** Spaces before a line that is nested deeper than `readJson` takes. */
const tooDeepIndent = `\n${' '.repeat(2 * defaultLimits.maxDepth)}`
/** How a placeholder begins. U+0000 has no other spelling, so that a file without this text has no such string. */
const placeholderStart = '"\\u0000'

/** Undefined for a text in any other layout, or one that is not JSON. */
function parseOwnLayout(text: string): ParsedInteractionFile | undefined {
  if (text.length > maxOwnLayout || [tooDeepIndent, placeholderStart].some((one) => text.includes(one)))
    return undefined
  const found: string[] = []
  const rest = text.replace(bodyMemberPattern, (_, body: string) => {
    found.push(body)
    return `\n      "json": ${placeholderStart}${found.length - 1}"`
  })
  const file = tryParsePlain(rest)
  const responses = isPlainObject(file) ? plainItems(file['responses']) : []
  const bodies = new Map<number, string>()
  for (const [at, response] of responses.entries()) {
    if (!isPlainObject(response) || !Object.hasOwn(response, 'json')) continue
    const body = found[bodies.size]
    const hasPlaceholder = response['json'] === `\0${bodies.size}`
    if (!hasPlaceholder || body === undefined || tryParsePlain(body) === undefined) return undefined
    bodies.set(at, body)
  }
  return file !== undefined && bodies.size === found.length ? { file, bodies } : undefined
}

function parseAnyLayout(text: string): ParsedInteractionFile | { readonly fault: JsonFault } {
  const reading = readJson(text)
  if (!reading.ok) return { fault: reading.fault }
  const bodies = itemsOf(memberOf(reading.tree, 'responses')).flatMap((response, at) => {
    const body = memberOf(response, 'json')
    return body === undefined ? [] : [[at, body] as const]
  })
  return { file: parsePlain(text), bodies: new Map(bodies) }
}

export const parseInteractionFile = (text: string): ParsedInteractionFile | { readonly fault: JsonFault } =>
  parseOwnLayout(text) ?? parseAnyLayout(text)
