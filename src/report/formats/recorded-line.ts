/** The line of a value in a file of a cassette: one member or item a line, as `writePretty` writes it. */
import { type JsonTree, memberOf, scalarTextOf } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'

/** A value found, the line where it begins, and how many steps of the path lead beyond it. */
interface LinePosition {
  readonly line: number
  readonly left: number
}

/**
 * @param text of an interaction's file. @param path of a sample, e.g. `query.allpages[title=Волга].length`
 * @returns the line of the value, or of the last one on the way to it that the file has
 */
export function lineInInteraction(text: string, path: string): number {
  const steps = stepsOf(path)
  const [responses, line] = childOf(readTree(text), 1, 'responses')
  const roots = children(responses, line).flatMap(({ tree, line }) => {
    const [body, bodyLine] = childOf(tree, line, 'json')
    return [descend(body, bodyLine, steps), descend(tree, line, steps)]
  })
  return deepest(roots)?.line ?? 1
}

/** @param text of a module's description. @param place a parameter with its prefix, perhaps with a value: `rctoken[*]` */
export function lineInDescription(text: string, place: string): number {
  const tree = readTree(text)
  const prefix = scalarTextOf(memberOf(tree, 'prefix')) ?? ''
  const [parameters, line] = childOf(tree, 1, 'parameters')
  const name = place.replace(/\[\*\]$/, '')
  const found = children(parameters, line).find(
    (one) => prefix + scalarTextOf(memberOf(one.tree, 'name')) === name,
  )
  return childOf(found?.tree, found?.line ?? 1, 'name')[1]
}

/** Names of members, and labels of items in brackets; a label may hold any character. */
const stepsOf = (path: string): readonly string[] =>
  path.match(/"(?:[^"\\]|\\.)*"|\[(?:[^\]]|\](?![.[]|$))*\]|[^.[\]]+/g) ?? []

/** As far as the steps lead. */
function descend(tree: JsonTree | undefined, line: number, steps: readonly string[]): LinePosition {
  const [step, ...rest] = steps
  if (step === undefined) return { line, left: 0 }
  const found = children(tree, line)
    .filter((one) => isMeant(one, step))
    .map((one) => descend(one.tree, one.line, rest))
  return deepest(found) ?? { line, left: steps.length }
}

const deepest = (found: readonly LinePosition[]): LinePosition | undefined =>
  found.reduce<LinePosition | undefined>((a, b) => (a !== undefined && a.left <= b.left ? a : b), undefined)

/** A member or an item, and the line where it begins. */
interface Child {
  readonly name: string
  readonly tree: JsonTree
  readonly line: number
}

function children(tree: JsonTree | undefined, line: number): readonly Child[] {
  if (tree?.kind !== 'object' && tree?.kind !== 'array') return []
  const named =
    tree.kind === 'object'
      ? tree.members.map(({ key, value }) => [key, value] as const)
      : tree.items.map((item, at) => [String(at), item] as const)
  let next = line + 1
  return named.map(([name, one]) => {
    const start = next
    next += lineCount(one)
    return { name, tree: one, line: start }
  })
}

function childOf(
  tree: JsonTree | undefined,
  line: number,
  name: string,
): readonly [JsonTree | undefined, number] {
  const found = children(tree, line).find((one) => one.name === name)
  return [found?.tree, found?.line ?? line]
}

function lineCount(tree: JsonTree): number {
  const inner =
    tree.kind === 'object' ? tree.members.map(({ value }) => value) : tree.kind === 'array' ? tree.items : []
  return inner.length === 0 ? 1 : inner.reduce((sum, one) => sum + lineCount(one), 2)
}

/** Whether a step names the member or item: `[*]` any, `[title=Волга]` by a member, `[writeapi]` by the value, `[7]` by name. */
function isMeant({ name, tree }: Child, step: string): boolean {
  if (!step.startsWith('[')) return name === step || JSON.stringify(name) === step
  const label = step.slice(1, -1)
  const [, names = '', value] = /^([^=]+)=(.*)$/su.exec(label) ?? []
  const isKeyed =
    value !== undefined &&
    names
      .split('+')
      .map((one) => scalarTextOf(memberOf(tree, one)))
      .join(', ') === value
  return label === '*' || name === label || scalarTextOf(tree) === label || isKeyed
}
