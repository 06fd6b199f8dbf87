/** Members of parsed values of any shape. */
import { plainText } from '../../json/plain-json.ts'

export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? Object.getOwnPropertyDescriptor(inner, name)?.value
        : undefined,
    value,
  )

/** In place of a text that is not known for certain. */
export class UncertainText {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** The bytes of a body kept as text or bytes, or why they are not known. */
export function bodyBytes(value: unknown): Uint8Array | string {
  if (value === undefined || value === null) return new Uint8Array()
  if (value instanceof Uint8Array) return value
  if (value instanceof UncertainText) return value.why
  if (typeof value !== 'string') return 'its body is neither text nor bytes'
  return value.isWellFormed() ? Buffer.from(value) : 'its body contains half a character'
}

/** The bytes of a text in base64, or why they are not known. Source: RFC 4648, 4 */
export function decodeBase64(value: unknown): Uint8Array | string {
  if (typeof value !== 'string') return 'its body is not text'
  const digits = value.replace(/\s+/g, '')
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits)
    ? Buffer.from(digits, 'base64')
    : 'its body is not in base64 as it says'
}

/** Of an object whose members are texts or lists of texts. */
export const headerPairs = (value: unknown): readonly (readonly [string, string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) =>
        [one].flat().map((each: unknown) => [name, headerText(each)] as const),
      )
    : []

const headerText = (value: unknown): string => (typeof value === 'number' ? String(value) : plainText(value))
