/** Requests of a list in words: what distinguishes one from the others of its module stands first; what all share is left out. */

interface Group {
  size: number
  /** How many requests of the group have a parameter with this value. */
  readonly counts: Map<string, number>
}

/** @param all as `describeRequest` writes them: the subject and its parameters, ` · ` between */
export function distinctWords(all: readonly string[]): readonly string[] {
  const groups = new Map<string, Group>()
  for (const words of all) {
    const { name, params } = partsOf(words)
    const group = groups.get(name) ?? { size: 0, counts: new Map() }
    group.size += 1
    for (const one of params) group.counts.set(one, (group.counts.get(one) ?? 0) + 1)
    groups.set(name, group)
  }
  return all.map((words) => {
    const { name, subject, params } = partsOf(words)
    const { size, counts } = groups.get(name) ?? { size: 0, counts: new Map() }
    const others = [...counts.values()].filter((count) => count < size)
    // Requests that differ in nothing keep what they are told by.
    if (others.length === 0) return words
    const rank = (one: string): number =>
      /^\w*continue=/.test(one) ? 0 : (counts.get(one) ?? 0)
    const kept = params.filter((one) => counts.get(one) !== size)
    return [subject, ...kept.sort((a, b) => rank(a) - rank(b))].join(' · ')
  })
}

/** A subject may name pages: `categories of Волга` is of the group `categories`. */
function partsOf(words: string): {
  readonly name: string
  readonly subject: string
  readonly params: readonly string[]
} {
  const [subject = '', ...params] = words.split(' · ')
  return { name: subject.replace(/ of .*/, ''), subject, params }
}
