/** A cassette in the folder of another one: it is made by no verb, and the outer one does not read it. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { spawned } from '../../helpers/processes.ts'
import { partOf } from '../../helpers/shipped.ts'

function outer(): string {
  const folder = path.join(temporaryFolder(), 'outer')
  cpSync(partOf('1.43', ['tokens']), folder, { recursive: true })
  return folder
}

describe('a cassette in another one', () => {
  it.each(['inner', 'deep/inner', 'query.tokens/inner'])('is not begun: %s', (place) => {
    const inner = path.join(outer(), place)
    const create = (): unknown =>
      CassetteStore.openOrCreate(inner, 'http://other.test/w/api.php', {
        day: '2026-11-01'
      })
    expect(create).toThrow('is a cassette and cannot contain other cassettes')
  })

  it.each([
    ['push', (from: string, to: string) => ['push', from, to]],
    ['pull', (from: string, to: string) => ['pull', from, to]],
    [
      'record',
      (_: string, to: string) => [
        'record',
        'http://127.0.0.1:1/w/api.php',
        '--cassette',
        to
      ]
    ],
    ['refresh', (from: string, to: string) => ['refresh', from, '--into', to]]
  ] as const)('is not made by %s', async (_, args) => {
    const folder = outer()
    const before = filesIn(folder)
    const run = await spawned(args(folder, path.join(folder, 'inner')))
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot contain other cassettes')
    })
    expect(filesIn(folder)).toEqual(before)
  })

  it('that is there is not read by the outer one, nor pruned with it', async () => {
    const folder = outer()
    const keys = CassetteStore.open(folder).size
    const inner = path.join(folder, 'inner')
    cpSync(partOf('1.35', ['compare']), inner, { recursive: true })
    const whole = filesIn(inner)
    expect(whole.size).toBeGreaterThan(3)
    expect(CassetteStore.open(folder).size).toBe(keys)
    expect(CassetteStore.open(inner).size).toBeGreaterThan(0)
    const copy = path.join(temporaryFolder(), 'copy')
    expect(await spawned(['push', folder, copy])).toMatchObject({ code: 0 })
    expect([...filesIn(copy).keys()].filter((file) => file.startsWith('inner'))).toEqual(
      []
    )
  })
})
