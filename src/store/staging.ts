/** Recordings of a test or command that may yet fail: kept in a temporary folder, moved in when it has gone well. */
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { manifestIn, manifestName } from './contents/manifest-file.ts'
import { readBytes, syncFile, writeNew, writeWhole } from './files/whole-files.ts'
import { mustBeSameWiki } from './require-same-wiki.ts'
import { StoreError } from './store-error.ts'

export class Staging {
  /** Where to record meanwhile. */
  readonly folder: string
  readonly #home: string
  readonly #place: string
  readonly #before: ReadonlySet<string>
  readonly #upstream: string | undefined

  /** @param home the cassette, which may not be there yet */
  constructor(home: string) {
    this.#home = home
    this.#place = mkdtempSync(path.join(tmpdir(), 'wikitape-'))
    this.folder = path.join(this.#place, 'cassette')
    if (existsSync(home))
      cpSync(home, this.folder, { recursive: true, verbatimSymlinks: true, filter: mayBeCopied })
    this.#before = new Set(filesIn(this.folder))
    this.#upstream = manifestIn(this.folder)?.upstream
  }

  /**
   * Writes what is new or different, file by file, each whole at once, so that other workers may do the same; deletes
   * what was dropped. The manifest comes first: without it a cassette is none. @throws StoreError also where another worker
   * has recorded another wiki there meanwhile
   */
  moveIn(): void {
    const after = filesIn(this.folder)
    for (const file of [...after].sort(manifestFirst)) this.#move(file)
    for (const file of this.#before)
      if (!after.includes(file)) rmSync(path.join(this.#home, file), { force: true })
    this.discard()
  }

  discard(): void {
    rmSync(this.#place, { recursive: true, force: true })
  }

  #mustBeSameWiki(): void {
    const [manifest, recorded] = [manifestIn(this.#home), manifestIn(this.folder)]
    if (manifest !== undefined && recorded !== undefined)
      mustBeSameWiki({ dir: this.#home, manifest }, recorded, manifest.upstream === this.#upstream)
  }

  #move(file: string): void {
    const [from, to] = [path.join(this.folder, file), path.join(this.#home, file)]
    const fresh = readBytes(from)
    const old = readBytes(to)
    if (fresh === undefined || (old !== undefined && Buffer.compare(fresh, old) === 0)) return
    try {
      const isManifest = file === manifestName
      if (!isManifest || old !== undefined || !writeNew(to, fresh)) {
        // Another worker may have begun the cassette, at this very moment.
        if (isManifest) this.#mustBeSameWiki()
        writeWhole(to, fresh)
      }
      syncFile(to)
    } catch (error) {
      throw error instanceof StoreError ? error : StoreError.cannotWrite(to, error)
    }
  }
}

/** The cassettes of one run, each apart from when it is first recorded to. */
export class Stagings {
  readonly #byHome = new Map<string, Staging>()

  /** Where a cassette is recorded to meanwhile. @param home its folder, which may not be there yet */
  folderFor(home: string): string {
    const known = this.#byHome.get(home) ?? new Staging(home)
    this.#byHome.set(home, known)
    return known.folder
  }

  /** @throws StoreError */
  moveIn(): void {
    for (const staging of this.#byHome.values()) staging.moveIn()
  }

  discard(): void {
    for (const staging of this.#byHome.values()) staging.discard()
  }
}

/** A pipe would never end, and what another process is just writing is no recording yet. */
function mayBeCopied(file: string): boolean {
  const stat = lstatSync(file)
  return !file.endsWith('.tmp') && (stat.isFile() || stat.isDirectory() || stat.isSymbolicLink())
}

const manifestFirst = (a: string, b: string): number =>
  Number(b === manifestName) - Number(a === manifestName) || (a < b ? -1 : 1)

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    : []
