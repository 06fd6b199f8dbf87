/** The files that people commit beside cassettes: what was accepted, and what varies by itself. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodeAcceptances } from '../../drift/findings/acceptances.ts'
import type { Acceptance } from '../../drift/findings/finding.ts'
import { decodeSeverities, type SeverityRules } from '../../drift/findings/severity-rules.ts'
import type { NoiseProfile } from '../../drift/noise/noise-filter.ts'
import { decodeProfile, encodeProfile } from '../../drift/noise/noise-profile.ts'
import { plainOf } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { textInside } from '../../store/files/paths-inside.ts'
import { readText, writeWhole } from '../../store/files/whole-files.ts'
import { StoreError } from '../../store/store-error.ts'
import { type Flag, type Given, orUsage, type Shell, UsageError } from '../args/command.ts'

/** Where `accept` writes and `diff` looks unless told otherwise. */
export const acceptFile = 'drift.accept.json'

const rulesFile = 'drift.json'

export const rulesFlag: Flag = {
  name: 'rules',
  value: 'FILE',
  help: `severities of your own, {"severity": {"field.removed": "risky"}} (default ${rulesFile})`,
}

/** The entries of the file named by the flag, or of `drift.accept.json` here where it is. @throws UsageError */
export function readAcceptances(given: Given, flag: string): readonly Acceptance[] {
  const named = given.text(flag)
  const file = named ?? acceptFile
  if (!existsSync(file)) {
    if (named === undefined || flag === 'file') return []
    throw new UsageError(`there is no file ${file}; wikitape accept writes one`)
  }
  const reading = decodeAcceptances(parse(file))
  if (!reading.ok) throw new UsageError(`${file}: ${reading.message}`)
  return reading.acceptances
}

/** The team's own ratings: of the file that `--rules` names, of `drift.json` here, of the project. @throws UsageError */
export function readSeverities(given: Given, { settings }: Shell): SeverityRules {
  const named = given.text(rulesFlag.name)
  if (named !== undefined && !existsSync(named))
    throw new UsageError(`there is no file ${named}; expected {"severity": {"field.removed": "risky"}} there`)
  const file = named ?? (existsSync(rulesFile) ? rulesFile : settings?.file)
  if (file === undefined) return new Map()
  const reading = decodeSeverities(file === settings?.file ? settings : parse(file))
  if (!reading.ok) throw new UsageError(`${file}: ${reading.message}`)
  return reading.rules
}

const noiseFile = (cassette: string): string => path.join(cassette, 'noise.json')

/** What is known to vary in this cassette's wiki; undefined where nobody learned it. @throws UsageError */
export function readNoise(cassette: string): NoiseProfile | undefined {
  const file = noiseFile(cassette)
  if (!existsSync(file)) return undefined
  const reading = decodeProfile(parse(file, () => textInside(cassette, path.basename(file))))
  if (!reading.ok) throw new UsageError(`${file}: ${reading.message}`)
  return reading.profile
}

/** @returns the file's name. @throws StoreError */
export function writeNoise(cassette: string, profile: NoiseProfile): string {
  const file = noiseFile(cassette)
  writeText(file, encodeProfile(profile))
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

function parse(file: string, read = (): string | undefined => readText(file)): unknown {
  const reading = readJson(orUsage(`cannot read ${file}`, read) ?? '')
  if (reading.ok) return plainOf(reading.tree)
  const { line, column, message } = reading.fault
  throw new UsageError(`${file}:${line}:${column}: ${message}`)
}
