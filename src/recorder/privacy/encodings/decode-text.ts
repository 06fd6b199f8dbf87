/** Bytes as text: UTF-8, or UTF-16 with either byte first. */
import { utf16Text } from './decode-layers.ts'

export interface DecodedText {
  readonly text: string
  /** Writes a text in the encoding that was found. */
  readonly encode: (text: string) => Uint8Array
}

/** Undefined for bytes in neither encoding, such as images. */
export function decodeText(content: Uint8Array): DecodedText | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const [first = 0, second = 0] = bytes
  const isHighFirst = (first === 0xfe && second === 0xff) || hasZeros(bytes, 0)
  const isLowFirst = (first === 0xff && second === 0xfe) || hasZeros(bytes, 1)
  if (!isHighFirst && !isLowFirst) {
    const text = bytes.toString('utf8')
    return text.includes('\ufffd')
      ? undefined
      : { text, encode: (changed) => Buffer.from(changed, 'utf8') }
  }
  if (bytes.length % 2 === 1) return undefined
  const text = utf16Text(isHighFirst ? Buffer.from(bytes).swap16() : bytes)
  if (!text.isWellFormed() || text.includes('\0')) return undefined
  const encode = (changed: string) => {
    const wide = Buffer.from(changed, 'utf16le')
    return isHighFirst ? wide.swap16() : wide
  }
  return { text, encode }
}

/** True where most characters at the beginning are ASCII in two bytes. @param from of the byte that is then 0 */
function hasZeros(bytes: Uint8Array, from: number) {
  const head = bytes.subarray(0, 64)
  const isZero = head.filter((byte, at) => at % 2 === from && byte === 0).length
  return (
    isZero > 0 &&
    isZero * 3 > head.length &&
    head.filter((byte) => byte === 0).length === isZero
  )
}
