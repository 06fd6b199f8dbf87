/** What an import says: by file and in sum, so that the sums add up to the entries. */

import type { CommandContext } from '../cli/args/command.ts'
import { escapeControls } from '../text/escape-control-characters.ts'
import { plural } from '../text/plural.ts'
import type { ImportedFile } from './import-job.ts'

export interface ImportResult {
  readonly files: readonly ImportedFile[]
  /** Entries of sites that are no wiki, or not the wiki asked for. */
  readonly elsewhere: number
  /** Files, or parts of files, that hold nothing that can be read, each with where and why. */
  readonly unreadable: readonly string[]
  readonly undescribed: boolean
  readonly remarks: readonly string[]
  readonly dryRun: boolean
}

/** Things of one kind that are named one by one: a folder may be of something else altogether. */
const maxListed = 10

interface ImportTotals {
  readonly entries: number
  readonly taken: number
  readonly same: number
  readonly leftOut: number
  readonly elsewhere: number
  readonly redacted: number
}

export function importTotals({ files, elsewhere }: ImportResult): ImportTotals {
  const sum = (count: (one: ImportedFile) => number): number =>
    files.reduce((all, one) => all + count(one), 0)
  return {
    entries: sum((one) => one.entries) + elsewhere,
    taken: sum((one) => one.taken),
    same: sum((one) => one.same),
    leftOut: sum((one) => one.leftOut.length),
    elsewhere,
    redacted: [...countRedactions(files).values()].reduce((all, count) => all + count, 0),
  }
}

/** What was replaced inside of bodies, and how often. */
function countRedactions(files: readonly ImportedFile[]): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const { redacted } of files)
    for (const [what, count] of Object.entries(redacted)) all.set(what, (all.get(what) ?? 0) + count)
  return all
}

export function reportImport(result: ImportResult, asJson: boolean, shell: CommandContext): void {
  const sums = importTotals(result)
  if (asJson) {
    const { files, unreadable, undescribed, remarks, dryRun } = result
    shell.stdout(`${JSON.stringify({ ...sums, files, unreadable, undescribed, remarks, dryRun })}\n`)
    return
  }
  const print = (line: string): void => shell.stderr(`wikitape: ${escapeControls(line)}\n`)
  for (const line of reportLines(result)) print(line)
  const many = new Set(result.files.map((one) => one.cassette)).size
  const where = many > 1 ? ` for ${plural(many, 'cassette')}` : ''
  print(
    `${result.dryRun ? 'dry run, nothing written: ' : ''}${plural(sums.entries, 'entry', 'entries')}${where}: ` +
      `taken ${sums.taken}, same ${sums.same}, left out ${sums.leftOut}, of other sites ${sums.elsewhere}; redacted ${sums.redacted}` +
      (result.unreadable.length === 0 ? '' : `; ${plural(result.unreadable.length, 'file')} not read whole`),
  )
}

function reportLines(result: ImportResult): readonly string[] {
  const { files, unreadable, undescribed, remarks } = result
  const cassettes = [...new Set(files.map((one) => one.cassette))]
  const redirects = files.reduce((all, one) => all + one.redirects, 0)
  return [
    ...limitLines(
      unreadable.map((why) => `left out: ${why}`),
      (more) => `left out: ${more} more files of the folder that hold no recordings of these formats`,
    ),
    ...files.flatMap(fileLines),
    ...(cassettes.length > 1 ? cassettes.map((dir) => cassetteLine(dir, files)) : []),
    ...remarks,
    ...[...countRedactions(files)].map(([what, count]) => `redacted in bodies: ${what}, ${count} times`),
    ...(redirects === 0
      ? []
      : [
          `${redirects} redirects from one address of the wiki to another are kept: replay with --rewrite-urls, or as a proxy (exec --forward-proxy), lest clients follow them to the wiki`,
        ]),
    ...(undescribed
      ? [
          "no wiki described its modules: requests are told apart by wikitape's own descriptions, where it has them, and count as sent otherwise; --describe URL or --describe-from CASSETTE tells more",
        ]
      : []),
  ]
}

const fileLines = ({ file, leftOut }: ImportedFile): readonly string[] =>
  limitLines(
    leftOut.map(
      ({ entry, address, why }) =>
        `${file}: entry ${entry}: ${address === '' ? '' : `${address}: `}left out: ${why}`,
    ),
    (more) => `${file}: ${more} more entries left out; --json names them all`,
  )

function cassetteLine(dir: string, all: readonly ImportedFile[]): string {
  const own = all.filter(({ cassette }) => cassette === dir)
  const sum = (count: (one: ImportedFile) => number): number =>
    own.reduce((sums, one) => sums + count(one), 0)
  const from = own.length > 1 ? `${own.length} files` : (own[0]?.file ?? '')
  return `${from} → ${dir}: taken ${sum((one) => one.taken)}, same ${sum((one) => one.same)}, left out ${sum((one) => one.leftOut.length)}`
}

const limitLines = (lines: readonly string[], rest: (more: number) => string): readonly string[] =>
  lines.length <= maxListed ? lines : [...lines.slice(0, maxListed), rest(lines.length - maxListed)]
