/** The line of a value in a file of a cassette, by indentation: `writePretty` writes one member or item a line. */
import { scalarTextOf } from '../../../recorder/json/json-tree.ts'
import { readTree } from '../../../recorder/json/read-json.ts'

/** The index of a line, and how many steps of the path lead beyond it. */
interface LinePosition {
  readonly at: number
  readonly left: number
}

/**
 * @param text of an interaction's file. @param path of a sample, e.g. `query.allpages[title=Волга].length`
 * @returns the line of the value, or of the last one on the way to it that the file has
 */
export function lineInInteraction(text: string, path: string): number {
  const lines = text.split('\n')
  const steps = stepsOf(path)
  const roots = itemsNamed(lines, 'responses').flatMap((response) => {
    const [body = response] = membersNamed(lines, response, 'json')
    return [descend(lines, body, steps), descend(lines, response, steps)]
  })
  return (deepest(roots)?.at ?? 0) + 1
}

/** @param text of a module's description. @param place a parameter with its prefix, perhaps with a value: `rctoken[*]` */
export function lineInDescription(text: string, place: string): number {
  const lines = text.split('\n')
  const prefix = memberValue(lines, 0, 'prefix') ?? ''
  const names = itemsNamed(lines, 'parameters').flatMap((one) =>
    membersNamed(lines, one, 'name'),
  )
  const found = names.find(
    (at) => `${prefix}${valueAt(lines, at)}` === place.replace(/\[\*\]$/, ''),
  )
  return (found ?? 0) + 1
}

/** Names of members, and labels of items in brackets; a label may hold any character. */
const stepsOf = (path: string): readonly string[] =>
  path.match(/"(?:[^"\\]|\\.)*"|\[(?:[^\]]|\](?![.[]|$))*\]|[^.[\]]+/g) ?? []

/** As far as the steps lead. */
function descend(
  lines: readonly string[],
  at: number,
  steps: readonly string[],
): LinePosition {
  const [step, ...rest] = steps
  if (step === undefined) return { at, left: 0 }
  const found = childrenOf(lines, at).filter((child, index) =>
    isMeant(lines, child, index, step),
  )
  return (
    deepest(found.map((child) => descend(lines, child, rest))) ?? {
      at,
      left: steps.length,
    }
  )
}

const deepest = (found: readonly LinePosition[]): LinePosition | undefined =>
  found.reduce<LinePosition | undefined>(
    (a, b) => (a !== undefined && a.left <= b.left ? a : b),
    undefined,
  )

const indentOf = (line = ''): number => line.search(/\S/)

/** Where the members or items of the value begin that begins at a line. */
function childrenOf(lines: readonly string[], at: number): readonly number[] {
  const own = indentOf(lines[at])
  const inner = indentOf(lines[at + 1])
  const children: number[] = []
  for (let next = at + 1; inner > own && indentOf(lines[next]) >= inner; next += 1)
    if (indentOf(lines[next]) === inner && !/^\s*[}\]]/.test(lines[next] ?? ''))
      children.push(next)
  return children
}

/** The name before the value of a line, and the value or what opens it. */
const lineParts = /^\s*(?:("(?:[^"\\]|\\.)*"): )?(.*?),?$/
const plainText = (json = ''): string => scalarTextOf(readTree(json)) ?? json
const nameAt = (lines: readonly string[], at: number): string | undefined => {
  const name = lineParts.exec(lines[at] ?? '')?.[1]
  return name === undefined ? undefined : plainText(name)
}
const valueAt = (lines: readonly string[], at: number): string =>
  plainText(lineParts.exec(lines[at] ?? '')?.[2])
const membersNamed = (
  lines: readonly string[],
  at: number,
  name: string,
): readonly number[] => childrenOf(lines, at).filter((one) => nameAt(lines, one) === name)
/** The items of a list at the top of the file. */
const itemsNamed = (lines: readonly string[], name: string): readonly number[] =>
  membersNamed(lines, 0, name).flatMap((at) => childrenOf(lines, at))
const memberValue = (
  lines: readonly string[],
  at: number,
  name: string,
): string | undefined =>
  membersNamed(lines, at, name).map((member) => valueAt(lines, member))[0]

/** Whether a step names the member or item: `[*]` any, `[title=Волга]` by a member, `[writeapi]` by the value, `[7]` by name. */
function isMeant(
  lines: readonly string[],
  at: number,
  index: number,
  step: string,
): boolean {
  const name = nameAt(lines, at) ?? String(index)
  if (!step.startsWith('[')) return name === step || JSON.stringify(name) === step
  const label = step.slice(1, -1)
  const [, names = '', value] = /^([^=]+)=(.*)$/su.exec(label) ?? []
  const keys = names.split('+').map((one) => memberValue(lines, at, one))
  return (
    label === '*' ||
    name === label ||
    valueAt(lines, at) === label ||
    keys.join(', ') === value
  )
}
