/** A temporary cassette is there while it is used, and gone afterwards, however that ends. */
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withTemporaryCassette } from '../../../src/cli/files/temporary-cassette.ts'

it('a temporary cassette is deleted when its use has ended or failed', async () => {
  const used: string[] = []
  const use = async (dir: string): Promise<void> => {
    mkdirSync(dir)
    used.push(dir)
    if (used.length > 1) throw new Error('failed')
  }
  await withTemporaryCassette(use)
  await expect(withTemporaryCassette(use)).rejects.toThrow('failed')
  expect(used.map((dir) => existsSync(path.dirname(dir)))).toEqual([false, false])
})

it('a temporary cassette is deleted when the process exits meanwhile', async () => {
  const before = process.listeners('exit')
  await withTemporaryCassette(async (dir) => {
    mkdirSync(dir)
    const added = process.listeners('exit').filter((one) => !before.includes(one))
    expect(added).toHaveLength(1)
    for (const listener of added) listener(0)
    expect(existsSync(path.dirname(dir))).toBe(false)
  })
  expect(process.listeners('exit')).toEqual(before)
})
