/**
 * Trees in less memory: equal keys, values and members become one. A side is held whole, and strings cut out of a
 * file's text would otherwise keep all of that text.
 */
import type { JsonMember, JsonTree } from '../../json/json-tree.ts'
import { utf16Text } from '../../text/utf16.ts'

/** One for each side: what differs between sides must not become one. */
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
        return this.#literal(tree)
      case 'array':
        return { kind: 'array', items: tree.items.map((item) => this.intern(item)) }
      case 'object':
        return { kind: 'object', members: tree.members.map((member) => this.#member(member)) }
    }
  }

  #text(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const own = copyText(text)
    this.#texts.set(own, own)
    return own
  }

  #string(value: string): JsonTree {
    // Long texts are seldom equal, and cost more to look up than they save.
    if (value.length > maxInternedLength) return { kind: 'string', value: copyText(value) }
    const known = this.#strings.get(value)
    if (known !== undefined) return known
    const made = { kind: 'string', value: copyText(value) } as const
    this.#strings.set(made.value, made)
    return made
  }

  #literal(tree: Extract<JsonTree, { kind: 'literal' }>): JsonTree {
    const known = this.#literals.get(tree.text)
    if (known !== undefined) return known
    const made = { kind: 'literal', text: this.#text(tree.text) } as const
    this.#literals.set(made.text, made)
    return made
  }

  #member({ key: name, value: child }: JsonMember): JsonMember {
    const value = this.intern(child)
    const key = this.#text(name)
    if (value.kind === 'array' || value.kind === 'object') return { key, value }
    const byValue = this.#members.get(key) ?? new Map<JsonTree, JsonMember>()
    this.#members.set(key, byValue)
    const known = byValue.get(value)
    if (known !== undefined) return known
    const made = { key, value }
    byValue.set(value, made)
    return made
  }
}

const maxInternedLength = 200

/** Engines cut strings by reference; a copy lets go of what it was cut from. */
const copyText = (text: string): string => (text.length < 13 ? text : utf16Text(Buffer.from(text, 'utf16le')))
