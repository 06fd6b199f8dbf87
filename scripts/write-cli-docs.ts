/** Writes docs/cli.md from the verbs' own help; with `--check` only says whether it is up to date. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const page = fileURLToPath(new URL('../docs/cli.md', import.meta.url))

const help = (...args: readonly string[]): string =>
  spawnSync(process.execPath, [program, ...args, '--help'], { encoding: 'utf8' }).stdout

function whole(): string {
  const verbs = [...help().matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, verb = '']) => verb)
  const sections = verbs.map((verb) => `## ${verb}\n\n\`\`\`text\n${help(verb).trimEnd()}\n\`\`\`\n`)
  return [readFileSync(new URL('cli-docs-head.md', import.meta.url), 'utf8').trimEnd(), '', ...sections].join(
    '\n',
  )
}

const text = whole()
if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/cli.md is not what the verbs say of themselves; run: npm run docs')
    process.exitCode = 1
  }
} else {
  writeFileSync(page, text)
}
