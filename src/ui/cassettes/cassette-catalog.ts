/** The cassettes that can be looked at: those of one folder, read again as soon as their files have changed. */

import { readdirSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import type { RequestKey } from '../../request/request-key.ts'
import { isCassetteName } from '../../server/control-headers.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import { StoreError } from '../../store/store-error.ts'
import { grouped } from '../../text/group-by.ts'
import { Refusal } from '../bad-request.ts'

/** A file of a cassette by its name alone. */
export interface Entry {
  readonly key: RequestKey
  /** Inside of the cassette, `/` as separator. */
  readonly file: string
  readonly folder: string
}

/** A cassette as it lay on the disk at one moment. */
export interface Tape {
  readonly name: string
  readonly dir: string
  /** Undefined where nothing has been recorded yet. */
  readonly store: CassetteStore | undefined
  readonly entries: readonly Entry[]
  readonly folders: ReadonlyMap<string, readonly Entry[]>
}

interface Kept {
  readonly tape: Tape
  readonly stamp: string
}

/** Cassettes that are offered beside the first. */
const mostNames = 200
/** Cassettes whose names are kept in memory. */
const mostKept = 4
/** Milliseconds in which a disk may give two changes the same time. */
const clockStep = 50

export class Shelf {
  /** The cassette that is shown first. */
  readonly first: string
  readonly #root: string
  readonly #kept = new Map<string, Kept>()

  /** @param dir of the first cassette; those beside it can be looked at as well */
  constructor(dir: string) {
    const whole = path.resolve(dir)
    this.#root = path.dirname(whole)
    this.first = path.basename(whole)
  }

  names(): readonly string[] {
    // Before the first recording there may be no folder at all.
    const all =
      statOf(this.#root)?.isDirectory() === true ? readdirSync(this.#root, { withFileTypes: true }) : []
    const beside = all.filter(
      (entry) => entry.isDirectory() && entry.name !== this.first && isCassetteName(entry.name),
    )
    const cassettes = beside.filter(({ name }) =>
      statOf(path.join(this.#root, name, 'cassette.json'))?.isFile(),
    )
    return [this.first, ...cassettes.map(({ name }) => name).sort()].slice(0, mostNames)
  }

  /** @throws Refusal where there is none of that name, StoreError where it cannot be read */
  tape(name: string): Tape {
    if (!this.names().includes(name))
      throw new Refusal(
        404,
        'no-such-cassette',
        `there is no cassette ${JSON.stringify(name.slice(0, 80))} here`,
      )
    const dir = path.join(this.#root, name)
    const stamp = stampOf(dir)
    const kept = this.#kept.get(name)
    if (kept !== undefined && stamp !== undefined && kept.stamp === stamp) return kept.tape
    const tape = read(name, dir)
    this.#kept.delete(name)
    // What changed a moment ago may change again without another time.
    if (stamp !== undefined) this.#kept.set(name, { tape, stamp })
    if (this.#kept.size > mostKept) this.#kept.delete([...this.#kept.keys()][0] ?? '')
    return tape
  }
}

/** When folders and manifest were changed last; undefined where that was just now. */
function stampOf(dir: string): string | undefined {
  const folders = statOf(dir)?.isDirectory() === true ? readdirSync(dir, { withFileTypes: true }) : []
  const places = [dir, ...folders.filter((one) => one.isDirectory()).map(({ name }) => path.join(dir, name))]
  const times = [...places, path.join(dir, 'cassette.json')].map((place) => statOf(place)?.mtimeMs ?? 0)
  return Math.max(...times) > Date.now() - clockStep ? undefined : times.join(' ')
}

function read(name: string, dir: string): Tape {
  const store = opened(dir)
  const entries = [...(store?.paths() ?? [])].map(([key, file]) => ({
    key,
    file,
    folder: file.slice(0, Math.max(0, file.indexOf('/'))),
  }))
  return { name, dir, store, entries, folders: grouped(entries, ({ folder }) => folder) }
}

/** @throws StoreError */
function opened(dir: string): CassetteStore | undefined {
  // What is recorded first makes a cassette of an empty folder.
  if (statOf(dir)?.isDirectory() === true && readdirSync(dir).length === 0) return undefined
  try {
    return CassetteStore.open(dir)
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'missing') return undefined
    throw error
  }
}

function statOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
