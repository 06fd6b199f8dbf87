/** Help texts in answers to action=paraminfo: whether a module has one. The rest of a description: `../contract/`. */
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { itemPath, memberPath, pathOf } from '../changes/path.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

export function compareHelp(a: JsonTree, b: JsonTree, walk: TreeWalk): void {
  const inB = new Map(modulesIn(b).map((one) => [nameOf(one), one]))
  for (const one of modulesIn(a)) {
    const other = inB.get(nameOf(one))
    const [before, after] = [one, other].map((module) => memberOf(module, 'description'))
    if (other === undefined || (before === undefined) === (after === undefined)) continue
    const path = memberPath(itemPath(pathOf('paraminfo', 'modules'), nameOf(one)), 'description')
    walk.emit(after === undefined ? 'field.removed' : 'field.added', path, { before, after })
  }
}

const modulesIn = (answer: JsonTree): readonly JsonTree[] => itemsOf(memberAt(answer, 'paraminfo', 'modules'))

const nameOf = (module: JsonTree): string =>
  textOf(memberOf(module, 'path')) ?? textOf(memberOf(module, 'name')) ?? ''
