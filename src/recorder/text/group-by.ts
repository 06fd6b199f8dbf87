/** Groups items by a key, in the order in which the keys first come. (`Map.groupBy` needs Node 21.) */
export function groupBy<K, T>(
  items: Iterable<T>,
  keyOf: (item: T) => K
): ReadonlyMap<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (!group) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** The value of a key, made and added where the map lacks it. */
export function getOrAdd<K, V>(map: KeyedCache<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined || map.has(key)) return found as V
  const made = make()
  map.set(key, made)
  return made
}

/** A Map or a WeakMap. */
interface KeyedCache<K, V> {
  readonly get: (key: K) => V | undefined
  readonly has: (key: K) => boolean
  readonly set: (key: K, value: V) => unknown
}

/** What each item becomes; undefined if one becomes nothing. */
export function mapAll<T, R>(
  items: Iterable<T>,
  change: (item: T, at: number) => R | undefined
): readonly R[] | undefined {
  const changed: R[] = []
  for (const item of items) {
    const one = change(item, changed.length)
    if (one === undefined) return undefined
    changed.push(one)
  }
  return changed
}

/** A value that is worked out when it is first asked for. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The items of `all` less those of `less`, each as often as it is there. */
export function subtractItems<T>(
  all: readonly T[],
  less: readonly T[],
  textKey: (item: T) => string
): T[] {
  const left = new Map<string, number>()
  for (const item of less) left.set(textKey(item), (left.get(textKey(item)) ?? 0) + 1)
  return all.filter((item) => {
    const count = left.get(textKey(item)) ?? 0
    if (count > 0) left.set(textKey(item), count - 1)
    return count === 0
  })
}

/** All that they have; each is read when those before it are used up. */
export const inTurn = <T>(all: readonly Iterable<T>[]): Iterable<T> => ({
  *[Symbol.iterator]() {
    for (const one of all) yield* one
  }
})
