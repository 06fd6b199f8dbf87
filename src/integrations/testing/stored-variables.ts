/** Values that a test makes, and that are given back on replay: under `variables` in `cassette.json`. */
import path from 'node:path'
import { manifestName } from '../../recorder/cassette/format/manifest.ts'
import { isPlainObject } from '../../recorder/json/plain-json.ts'
import { mayRecord } from '../../recorder/playback/decide.ts'
import {
  manifestText,
  readableManifestIn
} from '../../recorder/store/contents/manifest-file.ts'
import { isUnusedFolder } from '../../recorder/store/files/paths-inside.ts'
import { writeWhole } from '../../recorder/store/files/whole-files.ts'
import type { InsertSettings } from '../in-process/insert-options.ts'

export type Variable = string | number

const variablesIn = (folder: string) => {
  const stored = readableManifestIn(folder)?.unknown?.['variables']
  return isPlainObject(stored) ? stored : {}
}

export class StoredVariables {
  readonly #made = new Map<string, Variable>()

  /** @throws Error if the cassette is replayed, and has none of this name */
  take<T extends Variable>(
    name: string,
    make: () => T,
    { folder, mode }: InsertSettings
  ): T {
    const isAnew = mode === 'all' || mode === 'update'
    const stored = isAnew ? undefined : variablesIn(folder)[name]
    const known = this.#made.get(name) ?? stored
    if (known !== undefined) return known as T
    if (mode !== 'passthrough' && !mayRecord(mode, isUnusedFolder(folder)))
      throw new Error(
        `wikitape: the cassette ${folder} has no variable ${JSON.stringify(name)}; record this test again with WIKITAPE_MODE=update`
      )
    const value = make()
    this.#made.set(name, value)
    return value
  }

  /** @param folder of a cassette that is recorded. @throws StoreError */
  write(folder: string): void {
    const manifest = readableManifestIn(folder)
    if (!manifest || this.#made.size === 0) return
    const variables = { ...variablesIn(folder), ...Object.fromEntries(this.#made) }
    const unknown = { ...manifest.unknown, variables }
    writeWhole(path.join(folder, manifestName), manifestText({ ...manifest, unknown }))
  }
}
