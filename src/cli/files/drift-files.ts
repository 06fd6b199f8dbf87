/** The files that people commit beside cassettes: what was accepted, and what varies by itself. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodeAcceptances } from '../../drift/findings/acceptances.ts'
import type { Acceptance } from '../../drift/findings/finding.ts'
import { decodeSeverities, type SeverityRules } from '../../drift/findings/severity-rules.ts'
import type { NoiseProfile } from '../../drift/noise/noise-profile.ts'
import { decodeNoiseProfile, encodeNoiseProfile } from '../../drift/noise/noise-profile.ts'
import { toPlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { textInside } from '../../store/files/paths-inside.ts'
import { readText, writeWhole } from '../../store/files/whole-files.ts'
import { StoreError } from '../../store/store-error.ts'
import { type CommandContext, type Flag, orUsageError, type ParsedArgs, UsageError } from '../args/command.ts'

/** Where `accept` writes and `diff` looks unless told otherwise. */
export const acceptFile = 'drift.accept.json'

const severitiesFile = 'drift.json'

export const severitiesFlag: Flag = {
  name: 'rules',
  valueName: 'FILE',
  help: `severities of your own, {"severity": {"field.removed": "risky"}} (default ${severitiesFile})`,
}

/** The entries of the file named by the flag, or of `drift.accept.json` here where it is. @throws UsageError */
export function readAcceptances(args: ParsedArgs, flag: string): readonly Acceptance[] {
  const named = args.value(flag)
  const file = named ?? acceptFile
  if (!existsSync(file)) {
    if (named === undefined || flag === 'file') return []
    throw new UsageError(`there is no file ${file}; wikitape accept writes one`)
  }
  const reading = decodeAcceptances(parseJsonFile(file))
  if (!reading.ok) throw new UsageError(`${file}: ${reading.message}`)
  return reading.acceptances
}

/** The team's own ratings: of the file that `--rules` names, of `drift.json` here, of the project. @throws UsageError */
export function readSeverities(args: ParsedArgs, { settings }: CommandContext): SeverityRules {
  const named = args.value(severitiesFlag.name)
  if (named !== undefined && !existsSync(named))
    throw new UsageError(`there is no file ${named}; expected {"severity": {"field.removed": "risky"}} there`)
  const file = named ?? (existsSync(severitiesFile) ? severitiesFile : settings?.file)
  if (file === undefined) return new Map()
  const reading = decodeSeverities(file === settings?.file ? settings : parseJsonFile(file))
  if (!reading.ok) throw new UsageError(`${file}: ${reading.message}`)
  return reading.rules
}

const noiseFile = (cassette: string): string => path.join(cassette, 'noise.json')

/** What is known to vary in this cassette's wiki; undefined where nobody learned it. @throws UsageError */
export function readNoise(cassette: string): NoiseProfile | undefined {
  const file = noiseFile(cassette)
  if (!existsSync(file)) return undefined
  const reading = decodeNoiseProfile(parseJsonFile(file, () => textInside(cassette, path.basename(file))))
  if (!reading.ok) throw new UsageError(`${file}: ${reading.message}`)
  return reading.profile
}

/** @returns the file's name. @throws StoreError */
export function writeNoise(cassette: string, profile: NoiseProfile): string {
  const file = noiseFile(cassette)
  writeText(file, encodeNoiseProfile(profile))
  return file
}

/** @throws StoreError */
export function writeText(file: string, content: string | Uint8Array): void {
  try {
    writeWhole(file, content)
  } catch (error) {
    throw StoreError.cannotWrite(file, error)
  }
}

function parseJsonFile(file: string, read = (): string | undefined => readText(file)): unknown {
  const reading = readJson(orUsageError(`cannot read ${file}`, read) ?? '')
  if (reading.ok) return toPlain(reading.tree)
  const { line, column, message } = reading.fault
  throw new UsageError(`${file}:${line}:${column}: ${message}`)
}
