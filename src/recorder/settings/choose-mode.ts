/** The mode of a library call: by option, environment, project settings, or default. */

import { type Mode, mayAskWiki, modes } from '../playback/decide.ts'
import {
  booleanOption,
  type OptionExpectations,
  oneOfOption
} from '../text/option-checks.ts'
import { requireMode } from './project-settings.ts'

interface ModeOptions {
  readonly mode?: Mode
  /** Lets a mode that may ask the live wiki do so although CI=true. */
  readonly allowLive?: boolean
}

export const modeOptions: OptionExpectations<ModeOptions> = {
  mode: oneOfOption(modes),
  allowLive: booleanOption
}

interface ModeDefaults {
  readonly settled?: string | undefined
  readonly usual: Mode
  /** The same with CI=true. */
  readonly inCi?: Mode
}

/** Option, then WIKITAPE_MODE, then VCR_MODE, then settings, then the default. @throws Error for an unknown or forbidden mode */
export function chooseMode(
  { mode: option, allowLive = false }: ModeOptions,
  env: Environment,
  { settled, usual, inCi = usual }: ModeDefaults
): Mode {
  const isLiveForbidden = isInCi(env) && !allowLive
  const mode = namedMode(option, env, settled) ?? (isLiveForbidden ? inCi : usual)
  if (isLiveForbidden && mayAskWiki(mode)) {
    throw new Error(
      `CI=true, and mode ${mode} may send requests to the live wiki; pass allowLive: true to allow it, or use mode none`
    )
  }
  return mode
}

type Environment = Readonly<Record<string, string | undefined>>

/** @param option of a call or the command line. @throws SettingsError for an unknown mode */
export function namedMode(
  option: string | undefined,
  env: Environment,
  settled: string | undefined
): Mode | undefined {
  const sources = [
    ['', option],
    ['WIKITAPE_MODE: ', env['WIKITAPE_MODE']],
    ['VCR_MODE: ', env['VCR_MODE']],
    ['', settled]
  ] as const
  const [source = '', text] =
    sources.find(([, one]) => one !== undefined && one !== '') ?? []
  return text === undefined ? undefined : requireMode(text, source)
}

/** True in continuous integration, where no live wiki is asked: systems set `CI` to `true`, `1`, `True`, or their own name. */
export const isInCi = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !/^(?:|0|false|no)$/i.test(env['CI']?.trim() ?? '')
