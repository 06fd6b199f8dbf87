/** JSON text changed in place, where it cannot be written back from a tree, or is too large for one: all other bytes stay. */
import { defaultLimits, type JsonVisitor, Tokenizer } from './tokenizer.ts'

/** The text without its outermost members of these names; undefined where it is not JSON (RFC 8259). */
export function cutMembers(text: string, names: readonly string[]): string | undefined {
  const cutter = new MemberCutter(text, names)
  const tokenizer = new Tokenizer(text, cutter, {
    ...defaultLimits,
    maxValues: Number.POSITIVE_INFINITY
  })
  return tokenizer.readAll() ? undefined : cutter.result()
}

class MemberCutter implements JsonVisitor {
  readonly #text: string
  readonly #names: readonly string[]
  /** The text that stays, up to `#copied`. */
  #rest = ''
  #copied = 0
  #depth = 0
  #name: string | undefined
  #memberStart = 0
  /** Whether a member before this one stays: then the comma between them goes with this one. */
  #isPreceded = false

  constructor(text: string, names: readonly string[]) {
    this.#text = text
    this.#names = names
  }

  result() {
    return this.#rest + this.#text.slice(this.#copied)
  }

  begin(_kind: 'object' | 'array', at: number) {
    this.#depth += 1
    if (this.#depth === 1) this.#memberStart = at + 1
  }

  end(at: number) {
    if (this.#depth === 1) this.#endMember(at, at)
    this.#depth -= 1
  }

  comma(at: number) {
    if (this.#depth === 1) this.#endMember(at, at + 1)
  }

  name(name: string) {
    if (this.#depth === 1) this.#name = name
  }

  /** @param end of the member. @param next where the next one begins, or the end */
  #endMember(end: number, next: number) {
    if (this.#name !== undefined && this.#names.includes(this.#name)) {
      this.#rest += this.#text.slice(
        this.#copied,
        this.#memberStart - Number(this.#isPreceded)
      )
      this.#copied = this.#isPreceded ? end : next
    } else this.#isPreceded = true
    this.#name = undefined
    this.#memberStart = next
  }
}

/**
 * @param text valid JSON; behind a fault it stays as it is
 * @param change gives what a string value becomes, member names excepted; both are decoded
 */
export function mapJsonStrings(text: string, change: (value: string) => string): string {
  let mapped = ''
  let end = 0
  const string = (value: string, from: number, to: number) => {
    const changed = change(value)
    if (changed === value) return
    mapped += text.slice(end, from) + JSON.stringify(changed)
    end = to
  }
  new Tokenizer(text, { string }).readAll()
  return mapped + text.slice(end)
}
