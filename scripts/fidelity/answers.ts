/** What wikis answered, in a file of lines, so that a second run asks only what is new. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export interface KeptAnswers {
  readonly kept: ReadonlyMap<string, string>
  readonly keep: (url: string, body: string) => void
}

/** @param file nothing is kept where none is named */
export function keepAnswers(file: string | undefined): KeptAnswers {
  const kept = new Map<string, string>()
  if (file !== undefined && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const cut = line.indexOf('\t')
      if (cut > 0) kept.set(line.slice(0, cut), line.slice(cut + 1))
    }
  }
  const keep = (url: string, body: string): void => {
    if (file !== undefined)
      appendFileSync(file, `${url}\t${body.replaceAll('\n', ' ')}\n`)
  }
  return { kept, keep }
}
