interface KeyedCache<K, V> {
  readonly get: (key: K) => V | undefined
  readonly has: (key: K) => boolean
  readonly set: (key: K, value: V) => unknown
}

/** What is kept under that key; made and kept where nothing is yet. */
export function getOrCreate<K, V>(cache: KeyedCache<K, V>, key: K, create: () => V): V {
  const existing = cache.get(key)
  if (existing !== undefined || cache.has(key)) return existing as V
  const created = create()
  cache.set(key, created)
  return created
}
