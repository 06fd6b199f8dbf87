/** A cassette read whole, as drift compares it. */

import path from 'node:path'
import type { PageStates } from '../cassette/format/pages-file.ts'
import type { Interaction, RecordedResponse } from '../cassette/interaction.ts'
import { folderOf, paraminfoFolder } from '../cassette/interaction-path.ts'
import type { CassetteSide, WholeListing } from '../drift/inputs/cassette-side.ts'
import { TreeInterner } from '../drift/inputs/tree-interner.ts'
import { wikiFactsOf } from '../engine/wiki-facts.ts'
import { memberOf, textOf } from '../json/json-tree.ts'
import { toPlain } from '../json/plain-json.ts'
import { readJson } from '../json/read-json.ts'
import { readListings } from '../paging/joining/listings.ts'
import type { WikiFacts } from '../request/derive.ts'
import { CassetteStore } from '../store/cassette-store.ts'
import { describedFiles } from '../store/files/paths-inside.ts'
import { readText } from '../store/files/whole-files.ts'
import { StoreError } from '../store/store-error.ts'
import { groupBy } from '../text/group-by.ts'
import { describedByField } from '../wiki/modules/bundled-modules.ts'
import { wholeListing } from './whole-listing.ts'

/** A cassette on disk with everything it holds in memory. */
export interface LoadedSide {
  readonly dir: string
  readonly side: CassetteSide
  readonly facts: WikiFacts
}

/** What cannot be read becomes a fault of the side: the comparison is then a partial one. @throws StoreError */
export function loadSide(dir: string, name: string = dir): LoadedSide {
  const store = CassetteStore.open(dir)
  const { interactions, faults } = readInteractions(store)
  const facts = wikiFactsOf(store)
  const { modules, broken } = readModules(dir)
  // Descriptions decide what a parameter means: without them no listing can be told.
  const listings = broken.length === 0 ? wholeListingsOf(interactions, facts) : []
  const { pages, pageFaults } = readPages(store)
  const side = {
    name,
    manifest: store.manifest,
    interactions,
    modules,
    listings,
    pages,
    faults: [...faults, ...broken, ...pageFaults],
  }
  return { dir, side, facts }
}

function readInteractions(store: CassetteStore): {
  readonly interactions: Interaction[]
  readonly faults: string[]
} {
  const interactions: Interaction[] = []
  const faults: string[] = []
  const interner = new TreeInterner()
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'found') interactions.push(internTrees(found.interaction, interner))
    else if (found.kind === 'absent') faults.push(`${file} is gone`)
    else {
      const { line, column, message } = found.fault
      faults.push(`${path.relative(store.dir, found.path)}:${line}:${column}: ${message}`)
    }
  }
  return { interactions, faults }
}

/** The same in less memory. */
function internTrees(interaction: Interaction, interner: TreeInterner): Interaction {
  const response = (one: RecordedResponse): RecordedResponse =>
    one.body.kind === 'json' ? { ...one, body: { ...one.body, tree: interner.intern(one.body.tree) } } : one
  const [first, ...more] = interaction.responses
  const { key, request, sentValues, falseAlarms } = interaction
  const responses = [response(first), ...more.map(response)] as const
  return { key, request, sentValues, ...(falseAlarms && { falseAlarms }), responses }
}

/** Without them a comparison takes edits for changes of the software: so that is told. */
function readPages(store: CassetteStore): {
  readonly pages: PageStates
  readonly pageFaults: readonly string[]
} {
  try {
    return { pages: store.pageStates(), pageFaults: [] }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { pages: new Map(), pageFaults: [error.message] }
  }
}

/** The folder of a cassette that holds what the wiki says of its modules. */
function readModules(dir: string): {
  readonly modules: ReadonlyMap<string, unknown>
  readonly broken: readonly string[]
} {
  const modules = new Map<string, unknown>()
  const broken: string[] = []
  for (const name of describedFiles(dir)) {
    const reading = readJson(readText(path.join(dir, paraminfoFolder, name)) ?? '')
    const module = reading.ok ? textOf(memberOf(reading.tree, 'path')) : undefined
    // What wikitape brought along is not what the wiki says of itself.
    if (reading.ok && memberOf(reading.tree, describedByField) !== undefined) continue
    if (reading.ok && module !== undefined) modules.set(module, toPlain(reading.tree))
    else {
      const { line, column, message } = reading.ok
        ? { line: 1, column: 1, message: 'expected an object with a "path"' }
        : reading.fault
      broken.push(`${paraminfoFolder}/${name}:${line}:${column}: ${message}`)
    }
  }
  return { modules, broken }
}

function wholeListingsOf(interactions: readonly Interaction[], facts: WikiFacts): readonly WholeListing[] {
  return [...groupBy(interactions, ({ request }) => folderOf(request)).values()].flatMap((members) =>
    readListings(members, facts)
      .all()
      .flatMap((one) => wholeListing(one) ?? []),
  )
}
