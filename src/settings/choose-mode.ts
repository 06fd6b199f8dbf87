/** When to record, where a program says so by an option: option, environment, what the project settles, what is usual. */
import { type Mode, mayAskWiki, modes, parseMode } from '../playback/mode.ts'
import { booleanOption, type OptionExpectations, oneOfOption } from '../text/option-checks.ts'

export interface ModeOptions {
  readonly mode?: Mode
  /** Lets a mode that may ask the live wiki do so although CI=true. */
  readonly allowLive?: boolean
}

export const modeOptions: OptionExpectations<ModeOptions> = {
  mode: oneOfOption(modes),
  allowLive: booleanOption,
}

export interface ModeDefaults {
  /** What wikitape.config.json says, where it counts. */
  readonly settled?: string | undefined
  readonly usual: Mode
  /** The same with CI=true. */
  readonly inCi?: Mode
}

/** Option, then WIKITAPE_MODE, then VCR_MODE, then the rest; X-Cassette-Mode can narrow it. @throws Error */
export function chooseMode(
  { mode: option, allowLive = false }: ModeOptions,
  env: Readonly<Record<string, string | undefined>>,
  { settled, usual, inCi = usual }: ModeDefaults,
): Mode {
  const isLiveForbidden = env['CI'] === 'true' && !allowLive
  const { WIKITAPE_MODE: ownVariable, VCR_MODE: vcrVariable } = env
  const named = [ownVariable, vcrVariable, settled].find((one) => one !== undefined && one !== '')
  const text = option ?? named ?? (isLiveForbidden ? inCi : usual)
  const mode = parseMode(text)
  if (mode === undefined)
    throw new Error(`the mode "${text}" is unknown; expected one of ${modes.join(', ')}`)
  if (isLiveForbidden && mayAskWiki(mode)) {
    throw new Error(
      `CI=true, and mode ${mode} may ask the live wiki; pass allowLive: true if it shall, or use mode none`,
    )
  }
  return mode
}
