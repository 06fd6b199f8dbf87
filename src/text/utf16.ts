/**
 * The text of bytes in UTF-16, low byte first; an odd byte at the end is left out. Node 24 writes beyond the end of its
 * memory, and aborts later, where `toString('utf16le')` reads an odd number of bytes at an odd address, so the bytes are
 * cut and copied first.
 */
export function utf16Text(bytes: Uint8Array): string {
  const even = new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  return Buffer.from(even.buffer).toString('utf16le')
}
