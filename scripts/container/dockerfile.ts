/** A Dockerfile as its instructions, and which files of a folder a build gets. */

export interface Instruction {
  readonly word: string
  /** The rest, with build arguments put in. */
  readonly rest: string
}

export interface Stage {
  readonly name: string
  readonly steps: readonly Instruction[]
}

/** Only what the project's Dockerfile has: arguments before the first stage, and stages of one base. */
export function stagesOf(text: string): readonly Stage[] {
  const values = new Map<string, string>()
  const stages: { name: string; steps: Instruction[] }[] = []
  for (const line of joinedLines(text)) {
    const [, word = '', raw = ''] = /^(\w+)\s+(.*)$/s.exec(line) ?? []
    const rest = raw.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
      return values.get(name) ?? whole
    })
    if (word === 'ARG') {
      const [name = '', value = ''] = rest.split('=')
      values.set(name, value)
    } else if (word === 'FROM') {
      stages.push({ name: / AS (\w+)$/.exec(rest)?.[1] ?? 'final', steps: [] })
    }
    stages.at(-1)?.steps.push({ word, rest })
  }
  return stages
}

/** Without comments; a line that ends with a backslash goes on in the next. */
const joinedLines = (text: string): readonly string[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')

/** The words of an instruction in its JSON form. */
export const wordsOf = (rest: string): readonly string[] =>
  JSON.parse(rest) as readonly string[]

/** @param ignored the text of .dockerignore, without `!` @returns whether a path of the folder reaches a build */
export function contextFilter(ignored: string): (file: string) => boolean {
  const patterns = ignored
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const source = line
        .replaceAll('.', '\\.')
        .replaceAll('**/', '\0')
        .replaceAll('*', '[^/]*')
        .replaceAll('\0', '(?:.*/)?')
      return new RegExp(`^${source}(?:/|$)`)
    })
  return (file) => !patterns.some((pattern) => pattern.test(file))
}
