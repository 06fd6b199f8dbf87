/** All layers of a text or of bytes: escapes, hex, base64 and compression undone, nested ones too. */
import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'
import { undoEscapes } from './spellings.ts'

/** Enough for base64 inside of gzip inside of base64. */
export const maxDepth = 4
/** Of one file. */
const maxUnpackedBytes = 128 * 1024 * 1024

/** The text, the text with its escapes undone, and both of each that is packed in it as hex, base64, or compressed. */
export function decodeLayers(content: string | Uint8Array): readonly string[] {
  const decoder = new LayerDecoder()
  if (typeof content === 'string') decoder.text(content, 0)
  else decoder.bytes(content, 0, true)
  return decoder.texts
}

class LayerDecoder {
  readonly texts: string[] = []
  #left = maxUnpackedBytes

  text(text: string, depth: number) {
    const folded = undoEscapes(text)
    this.texts.push(folded)
    if (folded !== text) this.texts.push(text)
    if (depth >= maxDepth) return
    for (const run of longRuns(folded)) this.#run(run, depth + 1)
  }

  /** A run of base64 or hex; most are plain words. */
  #run(run: string, depth: number) {
    if (/^[0-9A-Fa-f]{16}[0-9A-Fa-f]*$/.test(run)) {
      for (const shifted of [run, run.slice(1)])
        this.#packed(Buffer.from(shifted, 'hex'), depth, false)
    } else if (/[0-9+/_-]|[a-z][A-Z]/.test(run) && !isWords(run)) {
      this.#packed(Buffer.from(run, 'base64'), depth, looksMixed(run))
    }
  }

  #packed(bytes: Buffer, depth: number, mayBeBrotli: boolean) {
    if (isPlainText(bytes)) this.text(bytes.toString('utf8'), depth)
    else if (saysCompressed(bytes) || (mayBeBrotli && bytes.length >= 24))
      this.bytes(bytes, depth, true)
    else if (bytes.length >= 12) this.#wide(bytes)
  }

  bytes(bytes: Uint8Array, depth: number, tryAll: boolean) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const inflated =
      depth < maxDepth && tryAll && this.#left > 0 ? decompress(bytes) : undefined
    if (inflated && inflated.length > 0) {
      this.#left -= inflated.length
      this.bytes(inflated, depth + 1, saysCompressed(inflated))
    }
    this.text(buffer.toString('utf8'), inflated ? maxDepth : depth)
    if (buffer.includes(0) || !isUtf8(buffer)) this.#wide(buffer)
  }

  /** UTF-16, either byte first. */
  #wide(bytes: Buffer) {
    for (const from of [bytes, bytes.subarray(1)]) {
      const text = utf16Text(from)
      this.texts.push(
        text,
        text.includes('\\') || text.includes('%') ? undoEscapes(text) : ''
      )
    }
  }
}

const shortestRun = 16
const isPacked: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))
)

/** Runs of base64 or hex. A twentieth of a pattern's time: a run has a character at one of every sixteen offsets. */
function* longRuns(text: string) {
  const packed = (at: number) => isPacked[text.charCodeAt(at)] === true
  for (let at = shortestRun - 1; at < text.length; at += shortestRun) {
    if (!packed(at)) continue
    let from = at
    let to = at + 1
    while (packed(from - 1)) from -= 1
    while (packed(to)) to += 1
    if (to - from >= shortestRun) yield text.slice(from, to)
    at = to
  }
}

/** Lower-case words with one `-`, `_` or `/` between them. */
const isWords = (run: string) =>
  /^[a-z][a-z/_-]*[a-z]$/.test(run) && !/[/_-]{2}/.test(run)

/** True where letters of both cases and digits alternate as in base64. */
const looksMixed = (run: string) =>
  run.length >= 32 &&
  (run.match(/[a-z][A-Z]|[A-Z][a-z]|\d[A-Za-z]|[A-Za-z]\d/g)?.length ?? 0) * 4 >
    run.length

/** True for bytes that are whole UTF-8 without control characters. */
export const isPlainText = (bytes: Uint8Array): boolean =>
  bytes.every(
    (byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
  ) && isUtf8(bytes)

/** By the headers of gzip and zlib. Sources: RFC 1952, 2.3.1; RFC 1950, 2.2. */
export const saysCompressed = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
  (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0))

/** Bytes as text: UTF-8, or else one character a byte. */
export const textOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    isUtf8(bytes) ? 'utf8' : 'latin1'
  )

const maxDecompressedBytes = 64 * 1024 * 1024

/** Undefined for bytes in none of these formats, and for more than 64 MB of output. */
export function decompress(bytes: Uint8Array): Uint8Array | undefined {
  // Thousands of short runs of a text are tried; each would allocate 16 KB by default.
  const chunkSize = Math.min(65_536, Math.max(256, bytes.length * 4))
  const options = { maxOutputLength: maxDecompressedBytes, chunkSize }
  // The stacks of their errors, which nobody reads, would take more time than all else.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    for (const decode of candidateCodings(bytes)) {
      try {
        return decode(bytes, options)
      } catch {
        // Not in this format: try the next one.
      }
    }
    return undefined
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The formats that the first bytes allow. Sources: RFC 1952, 2.3.1; RFC 1950, 2.2; RFC 1951, 3.2.3. */
function candidateCodings(bytes: Uint8Array) {
  const [first = 0, second = 0] = bytes
  const gzip = first === 0x1f && second === 0x8b
  const zlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  const reserved = (first & 0b110) === 0b110
  return [
    ...(gzip || zlib ? [unzipSync] : []),
    ...(reserved ? [] : [inflateRawSync]),
    brotliDecompressSync
  ]
}

/**
 * The text of bytes in UTF-16, low byte first; an odd byte at the end is left out. Node 24 writes beyond the end of its
 * memory, and aborts later, where `toString('utf16le')` reads an odd number of bytes at an odd address, so the bytes are
 * cut and copied first.
 */
export function utf16Text(bytes: Uint8Array): string {
  const even = new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  return Buffer.from(even.buffer).toString('utf16le')
}
