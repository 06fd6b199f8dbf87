/** Text files that people write, or commit with a cassette. */
import { toPlain } from '../../recorder/json/plain-json.ts'
import { faultText, readJson } from '../../recorder/json/read-json.ts'
import { readText, writeWhole } from '../../recorder/store/files/whole-files.ts'
import { writing } from '../../recorder/store/store-error.ts'
import { orUsageError, UsageError } from '../args/command.ts'

/** @throws StoreError */
export const writeText = (file: string, content: string | Uint8Array): void =>
  writing(file, () => writeWhole(file, content))

/** @throws UsageError, with the position of the fault if it is not JSON */
export function readJsonFile(
  file: string,
  read = (): string | undefined => readText(file)
): unknown {
  const reading = readJson(orUsageError(`cannot read ${file}`, read) ?? '')
  if (reading.ok) return toPlain(reading.tree)
  throw new UsageError(faultText(file, reading.fault))
}
