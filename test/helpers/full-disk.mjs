/** Preload (`node --import`): the disk is full once so many files have been written; the next one is cut in the middle. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const whole = fs.writeFileSync
let left = Number(process.env.FULL_DISK_AFTER ?? 0)

fs.writeFileSync = (file, content, ...more) => {
  if (left > 0) {
    left -= 1
    return whole(file, content, ...more)
  }
  whole(file, content.slice(0, content.length / 2), ...more)
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
}
syncBuiltinESMExports()
