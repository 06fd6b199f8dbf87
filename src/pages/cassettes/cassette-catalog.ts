import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { displayText } from '../../recorder/engine/miss/describe-request.ts'
import type { RequestKey } from '../../recorder/request/request-key.ts'
import { isCassetteName } from '../../recorder/server/control-headers.ts'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { readableManifestIn } from '../../recorder/store/contents/manifest-file.ts'
import { cassettesIn, isUnusedFolder } from '../../recorder/store/files/paths-inside.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { BadRequest } from '../query-params.ts'
import type { CassetteView } from '../views.ts'

/** An interaction's file, known by its name alone. */
export interface CassetteEntry {
  readonly key: RequestKey
  /** Relative to the cassette, `/` as separator. */
  readonly file: string
  readonly folder: string
  readonly name: string
}

/** A cassette's names, as its store has them in this generation. */
export interface CassetteSnapshot {
  readonly name: string
  readonly dir: string
  /** Undefined if nothing has been recorded yet. */
  readonly store: CassetteStore | undefined
  /** The generation of the store. */
  readonly generation: number | undefined
  readonly entries: readonly CassetteEntry[]
  readonly folders: ReadonlyMap<string, readonly CassetteEntry[]>
}

export function cassetteView(snapshot: CassetteSnapshot): CassetteView {
  const { name, dir, store, entries, folders } = snapshot
  const { upstream = '', engine = '', recorded = '' } = store?.manifest ?? {}
  return {
    name,
    dir: displayText(dir),
    upstream: displayText(upstream),
    engine: displayText(engine),
    recorded,
    interactions: entries.length,
    sessionCookies: store?.manifest.sessionCookies ?? [],
    folders: [...folders].map(([name, { length }]) => ({
      name,
      label: displayText(name),
      interactions: length
    }))
  }
}

/** Recordings whose contents are compared, too: a look at each takes some 5 µs. */
const maxCompared = 5_000

/** Another number once the cassette has changed on disk: its names, its manifest, and unless they are many, its recordings. */
export function cassetteVersion({ store, entries, folders }: CassetteSnapshot): number {
  if (entries.length <= maxCompared)
    for (const folder of folders.keys()) store?.generation(folder)
  return store?.generation() ?? -1
}

const maxNames = 200

/** `1.9` before `1.35`. */
const byNumber = new Intl.Collator('en', { numeric: true })

export class CassetteCatalog {
  readonly first: string
  readonly #root: string
  readonly #cache = new LRUCache<string, CassetteSnapshot>({ max: 4 })

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

  /** All names by the wiki's version, then by the day of recording. */
  namesOldestFirst(): readonly string[] {
    const dated = this.names().map((name) => {
      const manifest = readableManifestIn(path.join(this.#root, name))
      const { engine = '', recorded = '' } = manifest ?? {}
      return { name, engine, recorded }
    })
    dated.sort(
      (a, b) =>
        byNumber.compare(a.engine, b.engine) || byNumber.compare(a.recorded, b.recorded)
    )
    return dated.map(({ name }) => name)
  }

  /** @param name that of the first unless given. @throws BadRequest if there is none of that name */
  dirOf(name: string = this.first): string {
    const shown = JSON.stringify(name.slice(0, 80))
    if (this.names().includes(name)) return path.join(this.#root, name)
    throw new BadRequest(404, 'no-such-cassette', `there is no cassette ${shown} here`)
  }

  /** @throws BadRequest as `dirOf`, StoreError if it cannot be read */
  snapshot(name: string = this.first): CassetteSnapshot {
    const dir = this.dirOf(name)
    const cached = this.#cache.get(name)
    const store =
      cached?.store ?? (isUnusedFolder(dir) ? undefined : CassetteStore.open(dir))
    const generation = store?.generation()
    if (cached && cached.generation === generation) return cached
    const entries = [...(store?.paths() ?? [])].map(([key, file]) => ({
      key,
      file,
      name: file.toLowerCase(),
      folder: file.slice(0, Math.max(0, file.indexOf('/')))
    }))
    const folders = groupBy(entries, ({ folder }) => folder)
    const snapshot = { name, dir, store, generation, entries, folders }
    if (store) this.#cache.set(name, snapshot)
    return snapshot
  }
}
