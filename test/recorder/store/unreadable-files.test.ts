/** Files that are whole, and that the machine does not let this process read: never told, or treated, as broken ones. */

/** Files that are whole, and that the machine does not let this process read: never told, or treated, as broken ones. */
import fs, { cpSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'
import { ask } from '../../helpers/http-client.ts'
import { run, serving } from '../../helpers/program.ts'

/** From now on, reading a file whose path has this part fails. */
function failingReads(part: string, code: string): void {
  const whole = fs.readFileSync
  const failing = ((file: fs.PathOrFileDescriptor, ...more: []) => {
    if (!String(file).includes(part)) return whole(file, ...more)
    throw Object.assign(new Error(`${code}: open '${String(file)}'`), {
      code,
      syscall: 'open'
    })
  }) as typeof fs.readFileSync
  const become = (reading: typeof fs.readFileSync): void => {
    fs.readFileSync = reading
    syncBuiltinESMExports()
  }
  become(failing)
  onTestFinished(() => become(whole))
}

const reasons = [
  ['EMFILE', 'too many files are open in this process (EMFILE)'],
  ['EIO', 'the disk failed (EIO)'],
  ['EACCES', 'permission denied (EACCES)']
] as const

function copyOfCassette(): string {
  const dir = path.join(temporaryFolder(), 'tape')
  cpSync('cassettes/ru-1.43', dir, { recursive: true })
  return dir
}

it.each(reasons)(
  'a manifest that cannot be read, %s: that reason',
  async (code, reason) => {
    const dir = copyOfCassette()
    failingReads('cassette.json', code)
    const { code: exit, stderr } = await run(['check', dir])
    expect(exit).toBe(2)
    expect(stderr).toContain(`cannot read ${path.join(dir, 'cassette.json')}: ${reason}`)
    expect(stderr).not.toContain('version control')
  }
)

it.each(reasons)(
  'a recording that cannot be read, %s: an error with that reason, no miss and no replacement',
  async (code, reason) => {
    const dir = copyOfCassette()
    const replay = await serving(['replay', '--cassette', dir])
    failingReads(`${path.sep}query.allpages`, code)
    const query = '?action=query&format=json&list=allpages'
    const { status, text } = await ask(replay.api + query)
    expect([status, text]).toEqual([500, expect.stringContaining(reason)])
    const { stderr } = await replay.stop()
    expect(stderr).not.toContain('broken recording')
  }
)
