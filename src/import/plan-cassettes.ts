/** Plans which files become which cassettes: one for each file, but one for all files of one exchange. */
import path from 'node:path'
import type { RecordingFile } from './find-recordings.ts'

export interface RecordingUnit {
  /** Path of its cassette below the folder of cassettes; empty for that folder itself. */
  readonly name: string
  readonly files: readonly RecordingFile[]
}

/** A file of many exchanges is a unit; all files of one exchange are one unit. */
export function groupIntoUnits(files: readonly RecordingFile[]): readonly RecordingUnit[] {
  const single = oneExchangeFiles(files)
  const whole = files.filter((one) => !one.isOneExchange)
  const tapes = single.length === 0 ? [] : [{ name: whole.length === 0 ? '' : 'tapes', files: single }]
  return [...whole.map((one) => ({ name: unitName(one, whole), files: [one] })), ...tapes]
}

/** All files as the sessions of one cassette; files of one exchange are one session. */
export const asOneUnit = (files: readonly RecordingFile[]): RecordingUnit => ({
  name: '',
  files: [...files.filter((one) => !one.isOneExchange), ...oneExchangeFiles(files)],
})

/** By time. */
const oneExchangeFiles = (files: readonly RecordingFile[]): readonly RecordingFile[] =>
  files
    .filter((one) => one.isOneExchange)
    .sort((a, b) => timeOf(a).moment - timeOf(b).moment || timeOf(a).order - timeOf(b).order)

const timeOf = ({ readings: [entry] }: RecordingFile): { readonly moment: number; readonly order: number } =>
  entry?.kind === 'exchange' ? entry.exchange : { moment: 0, order: 0 }

const stem = (file: string): string => file.slice(0, file.length - path.extname(file).length)

/** The path without extension, unless another file or a folder has that name too: no cassette is inside another. */
function unitName({ relativePath }: RecordingFile, all: readonly RecordingFile[]): string {
  const name = stem(relativePath)
  const isAmbiguous = all.some(
    (other) =>
      other.relativePath !== relativePath &&
      (stem(other.relativePath) === name || other.relativePath.startsWith(`${name}${path.sep}`)),
  )
  return isAmbiguous ? relativePath : name
}
