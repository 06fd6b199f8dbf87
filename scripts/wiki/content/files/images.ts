/** Small valid image files made byte by byte, so that they are the same wherever they are made. */

export interface Size {
  readonly width: number
  readonly height: number
}

/** A checkerboard whose squares tell one image from another. */
function dark(x: number, y: number, seed: number): boolean {
  const square = 4 + (seed % 13)
  return (Math.floor(x / square) + Math.floor(y / square) + seed) % 2 === 0
}

const crcTable = Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit += 1)
    value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

/** zlib's stored blocks: compressors differ from one Node to the next, and the bytes with them. */
function storedZlib(data: Buffer): Buffer {
  const blocks: Buffer[] = [Buffer.from([0x78, 0x01])]
  for (let offset = 0; offset < data.length; offset += 0xffff) {
    const block = data.subarray(offset, offset + 0xffff)
    const header = Buffer.alloc(5)
    header[0] = offset + 0xffff >= data.length ? 1 : 0
    header.writeUInt16LE(block.length, 1)
    header.writeUInt16LE(~block.length & 0xffff, 3)
    blocks.push(header, block)
  }
  let low = 1
  let high = 0
  for (const byte of data) {
    low = (low + byte) % 65521
    high = (high + low) % 65521
  }
  return Buffer.concat([...blocks, uint32(high * 65536 + low)])
}

/** One bit a pixel, grey. */
export function png({ width, height }: Size, seed: number): Buffer {
  const rowBytes = 1 + Math.ceil(width / 8)
  const rows = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = y * rowBytes + 1 + (x >> 3)
      if (dark(x, y, seed)) rows[index] = (rows[index] ?? 0) | (0x80 >> (x & 7))
    }
  }
  const header = Buffer.concat([
    uint32(width),
    uint32(height),
    Buffer.from([1, 0, 0, 0, 0])
  ])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [
    pngChunk('IHDR', header),
    pngChunk('IDAT', storedZlib(rows)),
    pngChunk('IEND', Buffer.alloc(0))
  ]
  return Buffer.concat([signature, ...chunks])
}

/** GIF without compression: a clear code often enough that every code stays eight bits wide. */
export function gif({ width, height }: Size, seed: number): Buffer {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0xf6
  const palette = Buffer.alloc(128 * 3)
  for (let colour = 0; colour < 128; colour += 1)
    palette.fill(colour * 2, colour * 3, colour * 3 + 3)
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  frame.writeUInt16LE(width, 5)
  frame.writeUInt16LE(height, 7)
  const codes: number[] = []
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (pixel % 126 === 0) codes.push(0x80)
    codes.push(dark(pixel % width, Math.floor(pixel / width), seed) ? 20 : 110)
  }
  codes.push(0x81)
  const blocks: Buffer[] = []
  for (let offset = 0; offset < codes.length; offset += 255) {
    const block = codes.slice(offset, offset + 255)
    blocks.push(Buffer.from([block.length, ...block]))
  }
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    palette,
    frame,
    Buffer.from([7]),
    ...blocks,
    Buffer.from([0, 0x3b])
  ])
}

export function svg({ width, height }: Size, seed: number): Buffer {
  const square = `<rect x="${seed % 50}" y="${seed % 40}" width="60" height="40" fill="#${(seed * 7919 + 4096).toString(16).padStart(6, '0').slice(-6)}"/>`
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${size}><title>№ ${seed}</title>${square}</svg>\n`
  )
}
