/** @returns `count` of them, the same for the same seed, in their order. */
export function draw<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const random = mulberry32(seed)
  const places = all.map((_, at) => ({ at, by: random() })).sort((a, b) => a.by - b.by)
  const drawn = new Set(places.slice(0, count).map(({ at }) => at))
  return all.filter((_, at) => drawn.has(at))
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
