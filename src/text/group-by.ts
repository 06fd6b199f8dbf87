/** Things of one name side by side, in the order in which the names first come. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
