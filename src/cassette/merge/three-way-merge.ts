/** Three-way merge of named values: what one side changed is taken, and what both changed alike. */

export interface ThreeWayMerge<T> {
  /** In the order of the first side, then what only the other one has. */
  readonly merged: ReadonlyMap<string, T>
  /** Names that both sides changed differently; `merged` holds the first side's values. */
  readonly conflicts: readonly string[]
}

/** How values of one name are compared, and perhaps merged inside. */
export interface ValueMerger<T> {
  readonly same: (a: T, b: T) => boolean
  /** One value for two that both sides changed; undefined where they contradict each other. */
  readonly join?: (name: string, base: T | undefined, ours: T, theirs: T) => T | undefined
}

/** The side to take where at most one side changed the value, or both alike. A value that is undefined is not there. */
export function changedSide<T>(
  [base, ours, theirs]: readonly [T | undefined, T | undefined, T | undefined],
  same: (a: T, b: T) => boolean,
): 'ours' | 'theirs' | undefined {
  const isSame = (a: T | undefined, b: T | undefined): boolean =>
    a === undefined || b === undefined ? a === b : same(a, b)
  if (isSame(ours, theirs) || isSame(base, theirs)) return 'ours'
  return isSame(base, ours) ? 'theirs' : undefined
}

/** @param base the common ancestor, if there is one */
export function mergeByName<T>(
  base: ReadonlyMap<string, T> | undefined,
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  { same, join }: ValueMerger<T>,
): ThreeWayMerge<T> {
  const merged = new Map<string, T>()
  const conflicts: string[] = []
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const [old, one, other] = [base?.get(name), ours.get(name), theirs.get(name)]
    const side = changedSide([old, one, other], same)
    // Where one side removed what the other one changed, they contradict each other too.
    const isJoinable = side === undefined && one !== undefined && other !== undefined
    const joined = isJoinable ? join?.(name, old, one, other) : undefined
    if (side === undefined && joined === undefined) conflicts.push(name)
    const value = { ours: one, theirs: other, none: joined ?? one ?? other }[side ?? 'none']
    if (value !== undefined) merged.set(name, value)
  }
  return { merged, conflicts }
}
