/** Engine and extensions of two wikis, compared. */
import { type Change, newChange } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { itemPath, pathOf } from '../changes/path.ts'
import type { CassetteSide } from '../inputs/cassette-side.ts'
import { engineOf, extensionsOf } from '../inputs/siteinfo.ts'

export function compareSites(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const changes: Change[] = []
  const [engineA, engineB] = [engineOf(a), engineOf(b)]
  if (engineA !== '' && engineB !== '' && engineA !== engineB)
    changes.push(siteChange('engine.changed', 'MediaWiki', engineA, engineB))
  const [inA, inB] = [extensionsOf(a), extensionsOf(b)]
  if (inA === undefined || inB === undefined) return changes
  for (const [name, version] of inA)
    if (!inB.has(name)) changes.push(siteChange('extension.removed', name, version, undefined))
  for (const [name, version] of inB)
    if (!inA.has(name)) changes.push(siteChange('extension.added', name, undefined, version))
  return changes
}

function siteChange(kind: Kind, name: string, before: string | undefined, after: string | undefined): Change {
  const path = kind === 'engine.changed' ? pathOf('engine') : itemPath(pathOf('extensions'), name)
  const note = before === undefined || after === undefined ? '' : `${before} → ${after}`
  return newChange(kind, path, { scope: 'siteinfo', before, after, note })
}
