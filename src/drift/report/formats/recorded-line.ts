/** The line of a value in a file of a cassette. */
import {
  itemsAt,
  itemsOf,
  type JsonTree,
  memberOf,
  scalarTextOf,
  textAt,
  textOf
} from '../../../recorder/json/json-tree.ts'
import { readTree } from '../../../recorder/json/read-json.ts'
import { Tokenizer } from '../../../recorder/json/tokenizer.ts'

/** A value on the way to another; `left` is how many steps of the path lead beyond it. */
interface Reached {
  readonly tree: JsonTree
  readonly left: number
}

/**
 * @param text of an interaction's file. @param path of a sample, e.g. `query.allpages[title=Волга].length`
 * @returns the line of the value, or of the last one on the way to it that the file has
 */
export function lineInInteraction(text: string, path: string): number {
  const file = readTree(text)
  const steps = stepsOf(path)
  const reached = itemsAt(file, 'responses').flatMap((response) => [
    descend(memberOf(response, 'json') ?? response, steps),
    descend(response, steps)
  ])
  return lineOf(text, file, deepest(reached)?.tree)
}

/** @param text of a module's description. @param place a parameter with its prefix, perhaps with a value: `rctoken[*]` */
export function lineInDescription(text: string, place: string): number {
  const file = readTree(text)
  const prefix = textAt(file, 'prefix') ?? ''
  const names = itemsAt(file, 'parameters').flatMap((one) => memberOf(one, 'name') ?? [])
  const param = place.replace(/\[\*\]$/, '')
  return lineOf(
    text,
    file,
    names.find((name) => prefix + textOf(name) === param)
  )
}

/** Names of members, and labels of items in brackets; a label may hold any character. */
const stepsOf = (path: string) =>
  path.match(/"(?:[^"\\]|\\.)*"|\[(?:[^\]]|\](?![.[]|$))*\]|[^.[\]]+/g) ?? []

/** As far as the steps lead. */
function descend(tree: JsonTree, steps: readonly string[]): Reached {
  const [step, ...rest] = steps
  if (step === undefined) return { tree, left: 0 }
  const inner = itemsOf(tree).filter((one, at) => {
    const name = tree.kind === 'object' ? tree.members[at]?.key : undefined
    return isMeant(one, name ?? String(at), step)
  })
  return deepest(inner.map((one) => descend(one, rest))) ?? { tree, left: steps.length }
}

/** The first of those from which the fewest steps are left. */
const deepest = (found: readonly Reached[]) =>
  found.toSorted((a, b) => a.left - b.left)[0]

/** Whether a step names the value: `[*]` any, `[title=Волга]` by a member, `[writeapi]` by the value, `[7]` by name. */
function isMeant(tree: JsonTree, name: string, step: string) {
  if (!step.startsWith('[')) return name === step || JSON.stringify(name) === step
  const label = step.slice(1, -1)
  const [, names = '', value] = /^([^=]+)=(.*)$/su.exec(label) ?? []
  const keys = names.split('+').map((one) => scalarTextOf(memberOf(tree, one)))
  return ['*', name, scalarTextOf(tree)].includes(label) || keys.join(', ') === value
}

/** The first line if there is no such value. */
function lineOf(text: string, file: JsonTree | undefined, tree?: JsonTree) {
  if (!file || !tree) return 1
  const starts: number[] = []
  const add = (at: number) => void starts.push(at)
  const visitor = {
    begin: (_: string, at: number) => add(at),
    string: (_: string, from: number) => add(from),
    literal: add
  }
  new Tokenizer(text, visitor).readAll()
  const start = starts[valuesOf(file).indexOf(tree)]
  return text.slice(0, start).split('\n').length
}

/** The value and all that it holds, in the order of the file. */
const valuesOf = (tree: JsonTree): readonly JsonTree[] => [
  tree,
  ...itemsOf(tree).flatMap(valuesOf)
]
