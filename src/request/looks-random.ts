/** Detection of random values: tokens, hex numbers, keys. */

/**
 * True for a token, a long hex number, or 16 and more characters with letters and digits well mixed. Words, prose and
 * source code do not pass.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || value.length > 8192) return false
  if (/^[0-9a-f]{16,128}(?:\+\\?)?$/.test(value)) return new Set(value.slice(0, 64)).size >= 6
  if (!/^[\w.~+/=:%@!\\-]+$/.test(value)) return false
  const digits = value.replace(/\D+/g, '').length
  return digits >= 2 && digits < value.length - 2 && entropy(value.slice(0, 256)) >= 3.2
}

/** Shannon's entropy, in bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
