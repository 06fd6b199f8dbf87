/** A whole cassette in memory, as a side of a drift comparison. */
import path from 'node:path'
import type { PageStates } from '../cassette/format/pages-file.ts'
import { decodeTraffic, requestsFile, type Traffic } from '../cassette/format/traffic-file.ts'
import type { Interaction, RecordedResponse } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/interaction-path.ts'
import type { CassetteSide, WholeListing } from '../drift/inputs/cassette-side.ts'
import { wikiFactsOf } from '../engine/wiki-facts.ts'
import {
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonString,
  memberOf,
  objectOf,
  textOf,
} from '../json/json-tree.ts'
import { toPlain } from '../json/plain-json.ts'
import { type JsonFault, readJson } from '../json/read-json.ts'
import { readListings } from '../paging/joining/listings.ts'
import type { WikiFacts } from '../request/derive.ts'
import { CassetteStore } from '../store/cassette-store.ts'
import { isInside } from '../store/files/paths-inside.ts'
import { readText } from '../store/files/whole-files.ts'
import { StoreError } from '../store/store-error.ts'
import { getOrAdd, groupBy } from '../text/group-by.ts'
import { utf16Text } from '../text/utf16.ts'
import { describedByField } from '../wiki/modules/module-descriptions.ts'
import { wholeListing } from './whole-listing.ts'

export interface LoadedSide {
  readonly dir: string
  readonly side: CassetteSide
  readonly facts: WikiFacts
}

/** Loads a cassette. Unreadable files become faults of the side: the comparison is then incomplete. @throws StoreError */
export function loadSide(dir: string, name: string = dir): LoadedSide {
  const store = CassetteStore.open(dir)
  const faults: string[] = []
  const interactions = readInteractions(store, faults)
  const facts = wikiFactsOf(store)
  const faultsBefore = faults.length
  const modules = readModules(store, faults)
  // Without readable descriptions no listing can be identified.
  const listings = faults.length === faultsBefore ? wholeListingsOf(interactions, facts) : []
  const pages = readPages(store, faults)
  const { manifest } = store
  const traffic = readTraffic(dir, faults)
  return { dir, side: { name, manifest, interactions, modules, listings, pages, traffic, faults }, facts }
}

function readInteractions(store: CassetteStore, faults: string[]): readonly Interaction[] {
  const interactions: Interaction[] = []
  const interner = new TreeInterner()
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'found') interactions.push(internTrees(found.interaction, interner))
    else if (found.kind === 'absent') faults.push(`${file} is gone`)
    else faults.push(faultText(path.relative(store.dir, found.path), found.fault))
  }
  return interactions
}

const faultText = (file: string, { line, column, message }: JsonFault): string =>
  `${file}:${line}:${column}: ${message}`

/** Equal parts of trees are shared, which takes less memory. */
function internTrees(interaction: Interaction, interner: TreeInterner): Interaction {
  const response = (one: RecordedResponse): RecordedResponse =>
    one.body.kind === 'json' ? { ...one, body: { ...one.body, tree: interner.intern(one.body.tree) } } : one
  const [first, ...more] = interaction.responses
  return { ...interaction, responses: [response(first), ...more.map(response)] }
}

/** An unreadable file is a fault: without page states a comparison takes edits for changes of the software. */
function readPages(store: CassetteStore, faults: string[]): PageStates {
  try {
    return store.pageStates()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    faults.push(error.message)
    return new Map()
  }
}

function readTraffic(dir: string, faults: string[]): Traffic | undefined {
  const text = isInside(dir, requestsFile) ? readText(path.join(dir, requestsFile)) : undefined
  const traffic = text === undefined ? undefined : decodeTraffic(text)
  if (text !== undefined && traffic === undefined) faults.push(`${requestsFile} has no counts`)
  return traffic
}

/** The wiki's descriptions of its modules, by module path. */
function readModules(store: CassetteStore, faults: string[]): ReadonlyMap<string, unknown> {
  const modules = new Map<string, unknown>()
  for (const file of store.descriptionFiles()) {
    const reading = readJson(readText(file) ?? '')
    const module = reading.ok ? textOf(memberOf(reading.tree, 'path')) : undefined
    // A bundled description is not the wiki's own.
    if (reading.ok && memberOf(reading.tree, describedByField) !== undefined) continue
    const noPath = { line: 1, column: 1, message: 'expected an object with a "path"' }
    const name = path.relative(store.dir, file).replaceAll(path.sep, '/')
    if (reading.ok && module !== undefined) modules.set(module, toPlain(reading.tree))
    else faults.push(faultText(name, reading.ok ? noPath : reading.fault))
  }
  return modules
}

export function wholeListingsOf(
  interactions: readonly Interaction[],
  facts: WikiFacts,
): readonly WholeListing[] {
  return [...groupBy(interactions, ({ request }) => folderOf(request)).values()].flatMap((members) =>
    readListings(members, facts)
      .all()
      .flatMap((one) => wholeListing(one) ?? []),
  )
}

/**
 * Trees in less memory, one for each side: equal keys, values and members become one object. A side is in memory as a
 * whole, and strings cut out of a file's text would otherwise keep all of that text.
 */
export class TreeInterner {
  readonly #texts = new Map<string, string>()
  readonly #strings = new Map<string, JsonTree>()
  readonly #literals = new Map<string, JsonTree>()
  readonly #members = new Map<string, Map<JsonTree, JsonMember>>()

  intern(tree: JsonTree): JsonTree {
    switch (tree.kind) {
      case 'string':
        return this.#string(tree.value)
      case 'literal':
        return shared(this.#literals, tree.text, (text) => ({ kind: 'literal', text }))
      case 'array':
        return jsonArray(tree.items.map((item) => this.intern(item)))
      case 'object':
        return objectOf(tree.members.map((member) => this.#member(member)))
    }
  }

  // Long texts are seldom equal, and cost more to look up than they save.
  #string(value: string): JsonTree {
    if (value.length > maxInternedLength) return jsonString(copyText(value))
    return shared(this.#strings, value, jsonString)
  }

  #member({ key: name, value: child }: JsonMember): JsonMember {
    const value = this.intern(child)
    const key = shared(this.#texts, name, (text) => text)
    if (value.kind === 'array' || value.kind === 'object') return { key, value }
    const byValue = getOrAdd(this.#members, key, () => new Map<JsonTree, JsonMember>())
    return getOrAdd(byValue, value, () => ({ key, value }))
  }
}

/** The one value of a text; the map must not keep the text itself, which may be cut out of a file's text. */
function shared<T>(values: Map<string, T>, text: string, make: (text: string) => T): T {
  const found = values.get(text)
  if (found !== undefined) return found
  const own = copyText(text)
  const made = make(own)
  values.set(own, made)
  return made
}

const maxInternedLength = 200

/** JavaScript engines cut strings by reference; a copy releases the text that it was cut from. */
const copyText = (text: string): string => (text.length < 13 ? text : utf16Text(Buffer.from(text, 'utf16le')))
