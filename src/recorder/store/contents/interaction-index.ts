/** The index of a cassette: keys and paths of its interactions, from the names of its files. No file is read for it. */
import { setImmediate } from 'node:timers/promises'
import { keyInFileName, paraminfoFolder } from '../../cassette/interaction-path.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { entriesIn, type FolderEntry } from '../files/paths-inside.ts'
import { PathTable, type VisitName } from './path-table.ts'

export class InteractionIndex extends PathTable {
  /** Every folder of the cassette, at any depth, when the names were read; sorted. */
  readonly allFolders: readonly string[]

  constructor(allFolders: readonly string[] = []) {
    super()
    this.allFolders = allFolders
  }

  /** Reads the names of every folder. Of two files for one key the first by path counts; `check` reports them. */
  static read(dir: string): InteractionIndex {
    const folders: string[] = []
    const index = new InteractionIndex(folders)
    for (const entry of entriesIn(dir)) {
      if (entry.kind === 'folder') folders.push(entry.path)
      const key = keyOf(entry)
      if (key !== undefined)
        index.set(key, entry.folder, entry.name, (known) => entry.path < known)
    }
    folders.sort()
    return index
  }

  /** @param file path inside the cassette, `/` as separator */
  add(key: RequestKey, file: string): void {
    const slash = file.lastIndexOf('/')
    this.set(key, file.slice(0, Math.max(0, slash)), file.slice(slash + 1))
  }
}

/** Undefined for what is no recording. A folder that is named like one is reported as a broken recording. */
const keyOf = ({ kind, folder, name }: FolderEntry) =>
  kind === 'irregular' || folder === paraminfoFolder || folder.startsWith(belowParaminfo)
    ? undefined
    : keyInFileName(name)

const belowParaminfo = `${paraminfoFolder}/`

/** The paths of all interaction files of a folder, sorted. */
export const listInteractionFiles = (dir: string): readonly string[] =>
  [...entriesIn(dir)]
    .filter((entry) => keyOf(entry) !== undefined)
    .map(({ path }) => path)
    .sort()

/** Bytes of names that are looked at before other requests get their turn: some 500 names, less than a millisecond also before they are compiled. */
const bytesPerTurn = 32 * 1024
/** Visits the names of a folder's recordings; other requests get their turn meanwhile. */
export async function visitInTurns(
  index: InteractionIndex,
  folder: string,
  visit: VisitName
): Promise<void> {
  for (let from = 0; from < index.end; ) {
    if (from > 0) await setImmediate()
    from = index.visitNames(folder, visit, from, bytesPerTurn)
  }
}
