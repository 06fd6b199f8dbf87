/** Text files that people write, or commit with a cassette. */
import { toPlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { readText, writeWhole } from '../../store/files/whole-files.ts'
import { StoreError } from '../../store/store-error.ts'
import { orUsageError, UsageError } from '../args/command.ts'

/** @param target the file or folder, for the message. @throws StoreError */
export function orCannotWrite<T>(target: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw error instanceof StoreError ? error : StoreError.cannotWrite(target, error)
  }
}

/** @throws StoreError */
export const writeText = (file: string, content: string | Uint8Array): void =>
  orCannotWrite(file, () => writeWhole(file, content))

/** @throws UsageError, with the position of the fault if it is not JSON */
export function readJsonFile(file: string, read = (): string | undefined => readText(file)): unknown {
  const reading = readJson(orUsageError(`cannot read ${file}`, read) ?? '')
  if (reading.ok) return toPlain(reading.tree)
  const { line, column, message } = reading.fault
  throw new UsageError(`${file}:${line}:${column}: ${message}`)
}
