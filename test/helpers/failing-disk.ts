/** A disk that refuses one operation: the first, the second, and so on, whichever it is. */
import { hookFileOperations } from './file-operations.mjs'

/** Whether a file is there is no question that fails. */
const neverRefused: ReadonlySet<string> = new Set(['existsSync'])

export interface Refusal {
  /** Counted from 1; beyond the last nothing is refused. */
  readonly at: number
  readonly code: 'ENOSPC' | 'EIO' | 'EMFILE' | 'EACCES'
  /** Operations elsewhere are left alone. */
  readonly folder: string
}

/** Runs something on such a disk. @returns how many operations there were, the refused one included */
export async function onFailingDisk(
  { at, code, folder }: Refusal,
  run: () => Promise<void>
): Promise<number> {
  let count = 0
  const putBack = hookFileOperations(folder, (name, args, original) => {
    if (neverRefused.has(name)) return original(...args)
    count += 1
    if (count !== at) return original(...args)
    // A full disk takes half of a file.
    if (name === 'writeFileSync') original(args[0], 'half', ...args.slice(2))
    throw Object.assign(new Error(`${code}: refused, ${name}`), { code, syscall: name })
  })
  try {
    await run()
  } finally {
    putBack()
  }
  return count
}
