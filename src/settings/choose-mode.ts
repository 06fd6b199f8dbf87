/** The mode of a library call: by option, environment, project settings, or default. */
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
  /** The mode of wikitape.config.json. */
  readonly settled?: string | undefined
  readonly usual: Mode
  /** The same with CI=true. */
  readonly inCi?: Mode
}

/** Option, then WIKITAPE_MODE, then VCR_MODE, then settings, then the default. @throws Error for an unknown or forbidden mode */
export function chooseMode(
  { mode: option, allowLive = false }: ModeOptions,
  env: Readonly<Record<string, string | undefined>>,
  { settled, usual, inCi = usual }: ModeDefaults,
): Mode {
  const isLiveForbidden = env['CI'] === 'true' && !allowLive
  const named = [env['WIKITAPE_MODE'], env['VCR_MODE'], settled].find(
    (one) => one !== undefined && one !== '',
  )
  const text = option ?? named ?? (isLiveForbidden ? inCi : usual)
  const mode = parseMode(text)
  if (mode === undefined)
    throw new Error(`the mode "${text}" is unknown; expected one of ${modes.join(', ')}`)
  if (isLiveForbidden && mayAskWiki(mode)) {
    throw new Error(
      `CI=true, and mode ${mode} may send requests to the live wiki; pass allowLive: true to allow it, or use mode none`,
    )
  }
  return mode
}
