/** Problems of a cassette, as the text of a failed test. */

import path from 'node:path'
import { type Miss, missText } from '../../recorder/engine/miss/miss-reply.ts'
import { isInCi } from '../../recorder/settings/choose-mode.ts'
import { shellQuote } from '../../recorder/store/command-name.ts'
import { escapeControlsInLines } from '../../recorder/text/escape-control-characters.ts'
import { plural } from '../../recorder/text/words.ts'
import type { InsertSettings } from '../in-process/insert-options.ts'

const maxShown = 5

/** A line for each, and how many more there are. */
function listed(lines: readonly string[]) {
  const more = lines.length > maxShown ? [`and ${lines.length - maxShown} more`] : []
  return [...lines.slice(0, maxShown), ...more].map((one) => `\n    ${one}`).join('')
}

export const missesText = (count: number, misses: readonly Miss[]): string =>
  `${plural(count, 'request')} missed:${listed(misses.slice(-maxShown).map(missText))}`

/** @param isNamed true if other test files may use the same cassette */
export function unusedText(
  unused: readonly { readonly file: string }[],
  { isNamed }: { readonly isNamed: boolean }
): string {
  const sharing = isNamed
    ? `\n  if other test files use this cassette too, give each a name of its own, or set unused: 'ignore' in all`
    : ''
  return `${plural(unused.length, 'recording')} not used:${listed(unused.map(({ file }) => file))}${sharing}`
}

/** @param params of each answer */
export const unusedOverridesText = (params: readonly string[]): string =>
  `${plural(params.length, 'answer')} given by cassette.answer(…) not used, since no request had these parameters:${listed(params)}`

/** @param why each request failed */
export const unansweredText = (why: readonly string[]): string =>
  `${plural(why.length, 'request')} could not be answered:${listed([...new Set(why)])}`

/** @param answers that the wiki gave, each with the reason */
export function passedOnText(answers: readonly string[]): string {
  return `${plural(answers.length, 'answer')} not recorded, which a run offline would miss:${listed(answers)}
  check apiUrl, and run it again when the wiki answers as usual; to test such an answer, give it by cassette.answer(…), or set recordErrors: true for errors of limits, lag and maintenance`
}

/** @param code the engine's exit code @param lines what was reported of each @param isNamed whether requests failed with the reason */
export function notRecordedTexts({
  code,
  lines,
  isNamed
}: {
  readonly code: number
  readonly lines: readonly string[]
  readonly isNamed: boolean
}): readonly string[] {
  // With 2, a file cannot be read or written.
  if (code < 2 || (code === 2 && isNamed)) return []
  const text = [
    `not everything could be recorded${lines.length === 0 ? '' : ':'}`,
    ...lines
  ].join('\n    ')
  const checkWiki =
    'check that the wiki runs and that its address is right (http:// or https://, host, port), and run the test again'
  return code === 3 ? [text, checkWiki] : [text]
}

export const changingText =
  'for a value that changes with each run, use cassette.variable(name, make) or cassette.recordedAt (docs/stable-tests.md)'

/** The mode that mends a cassette. */
export type Remedy = 'new_episodes' | 'update'

/** Fails a test that would pass. */
export class CassetteProblem extends Error {
  override readonly name = 'CassetteProblem'
  /** Without frames: all of them would be wikitape's and the runner's. */
  override readonly stack: string = `${this.name}: ${this.message}`

  constructor(message: string) {
    super(escapeControlsInLines(message))
  }
}

/** @param remedy the mode that helps, if one does */
export function problemText(
  { folder, mode }: Pick<InsertSettings, 'folder' | 'mode'>,
  failing: readonly string[],
  remedy: Remedy | undefined
): string {
  const advice = remedy === undefined ? [] : [remedyText(remedy, isInCi(process.env))]
  const run = process.env['WIKITAPE_RUN']
  const all = shellQuote(path.dirname(folder))
  if (run) advice.push(`to see the run: wikitape ui ${all} --run ${shellQuote(run)}`)
  return [`wikitape: ${folder} (mode ${mode}):`, ...failing, ...advice].join('\n  ')
}

/** What to run next. */
function remedyText(remedy: Remedy, inCi: boolean) {
  const purpose =
    remedy === 'update'
      ? 'to record it all again and delete what is no longer requested'
      : 'to record what is missing'
  return inCi
    ? `CI=true records nothing: ${purpose}, run this test where it is not set, with WIKITAPE_MODE=${remedy}, and commit the cassette`
    : `${purpose}, run this test with WIKITAPE_MODE=${remedy}`
}
