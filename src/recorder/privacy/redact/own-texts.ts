/** The texts of an answer that nobody wrote as content: in these, even a secret that is a word may not stand. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { mapStrings } from '../../json/map-strings.ts'
import { readJson } from '../../json/read-json.ts'
import { mapPhpStrings } from '../../wiki/answers/php-serialized.ts'
import { decodeText } from '../encodings/decode-text.ts'
import { type AnswerSource, sourceOfMember } from '../sources/answer-source.ts'
import { contentRanges, mapParts } from '../sources/page-parts.ts'
import { ownTagsOf } from './redact-page.ts'
import { isApiXml, xmlFields } from './redact-xml.ts'

export function ownTexts(
  { headers, body }: RecordedResponse,
  answer: AnswerSource
): readonly (string | Uint8Array)[] {
  const texts = [...headers.values()]
  if (body.kind === 'json') return [...texts, ...ownMembers(body.tree, answer)]
  if (body.kind === 'text') return [...texts, ...ownParts(body.text, answer)]
  const text = answer.source === 'content' ? undefined : decodeText(body.bytes)?.text
  if (text !== undefined) return [...texts, ...ownParts(text, answer)]
  return answer.source === 'content' ? texts : [...texts, body.bytes]
}

function ownParts(text: string, answer: AnswerSource) {
  if (answer.source === 'credential' && !answer.isApi) return [text]
  if (answer.source === 'foreign') return [text]
  const reading =
    answer.source !== 'content' && /^\ufeff?\s{0,64}[[{]/.test(text)
      ? readJson(text)
      : undefined
  if (reading?.ok) return ownMembers(reading.tree, answer)
  const found: string[] = []
  const add = (value: string, path: readonly string[]) => {
    if (sourceOfMember(path, answer) !== 'content') found.push(quoted(value))
    return value
  }
  if (answer.isApi && mapPhpStrings(text, add) !== undefined) return found
  if (answer.isApi && isApiXml(text)) {
    for (const { value, field } of xmlFields(text)) add(value, field.path)
    return found
  }
  if (answer.form !== 'page') return answer.form === 'script' ? [text] : []
  const own = (part: string) => {
    found.push(...ownTagsOf(part))
    return part
  }
  mapParts(text, contentRanges(text), { own, content: String })
  return found
}

function ownMembers(tree: JsonTree, answer: AnswerSource) {
  const found: string[] = []
  mapStrings(tree, (value, { path }) => {
    if (sourceOfMember(path, answer) !== 'content') found.push(quoted(value))
    return value
  })
  return found
}

/** Whole values are recognised by what stands around them. */
const quoted = (value: string) => `"${value}"`
