/** A name that is not used yet, numbered where it must be, also for file systems that ignore case or Unicode composition. */
export function uniqueName(name: string, used: Set<string>): string {
  const fold = (one: string): string => one.normalize('NFKC').toLowerCase()
  let unique = name
  for (let number = 2; used.has(fold(unique)); number += 1) unique = `${name}-${number}`
  used.add(fold(unique))
  return unique
}
