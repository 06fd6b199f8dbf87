/** Three-way merge of `cassette.json`: what either side learned about the wiki. */
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
import { toPlain } from '../../json/plain-json.ts'
import { decodeManifest, encodeManifest, type Manifest } from '../format/manifest.ts'
import { mergeByName } from './three-way-merge.ts'

export interface MergedManifest {
  /** With the first side's values where the two contradict each other. */
  readonly manifest: Manifest
  /** Members that do, e.g. `engine`. */
  readonly conflicts: readonly string[]
}

/** @param base the common ancestor, if there is one */
export function mergeManifests(base: Manifest | undefined, ours: Manifest, theirs: Manifest): MergedManifest {
  const { merged, conflicts } = mergeByName(
    base && knownMembers(base),
    knownMembers(ours),
    knownMembers(theirs),
    { same: sameTree, join: (name, ...versions) => memberJoins.get(name)?.(...versions) },
  )
  const reading = decodeManifest(toPlain(jsonObject([...merged])))
  return { manifest: reading.kind === 'manifest' ? reading.manifest : ours, conflicts }
}

type NamedTrees = ReadonlyMap<string, JsonTree>

const byName = (tree: JsonTree): NamedTrees => new Map(membersOf(tree).map(({ key, value }) => [key, value]))

/** Without empty texts, which stand for what is not known yet. */
const knownMembers = (manifest: Manifest): NamedTrees =>
  new Map([...byName(encodeManifest(manifest))].filter(([, value]) => textOf(value) !== ''))

/** One value for two that differ; undefined where they contradict each other. */
type JoinTrees = (base: JsonTree | undefined, ours: JsonTree, theirs: JsonTree) => JsonTree | undefined

/** Joins what a value consists of, by name. @param joinOf how two parts of a name that differ are joined, if at all */
const joinParts =
  (
    partsOf: (tree: JsonTree) => NamedTrees,
    build: (parts: NamedTrees) => JsonTree,
    joinOf: (name: string) => JoinTrees | undefined = () => undefined,
  ): JoinTrees =>
  (base, ours, theirs) => {
    const { merged, conflicts } = mergeByName(base && partsOf(base), partsOf(ours), partsOf(theirs), {
      same: sameTree,
      join: (name, ...versions) => joinOf(name)?.(...versions),
    })
    return conflicts.length === 0 ? build(merged) : undefined
  }

const sortedObject = (members: NamedTrees): JsonTree =>
  jsonObject([...members].sort(([a], [b]) => (a < b ? -1 : 1)))
const idOf = (namespace: JsonTree): number => numberOf(memberOf(namespace, 'id')) ?? 0

const joinTexts = joinParts(
  (tree) => new Map(itemsOf(tree).map((one) => [textOf(one) ?? '', one])),
  (texts) => jsonArray([...texts.values()]),
)
const joinNamespace = joinParts(byName, sortedObject, (name) => (name === 'aliases' ? joinTexts : undefined))
/** Extensions add namespaces, administrators add aliases: each side may have recorded other ones. */
const joinNamespaces = joinParts(
  (tree) => new Map(itemsOf(tree).map((one) => [String(idOf(one)), one])),
  (namespaces) => jsonArray([...namespaces.values()].sort((a, b) => idOf(a) - idOf(b))),
  () => joinNamespace,
)

/** Of two moments of one wiki either will do. */
const takeOurs: JoinTrees = (_, ours) => ours
const siteJoins: ReadonlyMap<string, JoinTrees> = new Map([
  ['configuration', takeOurs],
  ['namespaces', joinNamespaces],
  ['statistics', takeOurs],
])

const memberJoins: ReadonlyMap<string, JoinTrees> = new Map<string, JoinTrees>([
  // What two sides hold together is as old as the older of them.
  ['recorded', (_, ours, theirs) => ((textOf(ours) ?? '') < (textOf(theirs) ?? '') ? ours : theirs)],
  ['sessionCookies', joinTexts],
  ['site', joinParts(byName, sortedObject, (name) => siteJoins.get(name))],
])
