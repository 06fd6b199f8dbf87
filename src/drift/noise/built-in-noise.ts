/** Rules of our own for what differs without meaning, and the class of a single value. */
import { type JsonTree, textOf } from '../../recorder/json/json-tree.ts'
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import { type Change, fieldOf } from '../changes/change.ts'
import { kinds } from '../changes/kinds.ts'
import { typeOf } from '../members/sample-shape.ts'
import { lexicalClassOf } from '../trees/value-classes.ts'

interface NoiseTable {
  /** Each a name, and patterns of the texts of a change. */
  readonly rules: readonly ({ readonly name: string } & Partial<ChangeTexts>)[]
}

const rules = (dataFile('noise-rules') as NoiseTable).rules.map(({ name, ...texts }) => ({
  name,
  patterns: Object.entries(texts).map(
    ([of, pattern]) => [of as keyof ChangeTexts, new RegExp(pattern)] as const
  )
}))

type ChangeTexts = ReturnType<typeof textsOf>

const textsOf = ({ kind, axis, scope, path, before, after }: Change, place: string) => ({
  kind: kind as string,
  traits: [...kinds[kind].traits].join(' '),
  axis: axis as string,
  scope,
  field: fieldOf(path),
  place,
  classes: [before, after].map((one) => lexicalClassOf(textOf(one) ?? '')).join()
})

/** Name of the built-in rule that explains a change; no profile has to list what it covers. */
export function builtInRule(change: Change, place: string): string | undefined {
  const texts = textsOf(change, place)
  return rules.find(({ patterns }) =>
    patterns.every(([of, pattern]) => pattern.test(texts[of]))
  )?.name
}

/** The class of a single value; `container` for what must never be learned. */
export function valueClassOf(tree: JsonTree | undefined): string {
  if (tree?.kind === 'string') return lexicalClassOf(tree.value)
  return tree?.kind === 'literal' ? typeOf(tree) : 'container'
}
