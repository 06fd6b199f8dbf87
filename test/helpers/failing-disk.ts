/** A disk that refuses one operation: the first, the second, and so on, whichever it is. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const refused = [
  'accessSync',
  'closeSync',
  'fsyncSync',
  'lstatSync',
  'mkdirSync',
  'openSync',
  'readFileSync',
  'readdirSync',
  'renameSync',
  'realpathSync',
  'rmSync',
  'statSync',
  'writeFileSync',
] as const

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
  run: () => Promise<void>,
): Promise<number> {
  let count = 0
  const whole = new Map(refused.map((name) => [name, Reflect.get(fs, name)] as const))
  for (const [name, act] of whole) {
    Reflect.set(fs, name, (...args: readonly unknown[]): unknown => {
      if (typeof args[0] === 'string' && !args[0].startsWith(folder)) return Reflect.apply(act, fs, args)
      count += 1
      if (count !== at) return Reflect.apply(act, fs, args)
      // A full disk takes half of a file.
      if (name === 'writeFileSync') Reflect.apply(act, fs, [args[0], 'half', ...args.slice(2)])
      throw Object.assign(new Error(`${code}: refused, ${name}`), { code, syscall: name })
    })
  }
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    for (const [name, act] of whole) Reflect.set(fs, name, act)
    syncBuiltinESMExports()
  }
  return count
}
