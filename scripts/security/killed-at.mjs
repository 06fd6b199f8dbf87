/**
 * Preload (`node --import`): SIGKILL at one file operation inside of a folder, the first, the second, and so on. A write
 * is killed when half of its bytes are there. What a killed process leaves on the disk depends on this alone.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const folder = process.env['WIKITAPE_KILL_IN'] ?? ''
const at = Number(process.env['WIKITAPE_KILL_AT'])
const counted = process.env['WIKITAPE_KILL_COUNT']
let count = 0

/** @type {readonly (keyof typeof fs)[]} */
const operations = [
  'accessSync',
  'closeSync',
  'cpSync',
  'existsSync',
  'fsyncSync',
  'lstatSync',
  'mkdirSync',
  'openSync',
  'readFileSync',
  'readdirSync',
  'renameSync',
  'rmSync',
  'statSync',
  'writeFileSync',
]
for (const name of operations) {
  const act = Reflect.get(fs, name)
  Reflect.set(fs, name, (/** @type {readonly any[]} */ ...args) => {
    if (typeof args[0] === 'string' && !args[0].startsWith(folder)) return Reflect.apply(act, fs, args)
    count += 1
    if (count !== at) return Reflect.apply(act, fs, args)
    if (name === 'writeFileSync') {
      const [file, content] = args
      Reflect.apply(act, fs, [file, Buffer.from(content).subarray(0, content.length / 2)])
    }
    process.kill(process.pid, 'SIGKILL')
    return Reflect.apply(act, fs, args)
  })
}
syncBuiltinESMExports()
if (counted !== undefined) process.on('exit', () => fs.appendFileSync(counted, String(count)))
