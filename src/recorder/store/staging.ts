/** Recordings of a test or command that may yet fail: written to a temporary folder, committed to the cassette on success. */
import { cpSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Manifest, manifestName } from '../cassette/format/manifest.ts'
import { paraminfoFolder } from '../cassette/interaction-path.ts'
import { getOrAdd } from '../text/group-by.ts'
import {
  shareDescriptionsOf,
  sharedPathFor,
  unshareDescriptions
} from './contents/description-files.ts'
import { manifestFirst, readableManifestIn } from './contents/manifest-file.ts'
import { filesIn } from './files/paths-inside.ts'
import { readBytes, syncFile, writeNew, writeWhole } from './files/whole-files.ts'
import { requireSameWiki, writing } from './store-error.ts'

export class StagedCassette {
  /** The folder to record into. */
  readonly folder: string
  readonly #target: string
  readonly #temporaryDir: string
  readonly #filesBefore: ReadonlySet<string>
  readonly #upstreamBefore: string | undefined
  /** Undefined for a cassette that shares no descriptions. */
  readonly #sharedPath: (recorded: Manifest) => string | undefined

  /**
   * The copy is self-contained. @param target the cassette's folder, which need not exist yet
   * @param suite the folder in which a new cassette shares its descriptions with others
   */
  constructor(target: string, suite?: string) {
    this.#target = target
    this.#temporaryDir = mkdtempSync(path.join(tmpdir(), 'wikitape-'))
    this.folder = path.join(this.#temporaryDir, 'cassette')
    if (existsSync(target))
      cpSync(target, this.folder, {
        recursive: true,
        verbatimSymlinks: true,
        filter: mayBeCopied
      })
    const before = readableManifestIn(this.folder)
    if (before) unshareDescriptions(target, before, this.folder)
    this.#filesBefore = new Set(filesIn(this.folder))
    this.#upstreamBefore = before?.upstream
    this.#sharedPath = (recorded) =>
      !before && suite !== undefined
        ? sharedPathFor(target, suite, recorded)
        : before?.sharedDescriptions
  }

  /**
   * Writes new and changed files one by one, so that other workers may do the same, and removes deleted ones. The manifest
   * comes first: a folder without it is no cassette. @throws StoreError also where another worker has recorded another wiki
   */
  commit(): void {
    this.#shareDescriptions()
    const filesNow = filesIn(this.folder)
    for (const file of [...filesNow].sort(manifestFirst)) this.#commitFile(file)
    for (const file of this.#filesBefore)
      if (!filesNow.includes(file)) rmSync(path.join(this.#target, file), { force: true })
    this.discard()
  }

  /** First, so that no manifest names a folder that is not there yet. */
  #shareDescriptions() {
    const recorded = readableManifestIn(this.folder)
    const sharedPath = recorded && this.#sharedPath(recorded)
    if (!recorded || sharedPath === undefined) return
    writing(path.join(this.#target, sharedPath), () =>
      shareDescriptionsOf(this.folder, recorded, sharedPath, this.#target)
    )
  }

  discard(): void {
    rmSync(this.#temporaryDir, { recursive: true, force: true })
  }

  #requireSameWiki() {
    const manifest = readableManifestIn(this.#target)
    const recorded = readableManifestIn(this.folder)
    if (manifest && recorded)
      requireSameWiki(
        { dir: this.#target, manifest },
        recorded,
        manifest.upstream === this.#upstreamBefore
      )
  }

  #commitFile(file: string) {
    const from = path.join(this.folder, file)
    const to = path.join(this.#target, file)
    const next = readBytes(from)
    const current = readBytes(to)
    if (!next || (current && Buffer.compare(next, current) === 0)) return
    const isManifest = file === manifestName
    writing(to, () => {
      if (!isManifest || current || !writeNew(to, next)) {
        // Another worker may have begun the cassette meanwhile.
        if (isManifest) this.#requireSameWiki()
        writeWhole(to, next)
      }
      syncFile(to)
    })
  }
}

export class StagedCassettes {
  readonly #byTarget = new Map<string, StagedCassette>()

  /**
   * The folder to record into. Descriptions are shared where there is a folder for them beside the cassette.
   * @param target the cassette's folder, which need not exist yet
   */
  folderFor(target: string): string {
    const suite = path.dirname(target)
    const isShared = existsSync(path.join(suite, paraminfoFolder))
    return getOrAdd(
      this.#byTarget,
      target,
      () => new StagedCassette(target, isShared ? suite : undefined)
    ).folder
  }

  /** @throws StoreError */
  commit(): void {
    for (const staging of this.#byTarget.values()) staging.commit()
  }

  discard(): void {
    for (const staging of this.#byTarget.values()) staging.discard()
  }
}

/** Not pipes, which would never end, nor temporary files of another process. */
function mayBeCopied(file: string) {
  const stat = lstatSync(file)
  return (
    !file.endsWith('.tmp') &&
    (stat.isFile() || stat.isDirectory() || stat.isSymbolicLink())
  )
}
