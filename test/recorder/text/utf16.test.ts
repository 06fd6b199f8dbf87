/** Bytes at any address and of any length: `toString('utf16le')` of Node 24 spoils memory where both are odd. */
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import {
  decodeLayers,
  textOfBytes,
  utf16Text
} from '../../../src/recorder/privacy/encodings/decode-layers.ts'
import { utf8Text } from '../../../src/recorder/wiki/answers/wiki-answer.ts'
import { decodeBytes } from '../../../src/recorder/wiki/parameters/request-params.ts'

/** Each function that makes text of bytes, with what it does to bytes at address 0. */
const decoders: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  utf16Text,
  readable: (bytes) => decodeLayers(bytes),
  'readable, in base64': (bytes) => decodeLayers(`"${bytes.toString('base64')}"`),
  anyText: textOfBytes,
  utf8Text,
  decodeBytes: (bytes) => decodeBytes(bytes.toString('latin1'))
}

/** A part of a larger memory, at an address that is `address` beyond an even one. */
function placed(bytes: Uint8Array, address: number): Buffer {
  const memory = new Uint8Array(address + bytes.length + 1).fill(0x41)
  memory.set(bytes, address)
  return Buffer.from(memory.buffer, address, bytes.length)
}

it.each(Object.keys(decoders))(
  '%s reads the same at odd addresses and of odd lengths',
  (name) => {
    const decode = decoders[name]
    for (let length = 0; length < 2000; length += length < 40 ? 1 : 97) {
      // Half of it is no UTF-8.
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 89 + length) % 256)
      const here = decode?.(placed(bytes, 0))
      // What spoils memory is noticed some allocations later.
      const times = Array.from({ length: 40 }).flatMap(() => [1, 2, 3])
      // Told apart without an assertion for each, of which there would be fifty thousand.
      const others = times.map((address) => decode?.(placed(bytes, address)))
      expect(others.find((one) => !isDeepStrictEqual(one, here)) ?? here).toEqual(here)
    }
  }
)

it('leaves out half a character at the end', () => {
  const bytes = Buffer.from('слово', 'utf16le')
  for (const address of [0, 1]) {
    expect(utf16Text(placed(bytes, address))).toBe('слово')
    expect(utf16Text(placed(bytes.subarray(0, 9), address))).toBe('слов')
  }
  expect(utf16Text(Buffer.of(65))).toBe('')
})

it('is the only place that reads UTF-16', () => {
  const reading = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /(?:toString|Decoder)\(\s*'(?:utf-?16|ucs-?2)/i.test(
        readFileSync(`src/${name}`, 'utf8')
      )
    )
  expect(reading).toEqual(['recorder/privacy/encodings/decode-layers.ts'])
})
