/** The wiki's descriptions of its modules, one file each, which the cassettes of a suite may share; the recorded states of its pages. */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Manifest, manifestName } from '../../cassette/format/manifest.ts'
import { decodePageStates, type PageStates } from '../../cassette/format/pages-file.ts'
import {
  moduleDescriptionPath,
  paraminfoFolder,
  wikiFolderName
} from '../../cassette/interaction-path.ts'
import { tryParsePlain } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import { groupBy } from '../../text/group-by.ts'
import {
  decodeModule,
  type ModuleDescription
} from '../../wiki/modules/module-descriptions.ts'
import {
  describedFiles,
  isFolder,
  isInside,
  pathInside,
  readableTextInside
} from '../files/paths-inside.ts'
import { readText, writeNew, writeWhole } from '../files/whole-files.ts'
import { StoreError } from '../store-error.ts'
import { manifestText, readableManifestIn } from './manifest-file.ts'

export class DescriptionFiles {
  readonly #readFile: (file: string) => string | undefined
  readonly #placeOf: (file: string) => string
  readonly #modules = new Map<string, ModuleDescription | undefined>()

  /**
   * @param readFile gives the text of a description by its path in the cassette
   * @param placeOf where messages say that it is
   */
  constructor(
    readFile: (file: string) => string | undefined,
    placeOf: (file: string) => string
  ) {
    this.#readFile = readFile
    this.#placeOf = placeOf
  }

  /** Undefined where no description was recorded. @throws StoreError where the file is broken */
  module(modulePath: string): ModuleDescription | undefined {
    if (!this.#modules.has(modulePath))
      this.#modules.set(modulePath, this.#readModule(modulePath))
    return this.#modules.get(modulePath)
  }

  /** The description as the wiki's JSON; undefined where none was recorded. @throws StoreError */
  text(modulePath: string): string | undefined {
    const text = this.#readFile(moduleDescriptionPath(modulePath))
    return text === undefined || differsInCaseOnly(text, modulePath) ? undefined : text
  }

  /** Drops what was parsed. */
  forget(): void {
    this.#modules.clear()
  }

  #readModule(modulePath: string) {
    const text = this.text(modulePath)
    if (text === undefined) return undefined
    const description = tryParsePlain(text)
    if (description !== undefined) return decodeModule(description)
    // The strict reader knows the line and column.
    const reading = readJson(text)
    const fault = reading.ok
      ? { line: 1, column: 1, message: 'it is not JSON' }
      : reading.fault
    throw new StoreError(
      'broken',
      this.#placeOf(moduleDescriptionPath(modulePath)),
      fault
    )
  }
}

/** The text of a file; undefined where there is none, or a link that leads out. @throws StoreError where it cannot be read */
export const textIn = (dir: string, file: string): string | undefined =>
  isInside(dir, file) ? readableTextInside(dir, file) : undefined

/** @param text undefined where there is no such file. @param file for messages. @throws StoreError where it is broken */
export function parsePageStates(text: string | undefined, file: string): PageStates {
  if (text === undefined) return new Map()
  const reading = decodePageStates(text)
  if (!reading.ok) throw new StoreError('broken', file, reading.fault)
  return reading.states
}

/** On a case-insensitive file system the file of `query` is found for `Query`, which is no module. */
function differsInCaseOnly(description: string, modulePath: string) {
  const describedPath = /"path":\s*"([^"]*)"/.exec(description)?.[1]
  return (
    describedPath !== modulePath &&
    describedPath?.toLowerCase() === modulePath.toLowerCase()
  )
}

/** Undefined for a cassette that shares none. @throws StoreError where the folder is not there, or a link that leads elsewhere */
export function sharedFolderOf(
  dir: string,
  { sharedDescriptions }: Manifest
): string | undefined {
  if (sharedDescriptions === undefined) return undefined
  const [wiki = '', , ...up] = sharedDescriptions.split('/').reverse()
  const folder = pathInside(path.join(dir, ...up), paraminfoFolder, wiki)
  if (!isFolder(folder)) throw new StoreError('no-descriptions', dir, sharedDescriptions)
  return folder
}

/** The files of all descriptions, the cassette's own first; shared ones of the same name do not count. @throws StoreError */
export function descriptionFilesOf(dir: string, manifest: Manifest): readonly string[] {
  const folders = [
    path.join(dir, paraminfoFolder),
    sharedFolderOf(dir, manifest) ?? []
  ].flat()
  const files = folders.flatMap((folder) =>
    describedFiles(folder).map((name) => path.join(folder, name))
  )
  return [...groupBy(files, (file) => path.basename(file)).values()].map(
    ([first]) => first
  )
}

/** The text of a description; undefined where there is none. @throws StoreError */
export function descriptionText(
  dir: string,
  manifest: Manifest,
  file: string
): string | undefined {
  const own = textIn(dir, file)
  const shared = own === undefined ? sharedFolderOf(dir, manifest) : undefined
  return shared === undefined ? own : textIn(shared, path.basename(file))
}

/** Where a file of a cassette is: a description that is not in its folder is a shared one. */
export function placeOf(dir: string, file: string): string {
  const own = path.join(dir, file)
  const manifest = existsSync(own) ? undefined : readableManifestIn(dir)
  const shared = manifest && sharedFolderOf(dir, manifest)
  return shared === undefined ? own : path.join(shared, path.basename(file))
}

/** The manifest's path for a cassette below the root; undefined where that has no place for the wiki. */
export function sharedPathFor(
  dir: string,
  root: string,
  { upstream }: Manifest
): string | undefined {
  const up = path.relative(dir, root).split(path.sep).join('/')
  const url = URL.canParse(upstream) ? new URL(upstream) : undefined
  return url && /^\.\.(?:\/\.\.)*$/.test(up)
    ? `${up}/${paraminfoFolder}/${wikiFolderName({ host: url.host, path: url.pathname })}`
    : undefined
}

/** Makes a copy of a cassette's files self-contained. @param into the copy; the cassette's own folder unless given */
export function unshareDescriptions(
  dir: string,
  manifest: Manifest,
  into: string = dir
): void {
  if (manifest.sharedDescriptions === undefined) return
  for (const file of descriptionFilesOf(dir, manifest)) {
    const copy = path.join(into, paraminfoFolder, path.basename(file))
    if (!existsSync(copy)) writeWhole(copy, readText(file) ?? '')
  }
  writeWhole(
    path.join(into, manifestName),
    manifestText({ ...manifest, sharedDescriptions: undefined })
  )
}

/**
 * Moves descriptions to the shared folder, except those that differ from the shared ones.
 * @param files the cassette's files, or a copy of them. @param dir the cassette's own folder. @returns how many were moved
 */
export function shareDescriptionsOf(
  files: string,
  manifest: Manifest,
  sharedPath: string,
  dir: string = files
): number {
  const own = path.join(files, paraminfoFolder)
  const moved = describedFiles(own).filter((name) => {
    const text = readText(path.join(own, name)) ?? ''
    const shared = path.join(dir, sharedPath, name)
    // Another worker may be first.
    return writeNew(shared, text) || readText(shared) === text
  })
  if (moved.length > 0)
    writeWhole(
      path.join(files, manifestName),
      manifestText({ ...manifest, sharedDescriptions: sharedPath })
    )
  for (const name of moved) rmSync(path.join(own, name))
  return moved.length
}
