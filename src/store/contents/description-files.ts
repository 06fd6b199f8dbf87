/** The wiki's descriptions of its modules, one file each, and the recorded states of its pages. A description is parsed once. */
import { decodePageStates, type PageStates } from '../../cassette/format/pages-file.ts'
import { moduleDescriptionPath } from '../../cassette/interaction-path.ts'
import { tryParsePlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { decodeModule, type ModuleDescription } from '../../wiki/modules/module-descriptions.ts'
import { isInside, readableTextInside } from '../files/paths-inside.ts'
import { StoreError } from '../store-error.ts'

export class DescriptionFiles {
  readonly #readFile: (file: string) => string | undefined
  readonly #placeOf: (file: string) => string
  readonly #modules = new Map<string, ModuleDescription | undefined>()

  /**
   * @param readFile gives the text of a description by its path in the cassette
   * @param placeOf where messages say that it is
   */
  constructor(readFile: (file: string) => string | undefined, placeOf: (file: string) => string) {
    this.#readFile = readFile
    this.#placeOf = placeOf
  }

  /** Undefined where no description was recorded. @throws StoreError where the file is broken */
  module(modulePath: string): ModuleDescription | undefined {
    if (!this.#modules.has(modulePath)) this.#modules.set(modulePath, this.#readModule(modulePath))
    return this.#modules.get(modulePath)
  }

  /** The description as the wiki's JSON; undefined where none was recorded. @throws StoreError */
  text(modulePath: string): string | undefined {
    const text = this.#readFile(moduleDescriptionPath(modulePath))
    return text === undefined || differsInCaseOnly(text, modulePath) ? undefined : text
  }

  /** Drops the parsed description of a module; all of them unless one is given. */
  forget(modulePath?: string): void {
    if (modulePath === undefined) this.#modules.clear()
    else this.#modules.delete(modulePath)
  }

  #readModule(modulePath: string): ModuleDescription | undefined {
    const text = this.text(modulePath)
    if (text === undefined) return undefined
    const description = tryParsePlain(text)
    if (description !== undefined) return decodeModule(description)
    // The strict reader knows the line and column.
    const reading = readJson(text)
    const fault = reading.ok ? { line: 1, column: 1, message: 'it is not JSON' } : reading.fault
    throw StoreError.broken(this.#placeOf(moduleDescriptionPath(modulePath)), fault)
  }
}

/** The text of a file; undefined where there is none, or a link that leads out. @throws StoreError where it cannot be read */
export const textIn = (dir: string, file: string): string | undefined =>
  isInside(dir, file) ? readableTextInside(dir, file) : undefined

/** @param text undefined where there is no such file. @param file for messages. @throws StoreError where it is broken */
export function parsePageStates(text: string | undefined, file: string): PageStates {
  if (text === undefined) return new Map()
  const reading = decodePageStates(text)
  if (!reading.ok) throw StoreError.broken(file, reading.fault)
  return reading.states
}

/** On a case-insensitive file system the file of `query` is found for `Query`, which is no module. */
function differsInCaseOnly(description: string, modulePath: string): boolean {
  const describedPath = /"path":\s*"([^"]*)"/.exec(description)?.[1]
  return (
    describedPath !== undefined &&
    describedPath !== modulePath &&
    describedPath.toLowerCase() === modulePath.toLowerCase()
  )
}
