/** A grey baseline JPEG of flat 8×8 blocks: only DC coefficients, so that two small Huffman tables do. */
import type { Size } from './images.ts'

const dcCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const dcValues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

interface Code {
  readonly bits: number
  readonly length: number
}

/** Canonical Huffman codes, in the order of their values. */
function canonicalCodes(): readonly Code[] {
  const codes: Code[] = []
  let code = 0
  dcCounts.forEach((count, index) => {
    for (let taken = 0; taken < count; taken += 1) {
      codes.push({ bits: code, length: index + 1 })
      code += 1
    }
    code <<= 1
  })
  return codes
}

function segment(marker: number, data: readonly number[]): readonly number[] {
  const length = data.length + 2
  return [0xff, marker, length >> 8, length & 0xff, ...data]
}

/** The scan as a string of bits: for each block the difference of its DC from the one before, then "end of block". */
function scanBits(blocks: number, seed: number): string {
  const codes = canonicalCodes()
  let previous = 0
  let bits = ''
  for (let block = 0; block < blocks; block += 1) {
    const value = (((block + seed) * (3 + (seed % 5))) % 41) - 20
    const difference = value - previous
    previous = value
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1
    const code = codes[size]
    if (code === undefined)
      throw new RangeError(`no code for a difference of ${difference}`)
    bits += code.bits.toString(2).padStart(code.length, '0')
    if (size > 0)
      bits += (difference > 0 ? difference : difference + 2 ** size - 1)
        .toString(2)
        .padStart(size, '0')
    bits += '0'
  }
  return bits
}

function scanBytes(bits: string): readonly number[] {
  const bytes: number[] = []
  for (let offset = 0; offset < bits.length; offset += 8) {
    const byte = Number.parseInt(bits.slice(offset, offset + 8).padEnd(8, '1'), 2)
    bytes.push(byte)
    if (byte === 0xff) bytes.push(0)
  }
  return bytes
}

export function jpeg({ width, height }: Size, seed: number): Buffer {
  const quantisation = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 40)])
  const frame = segment(0xc0, [
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    1,
    1,
    0x11,
    0
  ])
  const dcTable = segment(0xc4, [0x00, ...dcCounts, ...dcValues])
  const acTable = segment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0])
  const jfif = segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
  const scan = segment(0xda, [1, 1, 0, 0, 63, 0])
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const tables = [...jfif, ...quantisation, ...frame, ...dcTable, ...acTable, ...scan]
  return Buffer.from([
    0xff,
    0xd8,
    ...tables,
    ...scanBytes(scanBits(blocks, seed)),
    0xff,
    0xd9
  ])
}
