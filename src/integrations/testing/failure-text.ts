/** Problems of a cassette, as the text of a failed test. */
import { type Miss, missText } from '../../engine/miss/miss-reply.ts'
import type { Mode } from '../../playback/mode.ts'
import { escapeControlsInLines } from '../../text/escape-control-characters.ts'
import { plural } from '../../text/plural.ts'
import type { InsertSettings } from '../in-process/insert-options.ts'

const maxShown = 5

export function missesText(count: number, misses: readonly Miss[]): string {
  const shown = misses.slice(-maxShown).map((miss) => `\n    ${missText(miss)}`)
  return `${plural(count, 'request')} missed:${shown.join('')}`
}

export function unusedText(unused: readonly { readonly file: string }[]): string {
  const shown = unused.slice(0, maxShown).map(({ file }) => `\n    ${file}`)
  const more = unused.length > maxShown ? `\n    and ${unused.length - maxShown} more` : ''
  return `${plural(unused.length, 'recording')} not used:${shown.join('')}${more}`
}

/** @param why each request failed */
export function unansweredText(why: readonly string[]): string {
  const shown = [...new Set(why)].slice(0, maxShown).map((one) => `\n    ${one}`)
  return `${plural(why.length, 'request')} could not be answered:${shown.join('')}`
}

/** Fails a test that would pass. */
export class CassetteProblem extends Error {
  override readonly name = 'CassetteProblem'
}

/** @param canRecord true where recording again may help */
export function cassetteProblem(
  { folder, mode }: Pick<InsertSettings, 'folder' | 'mode'>,
  failing: readonly string[],
  canRecord: boolean,
): CassetteProblem {
  const remedy = canRecord ? [remedyText(mode, process.env['CI'] === 'true')] : []
  const text = [`wikitape: ${folder} (mode ${mode}):`, ...failing, ...remedy].join('\n  ')
  return new CassetteProblem(escapeControlsInLines(text))
}

/** The command to run next. @param mode of the run that failed */
function remedyText(mode: Mode, inCi: boolean): string {
  const all = 'to record it all again and delete what is no longer requested'
  if (inCi)
    return `CI=true records nothing: run this test where it is not set, with WIKITAPE_MODE=new_episodes (or WIKITAPE_MODE=update, ${all}), and commit the cassette`
  switch (mode) {
    case 'none':
    case 'once':
    case 'passthrough':
      return `to record what is missing, run this test with WIKITAPE_MODE=new_episodes; ${all}, with WIKITAPE_MODE=update`
    case 'new_episodes':
    case 'all':
    case 'update':
      return `${all}, run this test with WIKITAPE_MODE=update`
  }
}
