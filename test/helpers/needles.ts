/** Looks for a text in all that a run has written, in more than twelve encodings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib'

const percentAll = (one: string): string =>
  [...Buffer.from(one)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const units = (one: string): string =>
  one
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/** What base64 makes of it at each of its three positions, without what depends on its neighbours. */
const base64At = (one: string, before: number): string =>
  Buffer.concat([Buffer.alloc(before), Buffer.from(one)])
    .toString('base64')
    .slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + Buffer.byteLength(one)) * 8) / 6)
    )

/** Each with the bytes to look for, one character a byte. */
export const encodings: readonly (readonly [string, (one: string) => string])[] = [
  ['plain', bytesOf],
  ['UTF-16, low byte first', (one) => Buffer.from(one, 'utf16le').toString('latin1')],
  [
    'UTF-16, high byte first',
    (one) => Buffer.from(one, 'utf16le').swap16().toString('latin1')
  ],
  ['percent', encodeURIComponent],
  [
    'percent in lower case',
    (one) => encodeURIComponent(one).replace(/%../g, (code) => code.toLowerCase())
  ],
  ['percent, every byte', percentAll],
  ['form', (one) => new URLSearchParams({ x: one }).toString().slice(2)],
  ['JSON', (one) => bytesOf(JSON.stringify(one).slice(1, -1))],
  ['JSON, every unit', units],
  ['entities', (one) => [...one].map((each) => `&#${each.codePointAt(0)};`).join('')],
  [
    'HTML',
    (one) =>
      bytesOf(
        one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
      )
  ],
  ['base64', (one) => base64At(one, 0)],
  ['base64, from the second byte', (one) => base64At(one, 1)],
  ['base64, from the third byte', (one) => base64At(one, 2)],
  ['base64url', (one) => base64At(one, 0).replaceAll('+', '-').replaceAll('/', '_')],
  ['hex', (one) => Buffer.from(one).toString('hex')]
]

/** All that is in a folder: names, bytes, and what is packed in them. */
export function writtenIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile()
  )
  return files.flatMap((one) => {
    const bytes = readFileSync(path.join(one.parentPath, one.name))
    const text = bytes.toString('latin1')
    const packed = [...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([run]) =>
      Buffer.from(run, 'base64')
    )
    return [
      one.name,
      ...[bytes, ...packed].flatMap((part) => [part.toString('latin1'), unpacked(part)])
    ]
  })
}

function unpacked(bytes: Buffer): string {
  for (const unpack of [unzipSync, inflateSync, brotliDecompressSync])
    try {
      return unpack(bytes).toString('latin1')
    } catch {
      // In another format.
    }
  return ''
}

/** Where a secret stands in these texts, and in which encoding. */
export function traces(secret: string, texts: readonly string[]): readonly string[] {
  return encodings.flatMap(([name, encode]) => {
    const needle = encode(secret)
    return texts.flatMap((text) => {
      const at = text.indexOf(needle)
      return at < 0
        ? []
        : [`${secret} (${name}): ${text.slice(Math.max(0, at - 60), at + 80)}`]
    })
  })
}
