/** The files of a comparison that people commit: accepted drift, severities, noise. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodeSeverities, type SeverityRules } from '../../drift/changes/change.ts'
import {
  decodeAcceptances,
  encodeAcceptances,
  otherNotes
} from '../../drift/findings/acceptances.ts'
import type { Acceptance } from '../../drift/findings/finding.ts'
import {
  decodeNoiseProfile,
  encodeNoiseProfile,
  type NoiseProfile
} from '../../drift/noise/noise-profile.ts'
import { textInside } from '../../recorder/store/files/paths-inside.ts'
import { plural } from '../../recorder/text/words.ts'
import { type Invocation, readOrThrow, UsageError } from '../args/command.ts'
import { printNote } from '../terminal/terminal-output.ts'
import { readJsonFile, writeText } from './text-files.ts'

export const acceptFile = 'drift.accept.json'

const severitiesFile = 'drift.json'

/** The entries of the file named by the flag, or of `drift.accept.json` here where it is. @throws UsageError */
export function readAcceptances(call: Invocation, flag: string): readonly Acceptance[] {
  const named = call.value(flag)
  const file = named ?? acceptFile
  if (!existsSync(file)) {
    if (named === undefined || flag === 'file') return []
    throw new UsageError(`file not found: ${file}; wikitape accept writes one`)
  }
  return readOrThrow(decodeAcceptances(readJsonFile(file)), `${file}: `)
}

/** Writes the entries; what people wrote beside them stays. @throws UsageError, StoreError */
export function saveAcceptances(file: string, entries: readonly Acceptance[]): void {
  const notes = existsSync(file) ? otherNotes(readJsonFile(file)) : {}
  writeText(file, encodeAcceptances(entries, notes))
}

/** From the file of `--rules`, else `drift.json`, else the project's settings. @throws UsageError */
export function readSeverities(call: Invocation): SeverityRules {
  const named = call.value('rules')
  if (named !== undefined && !existsSync(named))
    throw new UsageError(
      `file not found: ${named}; expected {"severity": {"field.removed": "risky"}} there`
    )
  const file =
    named ?? (existsSync(severitiesFile) ? severitiesFile : call.settings?.file)
  if (file === undefined) return new Map()
  const content = file === call.settings?.file ? call.settings : readJsonFile(file)
  return readOrThrow(decodeSeverities(content), `${file}: `)
}

export const noiseName = 'noise.json'

const noiseFile = (cassette: string) => path.join(cassette, noiseName)

/** The fields that vary by themselves in this cassette's wiki; undefined if nobody measured it. @throws UsageError */
export function readNoise(cassette: string): NoiseProfile | undefined {
  const file = noiseFile(cassette)
  if (!existsSync(file)) return undefined
  const content = readJsonFile(file, () => textInside(cassette, noiseName))
  return readOrThrow(decodeNoiseProfile(content), `${file}: `)
}

/** @throws StoreError */
export function saveNoise(
  cassette: string,
  profile: NoiseProfile,
  call: Invocation
): void {
  const file = noiseFile(cassette)
  writeText(file, encodeNoiseProfile(profile))
  const vary = profile.entries.length === 1 ? 'varies by itself' : 'vary by themselves'
  printNote(call, `wrote ${file}: ${plural(profile.entries.length, 'field')} ${vary}`)
}
