/** Three-way merge of named values, and so of `cassette.json`: what one side changed is taken, and what both changed alike. */
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  memberOf,
  membersOf,
  numberOf,
  sameTree,
  textOf
} from '../../json/json-tree.ts'
import { toPlain } from '../../json/plain-json.ts'
import { writeCompact } from '../../json/write-json.ts'
import { decodeManifest, encodeManifest, type Manifest } from '../format/manifest.ts'

/**
 * @param base the common ancestor, if there is one
 * @returns the first side's values where the two contradict each other; `conflicts` are the members that do, e.g. `engine`
 */
export function mergeManifests(
  base: Manifest | undefined,
  ours: Manifest,
  theirs: Manifest
): { readonly manifest: Manifest; readonly conflicts: readonly string[] } {
  const { merged, conflicts } = mergeByName(
    base && knownMembers(base),
    knownMembers(ours),
    knownMembers(theirs),
    sameTree,
    (name, ...versions) => memberJoins.get(name)?.(...versions)
  )
  const reading = decodeManifest(toPlain(jsonObject([...merged])))
  return { manifest: reading.kind === 'manifest' ? reading.manifest : ours, conflicts }
}

type NamedTrees = ReadonlyMap<string, JsonTree>

const byName = (tree: JsonTree) =>
  new Map(membersOf(tree).map(({ key, value }) => [key, value]))

/** Without empty texts, which stand for what is not known yet. */
const knownMembers = (manifest: Manifest) =>
  new Map(
    [...byName(encodeManifest(manifest))].filter(([, value]) => textOf(value) !== '')
  )

/** One value for two that differ; undefined where they contradict each other. */
type JoinTrees = (
  base: JsonTree | undefined,
  ours: JsonTree,
  theirs: JsonTree
) => JsonTree | undefined

/** Joins what a value consists of, by name. @param joinOf how two parts of a name that differ are joined, if at all */
const joinParts =
  (
    partsOf: (tree: JsonTree) => NamedTrees,
    build: (parts: NamedTrees) => JsonTree,
    joinOf: (name: string) => JoinTrees | undefined = () => undefined
  ): JoinTrees =>
  (base, ours, theirs) => {
    const old = base && partsOf(base)
    const one = partsOf(ours)
    const other = partsOf(theirs)
    const { merged, conflicts } = mergeByName(
      old,
      one,
      other,
      sameTree,
      (name, ...versions) => joinOf(name)?.(...versions)
    )
    return conflicts.length === 0 ? build(merged) : undefined
  }

const sortedObject = (members: NamedTrees) =>
  jsonObject([...members].sort(([a], [b]) => (a < b ? -1 : 1)))
const idOf = (namespace: JsonTree) => numberOf(memberOf(namespace, 'id')) ?? 0

const joinTexts = joinParts(
  (tree) => new Map(itemsOf(tree).map((one) => [textOf(one) ?? '', one])),
  (texts) => jsonArray([...texts.values()])
)
const joinCallers = joinParts(
  (tree) => new Map(itemsOf(tree).map((one) => [writeCompact(one, 'utf8'), one])),
  (callers) => jsonArray([...callers.values()])
)
const joinNamespace = joinParts(byName, sortedObject, (name) =>
  name === 'aliases' ? joinTexts : undefined
)
/** Extensions add namespaces, administrators add aliases: each side may have recorded other ones. */
const joinNamespaces = joinParts(
  (tree) => new Map(itemsOf(tree).map((one) => [String(idOf(one)), one])),
  (namespaces) => jsonArray([...namespaces.values()].sort((a, b) => idOf(a) - idOf(b))),
  () => joinNamespace
)

/** Of two moments of one wiki either will do. */
const takeOurs: JoinTrees = (_, ours) => ours
const siteJoins: ReadonlyMap<string, JoinTrees> = new Map([
  ['configuration', takeOurs],
  ['namespaces', joinNamespaces],
  ['statistics', takeOurs]
])

const memberJoins: ReadonlyMap<string, JoinTrees> = new Map<string, JoinTrees>([
  // What two sides hold together is as old as the older of them.
  [
    'recorded',
    (_, ours, theirs) => ((textOf(ours) ?? '') < (textOf(theirs) ?? '') ? ours : theirs)
  ],
  ['callers', joinCallers],
  ['sessionCookies', joinTexts],
  ['site', joinParts(byName, sortedObject, (name) => siteJoins.get(name))]
])

export interface ThreeWayMerge<T> {
  /** In the order of the first side, then what only the other one has. */
  readonly merged: ReadonlyMap<string, T>
  /** Names that both sides changed differently; `merged` holds the first side's values. */
  readonly conflicts: readonly string[]
}

/** The side to take where at most one side changed the value, or both alike. A value that is undefined is not there. */
export function changedSide<T>(
  [base, ours, theirs]: readonly [T | undefined, T | undefined, T | undefined],
  same: (a: T, b: T) => boolean
): 'ours' | 'theirs' | undefined {
  const isSame = (a: T | undefined, b: T | undefined) =>
    a === undefined || b === undefined ? a === b : same(a, b)
  if (isSame(ours, theirs) || isSame(base, theirs)) return 'ours'
  return isSame(base, ours) ? 'theirs' : undefined
}

/**
 * @param base the common ancestor, if there is one
 * @param join one value for two that both sides changed; undefined where they contradict each other
 */
export function mergeByName<T>(
  base: ReadonlyMap<string, T> | undefined,
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  same: (a: T, b: T) => boolean,
  join?: (name: string, base: T | undefined, ours: T, theirs: T) => T | undefined
): ThreeWayMerge<T> {
  const merged = new Map<string, T>()
  const conflicts: string[] = []
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const old = base?.get(name)
    const one = ours.get(name)
    const other = theirs.get(name)
    const side = changedSide([old, one, other], same)
    // Where one side removed what the other one changed, they contradict each other too.
    const isJoinable = side === undefined && one !== undefined && other !== undefined
    const joined = isJoinable ? join?.(name, old, one, other) : undefined
    if (side === undefined && joined === undefined) conflicts.push(name)
    const value = { ours: one, theirs: other, none: joined ?? one ?? other }[
      side ?? 'none'
    ]
    if (value !== undefined) merged.set(name, value)
  }
  return { merged, conflicts }
}
