/** A disk that is full once so many files have been written; the next one is cut in the middle. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/** @returns what makes room again; the end of the test does too */
export function fullDiskAfter(files: number): () => void {
  const whole = fs.writeFileSync
  let left = files
  const cut: typeof fs.writeFileSync = (file, content, ...more) => {
    if (left > 0) {
      left -= 1
      return whole(file, content, ...more)
    }
    const half = typeof content === 'string' ? content.slice(0, content.length / 2) : ''
    whole(file, half, ...more)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write'
    })
  }
  const become = (writing: typeof fs.writeFileSync): void => {
    fs.writeFileSync = writing
    syncBuiltinESMExports()
  }
  become(cut)
  onTestFinished(() => become(whole))
  return () => become(whole)
}
