/** Writes docs/cli.md and the manual page from the commands' own help; with `--check` only says whether they are up to date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Command, textsOf } from '../src/cli/args/command.ts'
import { type Flag, flagsOf } from '../src/cli/args/flags.ts'
import { commandGroups, commands } from '../src/cli/commands.ts'
import { flagLines, helpText } from '../src/cli/program.ts'
import { groupBy } from '../src/recorder/text/group-by.ts'
import { wrapLines } from '../src/recorder/text/wrap-lines.ts'

const loaded = new Map(
  await Promise.all(
    commands.map(async (entry) => [entry.name, await entry.load()] as const)
  )
)

const asText = (lines: string): string => `\`\`\`text\n${lines.trimEnd()}\n\`\`\`\n`

/** The names alone: what they mean is said once, at the end of the page. */
const nameLines = (flags: readonly Flag[]): readonly string[] =>
  wrapLines(flags.map(({ name }) => `--${name}`).join(' '), 78).map((line) => `  ${line}`)

function markdown(): string {
  const head = readFileSync(
    new URL('cli-docs-head.md', import.meta.url),
    'utf8'
  ).trimEnd()
  const sections = [...loaded].map(
    ([name, command]) => `## ${name}\n\n${asText(helpText(command, nameLines))}`
  )
  const shared = [...loaded.values()].flatMap(flagsOf).filter(({ group }) => group !== '')
  const byName = new Map(shared.map((flag) => [flag.name + flag.group, flag]))
  const groups = [...groupBy(byName.values(), ({ group }) => group)].map(
    ([title, flags]) => `### ${title}\n\n${asText(flagLines(flags).join('\n'))}`
  )
  return [head, '', ...sections, '## Flags of several commands\n', ...groups].join('\n')
}

/** A sign that troff obeys is spelled out, and so are letters beyond ASCII. Source: groff_man(7), groff_char(7) */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^[.']/, '\\&$&')
    .replace(/[^ -~]/gu, (letter) => `\\[u${hex(letter)}]`)

const hex = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')

function manual(): string {
  const flagLines = (command: Command): readonly string[] =>
    flagsOf(command).flatMap(({ name, valueName, help }) => [
      '.TP',
      `.B ${plain(`--${name}`)}${valueName === undefined ? '' : ` \\fI${plain(valueName)}\\fR`}`,
      plain(help)
    ])
  const sectionOf = (command: Command): readonly string[] => [
    `.SS ${plain(`wikitape ${command.name} ${textsOf(command).usage}`.trim())}`,
    plain(textsOf(command).summary),
    ...flagLines(command),
    '.PP',
    'Examples:',
    '.nf',
    ...textsOf(command).examples.map((example) => plain(`  ${example}`)),
    '.fi'
  ]
  return [
    '.TH WIKITAPE 1',
    '.SH NAME',
    'wikitape \\- record once against a live MediaWiki, replay offline in tests',
    '.SH SYNOPSIS',
    '.B wikitape\n\\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH COMMANDS',
    ...commandGroups.flatMap(({ title, commands: ofGroup }) => [
      `.SS ${title}`,
      ...ofGroup.flatMap((one) => [
        '.TP',
        `.B ${plain(one.name)}`,
        plain(textsOf(one).brief)
      ])
    ]),
    '.SH DETAILS',
    ...[...loaded.values()].flatMap(sectionOf),
    '.SH EXIT STATUS',
    '0 fine, 1 a miss or a failed check, 2 wrong usage or unreadable input, 3 the wiki could not be reached, 4 a secret was found.',
    ''
  ].join('\n')
}

const written = new Map([
  ['docs/cli.md', markdown()],
  ['man/wikitape.1', manual()]
])

for (const [name, text] of written) {
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url))
  if (!process.argv.includes('--check')) {
    mkdirSync(fileURLToPath(new URL('.', new URL(`../${name}`, import.meta.url))), {
      recursive: true
    })
    writeFileSync(file, text)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not what the commands say of themselves; run: npm run docs`)
    process.exitCode = 1
  }
}
