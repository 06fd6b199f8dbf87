/** The strings of PHP-serialized text: `a:1:{s:5:"query";a:0:{}}`. Source: PHP manual, serialize. */

/** Changes a string value; `path` holds the keys that lead to it and is only good during the call. */
export type PhpStringChange = (value: string, path: readonly string[]) => string

/** An array that is being read: how many keys and values are left. */
interface OpenPhpArray {
  left: number
}

/**
 * Changes every string that is a value, and the lengths (in bytes) with them.
 * @returns undefined where the text is not one whole serialized value
 */
export function mapPhpStrings(text: string, change: PhpStringChange): string | undefined {
  return /^[aOs]:\d/.test(text) ? new PhpMapper(text, change).run() : undefined
}

class PhpMapper {
  /** One character a byte, so that lengths can be counted. */
  readonly #bytes: string
  readonly #change: PhpStringChange
  readonly #open: OpenPhpArray[] = []
  readonly #path: string[] = []
  #at = 0
  #out = ''

  constructor(text: string, change: PhpStringChange) {
    this.#bytes = Buffer.from(text, 'utf8').toString('latin1')
    this.#change = change
  }

  run(): string | undefined {
    do {
      if (!this.#value()) return undefined
      for (let open = this.#open.at(-1); open?.left === 0; open = this.#open.at(-1)) {
        if (this.#bytes[this.#at] !== '}') return undefined
        this.#copy(1)
        this.#open.pop()
        this.#path.pop()
      }
    } while (this.#open.length > 0)
    if (this.#at !== this.#bytes.length) return undefined
    return Buffer.from(this.#out, 'latin1').toString('utf8')
  }

  /** Reads a key or a value, whichever is next. */
  #value(): boolean {
    const open = this.#open.at(-1)
    const isKey = open !== undefined && open.left % 2 === 0
    if (open !== undefined) open.left -= 1
    const string = this.#match(/s:(\d{1,10}):"/y)
    if (string !== null) return this.#string(string[0].length, Number(string[1]), isKey)
    const array = this.#match(/a:(\d{1,10}):\{/y)
    if (array !== null) {
      this.#copy(array[0].length)
      this.#open.push({ left: 2 * Number(array[1]) })
      this.#path.push('')
      return !isKey
    }
    const scalar = this.#match(/(?:N|b:[01]|i:-?\d{1,20}|d:[-+.\dA-Z]{1,40});/iy)
    if (scalar === null) return false
    if (isKey) this.#setKey(scalar[0].slice(2, -1))
    this.#copy(scalar[0].length)
    return true
  }

  #string(head: number, length: number, isKey: boolean): boolean {
    const start = this.#at + head
    const end = start + length
    if (this.#bytes.slice(end, end + 2) !== '";') return false
    const raw = this.#bytes.slice(start, end)
    const value = Buffer.from(raw, 'latin1').toString('utf8')
    if (isKey) this.#setKey(value)
    const changed = isKey ? value : this.#change(value, this.#path)
    const bytes = changed === value ? raw : Buffer.from(changed, 'utf8').toString('latin1')
    this.#out += `s:${bytes.length}:"${bytes}";`
    this.#at = end + 2
    return true
  }

  #setKey(key: string): void {
    this.#path[this.#path.length - 1] = key
  }

  #copy(length: number): void {
    this.#out += this.#bytes.slice(this.#at, this.#at + length)
    this.#at += length
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#bytes)
  }
}
