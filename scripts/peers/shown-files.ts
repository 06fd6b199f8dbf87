/** Files that docs/test-suites.md shows, word for word, and an empty project with the packed package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, root } from './project.ts'

const page = readFileSync(path.join(root, 'docs/test-suites.md'), 'utf8')

/** A file that the page shows, by the comment that it begins with. @throws Error where it shows none */
export function shown(name: string): string {
  const block = [...page.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].find(([, text = '']) =>
    [`// ${name}\n`, `# ${name}\n`].some((head) => text.startsWith(head))
  )?.[1]
  if (block === undefined) throw new Error(`docs/test-suites.md shows no ${name}`)
  return block
}

export function emptyProject(
  name: string,
  tarball: string,
  install: readonly string[]
): string {
  const folder = path.join(place, name)
  mkdirSync(path.join(folder, 'test'), { recursive: true })
  writeFileSync(
    path.join(folder, 'package.json'),
    '{"name":"user","private":true,"type":"module"}\n'
  )
  const words = install.map((word) => (word === 'wikitape' ? tarball : word))
  must(folder, 'npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'])
  return folder
}
