/** Files that other processes make, replace and delete while they are read. */
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import {
  readBytes,
  readHead,
  readText,
  requireText,
  writeWhole
} from '../../../../src/recorder/store/files/whole-files.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

/** Another thread that makes a file and deletes it, again and again; at work when it is given back. */
async function comesAndGoes(file: string): Promise<void> {
  const script = `
    const { renameSync, rmSync, writeFileSync } = require('node:fs')
    const { parentPort, workerData: file } = require('node:worker_threads')
    parentPort.postMessage('at work')
    for (;;) {
      writeFileSync(file + '.tmp', 'whole')
      renameSync(file + '.tmp', file)
      rmSync(file)
    }`
  const worker = new Worker(script, { eval: true, workerData: file })
  ends.push(() => worker.terminate())
  await new Promise((resolve) => worker.once('message', resolve))
}

it.each([
  ['text', (file: string) => readText(file)],
  ['bytes', (file: string) => readBytes(file)?.toString()]
])(
  '%s: there whole or not there, never empty, while another makes and deletes the file',
  async (_, read) => {
    const file = path.join(temporaryFolder(), 'file.json')
    await comesAndGoes(file)
    const seen = new Set<string | undefined>()
    for (
      let reads = 0;
      reads < 100_000 && !(seen.has('whole') && reads > 20_000);
      reads += 1
    )
      seen.add(read(file))
    expect(seen).toEqual(new Set(['whole', undefined]))
  }
)

it('an empty file is an empty text, and is written as one', () => {
  const file = path.join(temporaryFolder(), 'below', 'file.json')
  expect(readText(file)).toBeUndefined()
  writeWhole(file, '')
  expect(readText(file)).toBe('')
  expect(readBytes(file)).toHaveLength(0)
})

it('a device and a pipe are refused unread, through a link too', () => {
  const folder = temporaryFolder()
  const pipe = path.join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const link = path.join(folder, 'link.har')
  symlinkSync('/dev/zero', link)
  for (const file of ['/dev/zero', link, pipe]) {
    expect(() => readText(file)).toThrow(
      'it is a device, a pipe or a socket; expected a file'
    )
    expect(() => requireText(file)).toThrow('it is a device')
    expect(readHead(file, 10)).toBe('')
  }
})
