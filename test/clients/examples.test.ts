/** The examples run as their first lines say, offline, and leave their cassettes alone. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { examples } from '../../scripts/clients/examples.ts'
import { filesIn } from '../helpers/folders.ts'
import { preload, spawned } from '../helpers/processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe.each(examples)('the example in $language', ({ cassette, command, prints }) => {
  it('runs offline on its cassette', async () => {
    const before = filesIn(path.join(root, cassette))
    const args = ['exec', '--cassette', cassette, '--json', '--', ...command]
    const { code, stdout, stderr } = await spawned(args, {
      cwd: root,
      preload: [preload('./no-outbound.mjs')]
    })
    expect(code, stderr).toBe(0)
    for (const text of prints) expect(stdout).toContain(text)
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      missed: 0,
      liveRequests: 0
    })
    expect(filesIn(path.join(root, cassette))).toEqual(before)
  })

  it('does not succeed by something else than its answers', async () => {
    const args = ['exec', '--cassette', 'examples/cassettes/empty', '--', ...command]
    const { code } = await spawned(args, { cwd: root })
    expect(code).not.toBe(0)
  })
})
