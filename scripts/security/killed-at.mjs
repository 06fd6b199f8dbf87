/**
 * Preload (`node --import`): SIGKILL at one file operation inside of a folder, the first, the second, and so on. A write
 * is killed when half of its bytes are there. What a killed process leaves on the disk depends on this alone.
 */
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { hookFileOperations } from '../../test/helpers/file-operations.mjs'

const folder = process.env['WIKITAPE_KILL_IN'] ?? ''
const at = Number(process.env['WIKITAPE_KILL_AT'])
const counted = process.env['WIKITAPE_KILL_COUNT']
let count = 0

if (isMainThread) {
  hookFileOperations(folder, (name, args, original) => {
    count += 1
    if (count !== at) return original(...args)
    const [file, content] = args
    if (
      name === 'writeFileSync' &&
      (typeof content === 'string' || Buffer.isBuffer(content))
    )
      original(file, Buffer.from(content).subarray(0, content.length / 2))
    process.kill(process.pid, 'SIGKILL')
    return original(...args)
  })
  if (counted !== undefined)
    process.on('exit', () => fs.appendFileSync(counted, String(count)))
}
