/** Maps that create missing values on first use. */

interface KeyedCache<K, V> {
  readonly get: (key: K) => V | undefined
  readonly has: (key: K) => boolean
  readonly set: (key: K, value: V) => unknown
}

/** The value of a key, which is created and stored where there is none. */
export function getOrCreate<K, V>(cache: KeyedCache<K, V>, key: K, create: () => V): V {
  const existing = cache.get(key)
  if (existing !== undefined || cache.has(key)) return existing as V
  const created = create()
  cache.set(key, created)
  return created
}
