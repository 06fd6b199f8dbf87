/** The file operations that wikitape does, for those who count, refuse or end them (`Reflect.set` on `node:fs`). */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const names = /** @type {const} */ ([
  'accessSync',
  'closeSync',
  'copyFileSync',
  'cpSync',
  'existsSync',
  'fsyncSync',
  'linkSync',
  'lstatSync',
  'mkdirSync',
  'openSync',
  'readFileSync',
  'readSync',
  'readdirSync',
  'realpathSync',
  'renameSync',
  'rmSync',
  'statSync',
  'writeFileSync'
])

/**
 * Has each operation on a file of this folder, or on one that is open, done by `act` instead; it is given the operation
 * itself to go on with.
 * @param {string} folder
 * @param {(name: typeof names[number], args: readonly unknown[], original: (...args: readonly unknown[]) => unknown) => unknown} act
 * @returns {() => void} puts everything back
 */
export function hookFileOperations(folder, act) {
  const whole = names.map((name) => /** @type {const} */ ([name, Reflect.get(fs, name)]))
  for (const [name, operation] of whole) {
    const original = (/** @type {readonly unknown[]} */ ...args) =>
      Reflect.apply(operation, fs, args)
    Reflect.set(fs, name, (/** @type {readonly unknown[]} */ ...args) => {
      const isElsewhere = typeof args[0] === 'string' && !args[0].startsWith(folder)
      return isElsewhere ? original(...args) : act(name, args, original)
    })
  }
  syncBuiltinESMExports()
  return () => {
    for (const [name, operation] of whole) Reflect.set(fs, name, operation)
    syncBuiltinESMExports()
  }
}
