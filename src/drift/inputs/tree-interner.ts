/**
 * Trees in less memory: equal keys, values and members become one object. A side is in memory as a whole, and strings
 * cut out of a file's text would otherwise keep all of that text.
 */
import { type JsonMember, type JsonTree, jsonArray, jsonString, objectOf } from '../../json/json-tree.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { utf16Text } from '../../text/utf16.ts'

/** One for each side. */
export class TreeInterner {
  readonly #texts = new Map<string, string>()
  readonly #strings = new Map<string, JsonTree>()
  readonly #literals = new Map<string, JsonTree>()
  readonly #members = new Map<string, Map<JsonTree, JsonMember>>()

  intern(tree: JsonTree): JsonTree {
    switch (tree.kind) {
      case 'string':
        return this.#string(tree.value)
      case 'literal':
        return shared(this.#literals, tree.text, (text) => ({ kind: 'literal', text }))
      case 'array':
        return jsonArray(tree.items.map((item) => this.intern(item)))
      case 'object':
        return objectOf(tree.members.map((member) => this.#member(member)))
    }
  }

  // Long texts are seldom equal, and cost more to look up than they save.
  #string(value: string): JsonTree {
    if (value.length > maxInternedLength) return jsonString(copyText(value))
    return shared(this.#strings, value, jsonString)
  }

  #member({ key: name, value: child }: JsonMember): JsonMember {
    const value = this.intern(child)
    const key = shared(this.#texts, name, (text) => text)
    if (value.kind === 'array' || value.kind === 'object') return { key, value }
    const byValue = getOrAdd(this.#members, key, () => new Map<JsonTree, JsonMember>())
    return getOrAdd(byValue, value, () => ({ key, value }))
  }
}

/** The one value of a text; the map must not keep the text itself, which may be cut out of a file's text. */
function shared<T>(values: Map<string, T>, text: string, make: (text: string) => T): T {
  const found = values.get(text)
  if (found !== undefined) return found
  const own = copyText(text)
  const made = make(own)
  values.set(own, made)
  return made
}

const maxInternedLength = 200

/** JavaScript engines cut strings by reference; a copy releases the text that it was cut from. */
const copyText = (text: string): string => (text.length < 13 ? text : utf16Text(Buffer.from(text, 'utf16le')))
