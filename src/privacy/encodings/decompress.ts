/** Decompresses gzip, zlib, deflate and br, so that secrets in compressed bytes are found. */
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'

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
function candidateCodings(bytes: Uint8Array): readonly (typeof unzipSync)[] {
  const [first = 0, second = 0] = bytes
  const gzip = first === 0x1f && second === 0x8b
  const zlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  const reserved = (first & 0b110) === 0b110
  return [...(gzip || zlib ? [unzipSync] : []), ...(reserved ? [] : [inflateRawSync]), brotliDecompressSync]
}
