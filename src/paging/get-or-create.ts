interface Kept<K, V> {
  readonly get: (key: K) => V | undefined
  readonly has: (key: K) => boolean
  readonly set: (key: K, value: V) => unknown
}

/** What is kept under that key; made and kept where nothing is yet. */
export function once<K, V>(kept: Kept<K, V>, key: K, make: () => V): V {
  const held = kept.get(key)
  if (held !== undefined || kept.has(key)) return held as V
  const made = make()
  kept.set(key, made)
  return made
}
