/** Fields of the API's XML: attributes and texts of elements, by the path of their element. */
import { unescapeHtml } from '../encodings/spellings.ts'
import type { Field } from '../sources/fields.ts'

/** A field with the place of its value in the text. */
export interface PlacedField {
  readonly field: Field
  readonly value: string
  readonly start: number
  readonly end: number
}

const tag = /<(\/?)([A-Za-z_][\w:.-]{0,127})((?:\s[^<>]*)?)>/g
/** `<` and `"` are escaped inside of values. */
const attribute = /(?<![\w:.-])([\w:.-]{1,64})="([^"]*)"/g

/** True for a result of the API; exports, feeds and the like are content. */
export const isApiXml = (text: string): boolean =>
  /^\s{0,9}(?:<\?xml[^<>]{0,256}>\s{0,9})?<api[\s>]/.test(text)

/** @param text where `isApiXml` */
export function* xmlFields(text: string): Generator<PlacedField> {
  const path: string[] = []
  let textStart = 0
  for (const {
    0: whole,
    1: slash,
    2: name = '',
    3: attributes = '',
    index
  } of text.matchAll(tag)) {
    if (index > textStart) yield textField(text, textStart, index, path.slice(1))
    textStart = index + whole.length
    if (slash === '/') {
      path.pop()
      continue
    }
    const start = textStart - attributes.length - 1
    yield* fieldsOf(attributes, start, path.length === 0 ? [] : [...path.slice(1), name])
    if (!attributes.endsWith('/')) path.push(name)
  }
}

/** The text of an element, which is its member `*` in JSON. */
const textField = (
  text: string,
  start: number,
  end: number,
  path: readonly string[]
) => ({
  field: { name: '*', path: [...path, '*'] },
  value: unescapeHtml(text.slice(start, end)),
  start,
  end
})

function* fieldsOf(attributes: string, start: number, path: readonly string[]) {
  const all = [...attributes.matchAll(attribute)]
  const named = new Map(all.map(([, name = '', value = '']) => [name, value]))
  for (const { 0: pair, 1: name = '', 2: spelled = '', index } of all) {
    const end = start + index + pair.length - 1
    const other = named.get('type') === 'password' ? 'password' : named.get('name')
    const field = {
      name: name === 'value' ? (other ?? name) : name,
      path: [...path, name]
    }
    yield { field, value: unescapeHtml(spelled), start: end - spelled.length, end }
  }
}
