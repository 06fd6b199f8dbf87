/** Undoes gzip, zlib, deflate or br, so that secrets inside of compressed bytes are found. */
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'

/** Decompressed bytes that are looked at, at most. */
const maxDecompressedBytes = 64 * 1024 * 1024

/** Undefined for bytes that are none of these, and for those that grow beyond 64 MB. */
export function decompress(bytes: Uint8Array): Uint8Array | undefined {
  // Thousands of short runs of one text are tried: each would otherwise take 16 KB for what it does not hold.
  const chunkSize = Math.min(65_536, Math.max(256, bytes.length * 4))
  const options = { maxOutputLength: maxDecompressedBytes, chunkSize }
  for (const decode of candidateCodings(bytes)) {
    try {
      return decode(bytes, options)
    } catch {
      // Not this coding: the next one is tried.
    }
  }
  return undefined
}

/** Those in which the bytes may be, by how each begins. Sources: RFC 1952, 2.3.1; RFC 1950, 2.2; RFC 1951, 3.2.3. */
function candidateCodings(bytes: Uint8Array): readonly (typeof unzipSync)[] {
  const [first = 0, second = 0] = bytes
  const gzip = first === 0x1f && second === 0x8b
  const zlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
  const reserved = (first & 0b110) === 0b110
  return [...(gzip || zlib ? [unzipSync] : []), ...(reserved ? [] : [inflateRawSync]), brotliDecompressSync]
}
