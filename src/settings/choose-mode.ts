/** When to record, where a program says so by an option: option, environment, what the project settles, what is usual. */
import { asMode, goesOut, type Mode, modes } from '../playback/mode.ts'
import { type Expected, flag, oneOf } from '../text/option-checks.ts'

export interface ModeOptions {
  readonly mode?: Mode
  /** Lets a mode that may ask the live wiki do so although CI=true. */
  readonly allowLive?: boolean
}

export const modeOptions: Expected<ModeOptions> = { mode: oneOf(modes), allowLive: flag }

export interface UsualMode {
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
  { settled, usual, inCi = usual }: UsualMode,
): Mode {
  const ci = env['CI'] === 'true' && !allowLive
  const { WIKITAPE_MODE: own, VCR_MODE: common } = env
  const named = [own, common, settled].find((one) => one !== undefined && one !== '')
  const text = option ?? named ?? (ci ? inCi : usual)
  const mode = asMode(text)
  if (mode === undefined)
    throw new Error(`the mode "${text}" is unknown; expected one of ${modes.join(', ')}`)
  if (ci && goesOut(mode)) {
    throw new Error(
      `CI=true, and mode ${mode} may ask the live wiki; pass allowLive: true if it shall, or use mode none`,
    )
  }
  return mode
}
