/** The wiki's descriptions of its modules, one file each, and the recorded states of its pages. A description is parsed once. */
import path from 'node:path'
import { decodePageStates, type PageStates, pagesFile } from '../../cassette/format/pages-file.ts'
import { moduleDescriptionPath, paraminfoFolder } from '../../cassette/interaction-path.ts'
import { tryParsePlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { errorText } from '../../text/error-text.ts'
import { decodeModule, type ModuleDescription } from '../../wiki/modules/module-descriptions.ts'
import { describedFiles, isInside } from '../files/paths-inside.ts'
import { readText } from '../files/whole-files.ts'
import { StoreError } from '../store-error.ts'

type ReadFile = (file: string) => string | undefined

export class DescriptionFiles {
  readonly #dir: string
  readonly #readFile: ReadFile
  readonly #sharedDir: () => string | undefined
  readonly #placeOf: (file: string) => string
  readonly #modules = new Map<string, ModuleDescription | undefined>()

  /**
   * @param readFile gives the text of a file of the cassette; from the folder unless given
   * @param sharedDir the folder of descriptions that other cassettes use as well; those of the cassette come first
   * @param placeOf where messages say that a file is; in the folder unless given
   */
  constructor(
    dir: string,
    readFile: ReadFile = textsIn(dir),
    sharedDir: () => string | undefined = () => undefined,
    placeOf: (file: string) => string = (file) => path.join(dir, file),
  ) {
    this.#dir = dir
    this.#readFile = readFile
    this.#sharedDir = sharedDir
    this.#placeOf = placeOf
  }

  /** The paths of all description files, shared ones included. */
  files(): readonly string[] {
    const own = path.join(this.#dir, paraminfoFolder)
    const shared = this.#sharedDir()
    const ownNames = describedFiles(own)
    const sharedNames = shared === undefined ? [] : describedFiles(shared)
    return [
      ...ownNames.map((name) => path.join(own, name)),
      ...sharedNames.flatMap((name) => (ownNames.includes(name) ? [] : [path.join(shared ?? '', name)])),
    ]
  }

  /** Undefined where no description was recorded. @throws StoreError where the file is broken */
  module(modulePath: string): ModuleDescription | undefined {
    if (!this.#modules.has(modulePath)) this.#modules.set(modulePath, this.#readModule(modulePath))
    return this.#modules.get(modulePath)
  }

  /** The description as the wiki's JSON; undefined where none was recorded. @throws StoreError */
  text(modulePath: string): string | undefined {
    const file = moduleDescriptionPath(modulePath)
    const text = this.#readFile(file) ?? this.#readShared(path.basename(file))
    return text === undefined || differsInCaseOnly(text, modulePath) ? undefined : text
  }

  /** Drops the parsed description of a module; all of them unless one is given. */
  forget(modulePath?: string): void {
    if (modulePath === undefined) this.#modules.clear()
    else this.#modules.delete(modulePath)
  }

  /** Empty where none were recorded. @throws StoreError where the file is broken */
  pageStates(): PageStates {
    const text = this.#readFile(pagesFile)
    if (text === undefined) return new Map()
    const reading = decodePageStates(text)
    if (!reading.ok) throw StoreError.broken(this.#placeOf(pagesFile), reading.fault)
    return reading.states
  }

  #readModule(modulePath: string): ModuleDescription | undefined {
    const text = this.text(modulePath)
    if (text === undefined) return undefined
    const description = tryParsePlain(text)
    if (description === undefined) throw this.#brokenFile(moduleDescriptionPath(modulePath), text)
    return decodeModule(description)
  }

  /** Reads again with the strict reader, which knows the line and column. */
  #brokenFile(file: string, text: string): StoreError {
    const reading = readJson(text)
    const fault = reading.ok ? { line: 1, column: 1, message: 'it is not JSON' } : reading.fault
    return StoreError.broken(this.#placeOf(file), fault)
  }

  #readShared(name: string): string | undefined {
    const dir = this.#sharedDir()
    return dir === undefined ? undefined : textsIn(dir)(name)
  }
}

const textsIn =
  (dir: string): ReadFile =>
  (file) => {
    if (!isInside(dir, file)) return undefined
    const absolutePath = path.join(dir, file)
    try {
      return readText(absolutePath)
    } catch (error) {
      throw StoreError.broken(absolutePath, { line: 1, column: 1, message: errorText(error) })
    }
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
