/** Problems of a cassette, as the text of a failed test. */
import { type Miss, missText } from '../../engine/miss/miss-reply.ts'
import { escapeControlsInLines } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import type { InsertSettings } from '../in-process/insert-options.ts'

const maxShown = 5

/** A line for each, and how many more there are. */
function listed(lines: readonly string[]): string {
  const more = lines.length > maxShown ? [`and ${lines.length - maxShown} more`] : []
  return [...lines.slice(0, maxShown), ...more].map((one) => `\n    ${one}`).join('')
}

export function missesText(count: number, misses: readonly Miss[]): string {
  const shown = misses.slice(-maxShown).map((miss) => `\n    ${missText(miss)}`)
  return `${plural(count, 'request')} missed:${shown.join('')}`
}

/** @param isNamed true where other test files may use the same cassette */
export function unusedText(unused: readonly { readonly file: string }[], isNamed: boolean): string {
  const sharing = isNamed
    ? `\n  if other test files use this cassette too, give each a name of its own, or set unused: 'ignore' in all`
    : ''
  return `${plural(unused.length, 'recording')} not used:${listed(unused.map(({ file }) => file))}${sharing}`
}

/** @param params of each answer */
export const unusedOverridesText = (params: readonly string[]): string =>
  `${plural(params.length, 'answer')} given by cassette.answer(…) not used, since no request had these parameters:${params.map((one) => `\n    ${one}`).join('')}`

/** @param why each request failed */
export function unansweredText(why: readonly string[]): string {
  const shown = [...new Set(why)].slice(0, maxShown).map((one) => `\n    ${one}`)
  return `${plural(why.length, 'request')} could not be answered:${shown.join('')}`
}

/** @param answers that the wiki gave, each with the reason */
export function passedOnText(answers: readonly string[]): string {
  return `${plural(answers.length, 'answer')} not recorded, which a run offline would miss:${listed(answers)}
  check apiUrl, and run it again when the wiki answers as usual; to test such an answer, give it by cassette.answer(…), or set recordErrors: true for errors of limits, lag and maintenance`
}

const checkWiki =
  'check that the wiki runs and that its address is right (http:// or https://, host, port), and run the test again'

/** @param code the engine's exit code @param lines what was reported of each @param isNamed whether requests failed with the reason */
export function notRecordedTexts(
  code: number,
  lines: readonly string[],
  isNamed: boolean,
): readonly string[] {
  // With 2, a file cannot be read or written.
  if (code < 2 || (code === 2 && isNamed)) return []
  const text = [`not everything could be recorded${lines.length === 0 ? '' : ':'}`, ...lines].join('\n    ')
  return code === 3 ? [text, checkWiki] : [text]
}

/** The mode that mends a cassette. */
export type Remedy = 'new_episodes' | 'update'

/** Fails a test that would pass. */
export class CassetteProblem extends Error {
  override readonly name = 'CassetteProblem'
  /** Without frames: all of them would be wikitape's and the runner's. */
  override readonly stack: string = `${this.name}: ${this.message}`
}

/** @param remedy the mode that helps, if one does */
export function cassetteProblem(
  { folder, mode }: Pick<InsertSettings, 'folder' | 'mode'>,
  failing: readonly string[],
  remedy: Remedy | undefined,
): CassetteProblem {
  const advice = remedy === undefined ? [] : [remedyText(remedy, process.env['CI'] === 'true')]
  const text = [`wikitape: ${folder} (mode ${mode}):`, ...failing, ...advice].join('\n  ')
  return new CassetteProblem(escapeControlsInLines(text))
}

/** What to run next. */
function remedyText(remedy: Remedy, inCi: boolean): string {
  const purpose =
    remedy === 'update'
      ? 'to record it all again and delete what is no longer requested'
      : 'to record what is missing'
  return inCi
    ? `CI=true records nothing: ${purpose}, run this test where it is not set, with WIKITAPE_MODE=${remedy}, and commit the cassette`
    : `${purpose}, run this test with WIKITAPE_MODE=${remedy}`
}

/** Several problems as one error. */
export function joinProblems(problems: readonly CassetteProblem[]): CassetteProblem {
  const [only, ...others] = problems
  if (only !== undefined && others.length === 0) return only
  return new CassetteProblem(problems.map(({ message }) => message).join('\n'))
}
