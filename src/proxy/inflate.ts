/** Undoes gzip, zlib, deflate or br, so that secrets inside of compressed bytes are found. */
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'

/** Decompressed bytes that are looked at, at most. */
const maxInflated = 64 * 1024 * 1024

/** Undefined for bytes that are none of these, and for those that grow beyond 64 MB. */
export function inflate(bytes: Uint8Array): Uint8Array | undefined {
  const options = { maxOutputLength: maxInflated }
  for (const undo of [unzipSync, inflateRawSync, brotliDecompressSync]) {
    try {
      return undo(bytes, options)
    } catch {
      // Not this coding: the next one is tried.
    }
  }
  return undefined
}
