/**
 * Every TypeScript example of the documentation type-checks as a user's file does, with the packed package: with the oldest
 * and the newest types of Node.js, and two versions of TypeScript. Names that a page takes from its reader's project are declared.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { must, place, quietly, root, run, type Sums, Tally } from './project.ts'

const versions = [
  { node: '20', typescript: '5.9' },
  { node: '26', typescript: '7' }
] as const

/** What the pages' fragments leave out: imports that an earlier example has, and the reader's own functions. */
const declared = `declare const apiUrl: string
declare const cassette: ReturnType<typeof useCassette>
declare const editPage: (...given: unknown[]) => Promise<unknown>
declare const savePage: () => Promise<unknown>
declare const spawn: typeof import('node:child_process').spawn
declare const useCassette: typeof import('wikitape/vitest').useCassette
declare const withCassette: typeof import('wikitape/testing').withCassette
`

export function checkExampleTypes(tarball: string): Sums {
  const tally = new Tally()
  const folder = path.join(place, 'examples')
  mkdirSync(folder)
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'user', private: true, type: 'module' })
  )
  const packages = ['vitest@4', 'nock@14', 'msw@2', '@playwright/test@1', tarball]
  must(folder, 'npm', ['install', ...quietly, ...packages])
  for (const { node, typescript } of versions) {
    const types = [`@types/node@${node}`, `typescript@${typescript}`]
    must(folder, 'npm', ['install', ...quietly, ...types])
    const count = writeExamples(folder)
    const { code, text } = run(folder, 'npx', ['--no-install', 'tsc', '-p', folder])
    const name = `${count} examples, TypeScript ${typescript}, @types/node ${node}`
    tally.count(name, code === 0 && count > 10, text)
  }
  return tally
}

/** Each as a file named after its page, or as its first comment says. @returns how many */
function writeExamples(folder: string): number {
  const compilerOptions = {
    strict: true,
    module: 'preserve',
    moduleResolution: 'bundler',
    target: 'es2023',
    noEmit: true,
    skipLibCheck: true,
    types: ['node', 'vitest/globals']
  }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['pages'] })
  )
  const pages = path.join(folder, 'pages')
  rmSync(pages, { recursive: true, force: true })
  mkdirSync(pages)
  writeFileSync(path.join(pages, 'declared.d.ts'), declared)
  const docs = readdirSync(path.join(root, 'docs')).map((name) => path.join('docs', name))
  let count = 0
  for (const page of ['README.md', ...docs.filter((name) => name.endsWith('.md'))]) {
    const text = readFileSync(path.join(root, page), 'utf8')
    const name = path.basename(page, '.md')
    const own = path.join(pages, name)
    mkdirSync(own)
    for (const [, code = ''] of text.matchAll(/^```ts\n([\s\S]*?)^```/gm)) {
      count += 1
      const [, file = `${count}.ts`] = /^\/\/ [\w/-]*?([\w.-]+\.ts)\b/.exec(code) ?? []
      // `…` stands for the rest of a function.
      const whole = code.replace(/^(\s*)…$/gm, '$1// …')
      writeFileSync(path.join(own, file), `${whole}export {}\n`)
    }
  }
  return count
}
