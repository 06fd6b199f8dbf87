/** `wikitape normalize --share ROOT` and `--self-contained`: where the descriptions of a cassette's modules are. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { CassetteStore } from '../../../store/cassette-store.ts'
import {
  shareDescriptionsOf,
  sharedPathFor,
  unshareDescriptions,
} from '../../../store/contents/description-files.ts'
import { cassettesIn } from '../../../store/files/paths-inside.ts'
import { StoreError, writing } from '../../../store/store-error.ts'
import { plural } from '../../../text/words.ts'
import { type Invocation, UsageError } from '../../args/command.ts'

/** @returns the exit code. @throws StoreError, UsageError */
export function shareBelow(root: string, call: Invocation): number {
  if (!existsSync(root)) throw new StoreError('missing', root)
  const dirs = cassettesIn(root).filter((dir) => dir !== root)
  if (dirs.length === 0)
    throw new UsageError(`there is no cassette below ${root}; name the folder that holds them`)
  let moved = 0
  for (const dir of dirs) {
    const { manifest } = CassetteStore.open(dir)
    const sharedPath = manifest.sharedDescriptions ?? sharedPathFor(dir, root, manifest)
    if (sharedPath !== undefined) moved += writing(dir, () => shareDescriptionsOf(dir, manifest, sharedPath))
  }
  const what = `${plural(moved, 'description')} of ${plural(dirs.length, 'cassette')}`
  call.stdout(`${root}: ${what} moved to ${path.join(root, 'paraminfo')}\n`)
  return 0
}

/** @returns the exit code. @throws StoreError */
export function makeSelfContained({ dir, manifest }: CassetteStore, call: Invocation): number {
  writing(dir, () => unshareDescriptions(dir, manifest))
  call.stdout(`${dir}: holds its own descriptions of modules\n`)
  return 0
}
