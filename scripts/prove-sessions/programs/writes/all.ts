/** All that clients change, by version of the wiki. */
import { edits } from './edits.ts'
import { files } from './files.ts'
import { pages } from './pages.ts'
import { people } from './people.ts'
import type { Write } from './write.ts'

const all: Readonly<Record<string, Write>> = { ...edits, ...pages, ...people, ...files }

const missingIn: Readonly<Record<string, readonly string[]>> = {
  '1.35': ['visual', 'topic', 'thank', 'markread', 'subscribe', 'model'],
  '1.39': ['topic', 'thank', 'markread', 'subscribe'],
  '1.43': []
}

export const writesOf = (version: string): readonly (readonly [string, Write])[] =>
  Object.entries(all).filter(([name]) => !(missingIn[version] ?? []).includes(name))
