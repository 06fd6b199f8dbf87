/** Two versions of one `cassette.json` into one: what either side learned of the wiki. */

import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  memberOf,
  membersOf,
  numberOf,
  sameTree,
  textOf,
} from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { decodeManifest, encodeManifest, type Manifest } from '../format/manifest.ts'
import { mergeByName, type ThreeWayMerge, type ValueMerger } from './three-way-merge.ts'

export interface MergedManifest {
  /** Holds what the first side says where the two contradict each other. */
  readonly manifest: Manifest
  /** Members that do, e.g. `engine`. */
  readonly conflicts: readonly string[]
}

/** @param base what both sides began with; undefined where each began anew */
export function mergeManifests(base: Manifest | undefined, ours: Manifest, theirs: Manifest): MergedManifest {
  const { merged, conflicts } = mergeByName(
    base && knownMembers(base),
    knownMembers(ours),
    knownMembers(theirs),
    {
      same: sameTree,
      join: joinMember,
    },
  )
  const reading = decodeManifest(JSON.parse(writeCompact(jsonObject([...merged]), 'utf8')))
  return { manifest: reading.kind === 'manifest' ? reading.manifest : ours, conflicts }
}

/** An empty text is a fact that is not known yet. */
const knownMembers = (manifest: Manifest): ReadonlyMap<string, JsonTree> =>
  new Map(
    membersOf(encodeManifest(manifest)).flatMap(({ key, value }) =>
      textOf(value) === '' ? [] : [[key, value] as const],
    ),
  )

function joinMember(
  name: string,
  base: JsonTree | undefined,
  ours: JsonTree,
  theirs: JsonTree,
): JsonTree | undefined {
  // What two sides hold together is as old as the older of them.
  if (name === 'recorded') return (textOf(ours) ?? '') < (textOf(theirs) ?? '') ? ours : theirs
  if (name === 'sessionCookies') return joinTexts(base, ours, theirs)
  return name === 'site' ? joinObjects(base, ours, theirs, joinSite) : undefined
}

type JoinMember = NonNullable<ValueMerger<JsonTree>['join']>

const joinSite: JoinMember = (name, base, ours, theirs) =>
  name === 'namespaces' ? joinNamespaces(base, ours, theirs) : undefined

const joinObjects = (
  base: JsonTree | undefined,
  ours: JsonTree,
  theirs: JsonTree,
  join: JoinMember,
): JsonTree | undefined =>
  unlessConflicting(
    mergeByName(base && byName(base), byName(ours), byName(theirs), { same: sameTree, join }),
    (merged) => jsonObject([...merged].sort(([a], [b]) => (a < b ? -1 : 1))),
  )

const byName = (tree: JsonTree): ReadonlyMap<string, JsonTree> =>
  new Map(membersOf(tree).map(({ key, value }) => [key, value]))

/** An extension adds namespaces, and an administrator aliases: each side may have met other ones. */
const joinNamespaces = (base: JsonTree | undefined, ours: JsonTree, theirs: JsonTree): JsonTree | undefined =>
  unlessConflicting(
    mergeByName(base && byId(base), byId(ours), byId(theirs), {
      same: sameTree,
      join: (_, ...three) => joinObjects(...three, joinNamespace),
    }),
    (merged) => jsonArray([...merged.values()].sort((a, b) => idOf(a) - idOf(b))),
  )

const idOf = (namespace: JsonTree): number => numberOf(memberOf(namespace, 'id')) ?? 0
const byId = (tree: JsonTree): ReadonlyMap<string, JsonTree> =>
  new Map(itemsOf(tree).map((one) => [String(idOf(one)), one]))

const joinNamespace: JoinMember = (name, base, ours, theirs) =>
  name === 'aliases' ? joinTexts(base, ours, theirs) : undefined

const joinTexts = (base: JsonTree | undefined, ours: JsonTree, theirs: JsonTree): JsonTree | undefined =>
  unlessConflicting(
    mergeByName(base && byText(base), byText(ours), byText(theirs), { same: sameTree }),
    (merged) => jsonArray([...merged.values()]),
  )

const byText = (tree: JsonTree): ReadonlyMap<string, JsonTree> =>
  new Map(itemsOf(tree).map((one) => [textOf(one) ?? '', one]))

const unlessConflicting = <T>(
  { merged, conflicts }: ThreeWayMerge<T>,
  build: (merged: ReadonlyMap<string, T>) => JsonTree,
): JsonTree | undefined => (conflicts.length === 0 ? build(merged) : undefined)
