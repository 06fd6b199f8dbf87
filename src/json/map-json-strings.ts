/** String values of JSON text changed in place: every other byte stays as it is. */
import { Tokenizer } from './tokenizer.ts'

/**
 * @param text valid JSON; behind a fault it stays as it is
 * @param change gives what a string value becomes, member names excepted; both are decoded
 */
export function mapJsonStrings(text: string, change: (value: string) => string): string {
  let mapped = ''
  let end = 0
  const string = (value: string, from: number, to: number): void => {
    const changed = change(value)
    if (changed === value) return
    mapped += text.slice(end, from) + JSON.stringify(changed)
    end = to
  }
  new Tokenizer(text, { string }).readAll()
  return mapped + text.slice(end)
}
