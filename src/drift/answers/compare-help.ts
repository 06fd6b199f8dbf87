/** Descriptions of modules that a client asked for itself: their text for people, beside what they promise (`../contract`). */
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { itemPath, memberPath, type Path, pathOf } from '../changes/path.ts'
import type { Walk } from '../members/tree-walk.ts'

/** Tells help that came or went, of modules that both answers describe; its wording is nobody's contract. */
export function compareHelp(a: JsonTree, b: JsonTree, walk: Walk): void {
  const inB = new Map(itemsOf(memberAt(b, ...place)).map((one) => [nameOf(one), one]))
  for (const before of itemsOf(memberAt(a, ...place))) {
    const after = inB.get(nameOf(before))
    if (after !== undefined) compareOne(before, after, itemPath(pathOf(...place), nameOf(before)), walk)
  }
}

const place = ['paraminfo', 'modules'] as const

const nameOf = (module: JsonTree): string =>
  textOf(memberOf(module, 'path')) ?? textOf(memberOf(module, 'name')) ?? ''

function compareOne(a: JsonTree, b: JsonTree, path: Path, walk: Walk): void {
  const [before, after] = [memberOf(a, 'description'), memberOf(b, 'description')]
  if ((before === undefined) === (after === undefined)) return
  const kind = after === undefined ? 'field.removed' : 'field.added'
  walk.emit(kind, memberPath(path, 'description'), { before, after })
}
