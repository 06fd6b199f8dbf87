/** Whether a cassette has drifted, as a matcher tells it. */
import type { CommandContext } from '../../cli/args/command.ts'
import { parseCommandArgs } from '../../cli/args/parse-args.ts'
import { diffCommand } from '../../cli/commands/compare/diff-command.ts'
import { type FailOn, failOnValues } from '../../drift/findings/fail-on.ts'
import { redactUrl } from '../../recorder/privacy/redact/redact-url.ts'
import { readProjectSettings } from '../../recorder/settings/project-settings.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import {
  assertOptions,
  booleanOption,
  type OptionExpectations,
  oneOfOption,
  textOption,
  wholeNumberOption
} from '../../recorder/text/option-checks.ts'
import { bypassCassettes } from '../in-process/interceptors.ts'

/** A cassette: its folder, or what `useCassette` or `insertCassette` gave. */
export type DriftSubject = string | { readonly folder: string }

export interface DriftOptions {
  /** From which severity on drift fails; `breaking` unless given. */
  readonly failOn?: FailOn
  /** File of drift that was agreed to; `drift.accept.json` unless given. */
  readonly accept?: string
  /** Lets a wiki be asked although CI=true. */
  readonly allowLive?: boolean
  /** Seconds that the wiki may stay silent. */
  readonly timeout?: number
}

export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

const driftOptions: OptionExpectations<DriftOptions> = {
  failOn: oneOfOption(failOnValues),
  accept: textOption('drift.accept.json'),
  allowLive: booleanOption,
  timeout: wholeNumberOption(1, 3600)
}

/**
 * Runs `wikitape diff`, its output kept for the message.
 * @param a folder of a cassette @param other another's, or an api-url; the wiki that was recorded unless given
 * @throws TypeError for a wrong option, UsageError, StoreError
 */
export async function compareDrift(
  a: string,
  other: string | undefined,
  options: DriftOptions
): Promise<MatcherResult> {
  assertOptions('toHaveNoDrift', options, driftOptions)
  const b = other ?? CassetteStore.open(a).manifest.upstream
  const { failOn = 'breaking', accept, allowLive = false, timeout } = options
  const args = [
    ...[a, b, '--fail-on', failOn],
    ...(accept === undefined ? [] : ['--accept', accept]),
    ...(allowLive ? ['--allow-live'] : []),
    ...(timeout === undefined ? [] : ['--timeout', String(timeout)])
  ]
  const output: string[] = []
  const context = contextWith((text) => void output.push(String(text)))
  const code = await bypassCassettes(() =>
    diffCommand.run({ ...parseCommandArgs(diffCommand, args), ...context })
  )
  const text = output.join('')
  if (code === 2)
    throw new Error(
      `the comparison is incomplete, so drift cannot be excluded:\n\n${text}`
    )
  const sides = `from ${a} to ${redactUrl(b)}`
  const expected =
    code === 0
      ? `expected drift ${sides}, and found none that counts`
      : `expected no drift ${sides}`
  return { pass: code === 0, message: () => `${expected}:\n\n${text}` }
}

/** Without messages of progress, and never stopped. */
const contextWith = (stdout: CommandContext['stdout']): CommandContext => ({
  stdout,
  stderr: () => undefined,
  env: { ...process.env, COLUMNS: '100', NO_COLOR: '1' },
  settings: readProjectSettings(process.cwd()),
  isTerminal: false,
  useColor: false,
  now: Date.now,
  stdin: async () => '',
  isInteractive: false,
  stopSignal: () => new Promise(() => undefined)
})
