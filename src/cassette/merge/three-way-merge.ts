/** Three-way merge of named values: what one side changed is taken, and what both changed alike. */

export interface ThreeWayMerge<T> {
  /** In the order of the first side, then what only the other one has. */
  readonly merged: ReadonlyMap<string, T>
  /** Names that both sides changed differently; `merged` holds the first side's values. */
  readonly conflicts: readonly string[]
}

/** How values of one name are compared, and perhaps merged inside. */
export interface ValueMerger<T> {
  same(a: T, b: T): boolean
  /** One value for two that both sides changed; undefined where they contradict each other. */
  join?(name: string, base: T | undefined, ours: T, theirs: T): T | undefined
}

/** @param base the common ancestor, if there is one */
export function mergeByName<T>(
  base: ReadonlyMap<string, T> | undefined,
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  values: ValueMerger<T>,
): ThreeWayMerge<T> {
  const merged = new Map<string, T>()
  const conflicts: string[] = []
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const one = mergeOne(name, [base?.get(name), ours.get(name), theirs.get(name)], values)
    if (one.conflict) conflicts.push(name)
    if (one.value !== undefined) merged.set(name, one.value)
  }
  return { merged, conflicts }
}

function mergeOne<T>(
  name: string,
  [base, ours, theirs]: readonly [T | undefined, T | undefined, T | undefined],
  values: ValueMerger<T>,
): { readonly value: T | undefined; readonly conflict: boolean } {
  const same = (a: T | undefined, b: T | undefined): boolean =>
    a === undefined || b === undefined ? a === b : values.same(a, b)
  if (same(ours, theirs) || same(base, theirs)) return { value: ours, conflict: false }
  if (same(base, ours)) return { value: theirs, conflict: false }
  // One side removed what the other one changed.
  if (ours === undefined || theirs === undefined) return { value: ours ?? theirs, conflict: true }
  const joined = values.join?.(name, base, ours, theirs)
  return { value: joined ?? ours, conflict: joined === undefined }
}
