/** Things of one name side by side, in the order in which the names first come. */
export function grouped<K, T>(things: Iterable<T>, nameOf: (thing: T) => K): ReadonlyMap<K, [T, ...T[]]> {
  const found = new Map<K, [T, ...T[]]>()
  for (const thing of things) {
    const name = nameOf(thing)
    const held = found.get(name)
    if (held === undefined) found.set(name, [thing])
    else held.push(thing)
  }
  return found
}
