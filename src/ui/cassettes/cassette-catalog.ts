/** The cassettes that the pages can show: those of one folder, read again when their files have changed. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { manifestName } from '../../cassette/format/manifest.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { isCassetteName } from '../../server/control-headers.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { readableManifestIn } from '../../store/contents/manifest-file.ts'
import { cassettesIn } from '../../store/files/cassette-folder.ts'
import { statOrUndefined } from '../../store/files/paths-inside.ts'
import { StoreError } from '../../store/store-error.ts'
import { groupBy } from '../../text/group-by.ts'
import { BadRequest } from '../query-params.ts'

/** An interaction's file, known by its name alone. */
export interface CassetteEntry {
  readonly key: RequestKey
  /** Relative to the cassette, `/` as separator. */
  readonly file: string
  readonly folder: string
  readonly name: string
}

/** A cassette's names as they were on disk at one moment. */
export interface CassetteSnapshot {
  readonly name: string
  readonly dir: string
  /** Undefined where nothing has been recorded yet. */
  readonly store: CassetteStore | undefined
  readonly entries: readonly CassetteEntry[]
  readonly folders: ReadonlyMap<string, readonly CassetteEntry[]>
}

const maxNames = 200
/** Milliseconds in which two changes may get the same time. */
const clockStepMs = 50

/** `1.9` before `1.35`. */
const byNumber = new Intl.Collator('en', { numeric: true })

export class CassetteCatalog {
  readonly first: string
  readonly #root: string
  readonly #cache = new LRUCache<string, { snapshot: CassetteSnapshot; timestamps: string }>({ max: 4 })

  /** @param dir of the first cassette; the folder around it is the catalog */
  constructor(dir: string) {
    const absoluteDir = path.resolve(dir)
    // As people type it, for the commands that the pages show.
    const shown = path.relative('', path.dirname(absoluteDir)) || '.'
    this.#root = shown.startsWith('..') ? path.dirname(absoluteDir) : shown
    this.first = path.basename(absoluteDir)
  }

  names(): readonly string[] {
    const names = cassettesIn(this.#root, 1).map((dir) => path.relative(this.#root, dir))
    return [...new Set([this.first, ...names.filter(isCassetteName)])].slice(0, maxNames)
  }

  /** The same names by the wiki's version, then by the day of recording. */
  namesOldestFirst(): readonly string[] {
    const dated = this.names().map((name) => {
      const { engine, recorded = '' } = readableManifestIn(path.join(this.#root, name)) ?? { engine: '' }
      return { name, engine, recorded }
    })
    dated.sort((a, b) => byNumber.compare(a.engine, b.engine) || byNumber.compare(a.recorded, b.recorded))
    return dated.map(({ name }) => name)
  }

  /** @param name of the first unless given. @throws BadRequest where there is none of that name, StoreError where it cannot be read */
  snapshot(name: string = this.first): CassetteSnapshot {
    const shown = JSON.stringify(name.slice(0, 80))
    if (!this.names().includes(name))
      throw new BadRequest(404, 'no-such-cassette', `there is no cassette ${shown} here`)
    const dir = path.join(this.#root, name)
    const timestamps = modificationTimes(dir)
    const cached = this.#cache.get(name)
    if (cached !== undefined && cached.timestamps === timestamps) return cached.snapshot
    const snapshot = readSnapshot(name, dir)
    if (timestamps !== undefined) this.#cache.set(name, { snapshot, timestamps })
    return snapshot
  }
}

/** Times of the last change of folders and manifest; undefined where one is so recent that a next change could have the same. */
function modificationTimes(dir: string): string | undefined {
  const times = ['', manifestName, ...foldersIn(dir)].map(
    (name) => statOrUndefined(path.join(dir, name))?.mtimeMs ?? 0,
  )
  return Math.max(...times) > Date.now() - clockStepMs ? undefined : times.join(' ')
}

/** Before the first recording there may be no folder at all. */
const foldersIn = (dir: string): readonly string[] =>
  statOrUndefined(dir)?.isDirectory() === true
    ? readdirSync(dir, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
    : []

function readSnapshot(name: string, dir: string): CassetteSnapshot {
  const store = openStore(dir)
  const entries = [...(store?.paths() ?? [])].map(([key, file]) => ({
    key,
    file,
    name: file.toLowerCase(),
    folder: file.slice(0, Math.max(0, file.indexOf('/'))),
  }))
  return { name, dir, store, entries, folders: groupBy(entries, ({ folder }) => folder) }
}

function openStore(dir: string): CassetteStore | undefined {
  // An empty folder becomes a cassette with the first recording.
  if (statOrUndefined(dir)?.isDirectory() === true && readdirSync(dir).length === 0) return undefined
  try {
    return CassetteStore.open(dir)
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'missing') return undefined
    throw error
  }
}
