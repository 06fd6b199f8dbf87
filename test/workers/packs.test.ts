/** What several processes have left ready is read by several, and by one; what they answer is what one says with nothing ready. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { recordedIn } from '../helpers/recorded-requests.ts'
import { scaled } from '../helpers/scale.ts'
import { shipped } from '../helpers/shipped.ts'
import { servedBy, several, spawnedBy } from './served-by.ts'

it('gives the same answers and counts with what earlier runs have left ready', async () => {
  const cache = path.join(temporaryFolder(), 'cache')
  const all = recordedIn(shipped('1.43')).filter((_, at) => at % scaled(20, 2) === 0)
  // Over each connection in turn, so that each process is asked all of it.
  const asked = [0, 1, 2, 3].flatMap((turn) => all.map((target, at) => ({ path: target, over: at + turn })))
  const runs = []
  for (const [processes, kept] of [
    [1, 'off'],
    [several, cache],
    [several, cache],
    [1, cache],
  ] as const) {
    const args = ['--cassette', shipped('1.43'), '--json']
    // What a build has left ready is for that build.
    const served = await (kept === 'off' ? servedBy : spawnedBy)(processes, args, {
      env: { WIKITAPE_CACHE: kept },
    })
    const replies = await served.askAll(asked)
    const { code, stdout } = await served.server.stop()
    runs.push({ replies, code, stdout: stdout.replaceAll(/:\d+\//g, ':PORT/') })
  }
  const [truth, ...others] = runs
  for (const one of others) expect(one).toEqual(truth)
  const kept = readdirSync(cache, { recursive: true, encoding: 'utf8' })
  expect(kept).toContainEqual(expect.stringMatching(/\.ready$/))
  // Only a process that leads adds to them, and it has ended in order.
  expect(kept).not.toContainEqual(expect.stringMatching(/\.tmp$/))
})
