/** Descriptions of modules that a client asked for itself: their text for people, beside what they promise (`../contract`). */
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { itemPath, memberPath, type Path, pathOf } from '../changes/path.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

/** Tells help that came or went, of modules that both answers describe; its wording is nobody's contract. */
export function compareHelp(a: JsonTree, b: JsonTree, walk: TreeWalk): void {
  const inB = new Map(itemsOf(memberAt(b, ...modulesPath)).map((one) => [nameOf(one), one]))
  for (const before of itemsOf(memberAt(a, ...modulesPath))) {
    const after = inB.get(nameOf(before))
    if (after !== undefined)
      compareHelpOf(before, after, itemPath(pathOf(...modulesPath), nameOf(before)), walk)
  }
}

const modulesPath = ['paraminfo', 'modules'] as const

const nameOf = (module: JsonTree): string =>
  textOf(memberOf(module, 'path')) ?? textOf(memberOf(module, 'name')) ?? ''

function compareHelpOf(a: JsonTree, b: JsonTree, path: Path, walk: TreeWalk): void {
  const [before, after] = [memberOf(a, 'description'), memberOf(b, 'description')]
  if ((before === undefined) === (after === undefined)) return
  const kind = after === undefined ? 'field.removed' : 'field.added'
  walk.emit(kind, memberPath(path, 'description'), { before, after })
}
