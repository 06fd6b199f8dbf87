/** The report of an import: by file and in total, so that the totals add up to the entries. */
import { plural } from '../recorder/text/words.ts'
import type { ImportedFile, ImportOutcome } from './import-job.ts'

export interface ImportResult extends Omit<ImportOutcome, 'exitCode'> {
  /** Entries of sites that are no wiki, or not the wiki asked for. */
  readonly otherSites: number
  /** Files that cannot be read, each with where and why. */
  readonly unreadable: readonly string[]
  readonly dryRun: boolean
}

/** Lines of one kind at most: a folder may be of something else altogether. */
const maxListed = 10

export const isIncomplete = ({ files, unreadable }: ImportResult): boolean =>
  unreadable.length > 0 || files.some(({ skipped }) => skipped.length > 0)

function totalsOf(files: readonly ImportedFile[]) {
  const totals = {
    entries: 0,
    recorded: 0,
    unchanged: 0,
    skipped: 0,
    redirects: 0,
    redactions: 0
  }
  const redacted: Record<string, number> = {}
  for (const file of files) {
    for (const name of ['entries', 'recorded', 'unchanged', 'redirects'] as const)
      totals[name] += file[name]
    totals.skipped += file.skipped.length
    for (const [what, count] of Object.entries(file.redacted)) {
      redacted[what] = (redacted[what] ?? 0) + count
      totals.redactions += count
    }
  }
  return { ...totals, redacted }
}

/** The result with the names that `--json` promises. */
export function importJson({ files, otherSites, ...result }: ImportResult): object {
  const { entries, recorded, unchanged, skipped, redactions } = totalsOf(files)
  return {
    entries: entries + otherSites,
    taken: recorded,
    same: unchanged,
    leftOut: skipped,

    elsewhere: otherSites,
    redacted: redactions,
    files: files.map(({ recorded, unchanged, skipped, redacted, redirects, ...one }) => ({
      ...one,
      taken: recorded,
      same: unchanged,
      leftOut: skipped,
      redacted,
      redirects
    })),
    ...result
  }
}

function totalLine({ files, otherSites, unreadable, dryRun }: ImportResult) {
  const { entries, recorded, unchanged, skipped, redactions } = totalsOf(files)
  const cassettes = new Set(files.map((one) => one.cassette)).size
  return [
    dryRun ? 'dry run, nothing written: ' : '',
    plural(entries + otherSites, 'entry', 'entries'),
    cassettes > 1 ? ` for ${plural(cassettes, 'cassette')}` : '',
    `: recorded ${recorded}, unchanged ${unchanged}, skipped ${skipped}, of other sites ${otherSites}`,
    `; redacted ${redactions}`,
    unreadable.length === 0
      ? ''
      : `; ${plural(unreadable.length, 'file')} not read completely`
  ].join('')
}

export function importLines(result: ImportResult): readonly string[] {
  const { files, unreadable, undescribed, remarks } = result
  const cassettes = [...new Set(files.map((one) => one.cassette))]
  const { redirects, redacted } = totalsOf(files)
  const lines = [
    ...limitLines(
      unreadable.map((why) => `skipped: ${why}`),
      (more) =>
        `skipped: ${more} more files of the folder that have no recordings of these formats`
    ),
    ...files.flatMap(fileLines),
    ...(cassettes.length > 1 ? cassettes.map((dir) => cassetteLine(dir, files)) : []),
    ...remarks,
    ...Object.entries(redacted).map(
      ([what, count]) => `redacted in bodies: ${what}, ${count} times`
    )
  ]
  if (redirects > 0)
    lines.push(
      `${redirects} redirects from one address of the wiki to another are recorded: replay with --rewrite-urls, or as a proxy (exec --forward-proxy), or clients follow them to the wiki`
    )
  if (undescribed)
    lines.push(
      "no wiki described its modules: requests are matched by wikitape's own descriptions, where it has them, and exactly as sent otherwise; --describe URL or --describe-from CASSETTE adds descriptions"
    )
  return [...lines, totalLine(result)]
}

const fileLines = ({ file, skipped }: ImportedFile) =>
  limitLines(
    skipped.map(
      ({ entry, address, why }) =>
        `${file}: entry ${entry}: ${address === '' ? '' : `${address}: `}skipped: ${why}`
    ),
    (more) => `${file}: ${more} more entries skipped; --json names them all`
  )

function cassetteLine(dir: string, all: readonly ImportedFile[]) {
  const files = all.filter(({ cassette }) => cassette === dir)
  const { recorded, unchanged, skipped } = totalsOf(files)
  const from = files.length > 1 ? `${files.length} files` : (files[0]?.file ?? '')
  return `${from} → ${dir}: recorded ${recorded}, unchanged ${unchanged}, skipped ${skipped}`
}

const limitLines = (lines: readonly string[], rest: (more: number) => string) =>
  lines.length <= maxListed
    ? lines
    : [...lines.slice(0, maxListed), rest(lines.length - maxListed)]
