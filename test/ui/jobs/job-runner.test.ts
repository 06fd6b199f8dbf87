/** What takes long is done in a thread: one job after the other, and none for ever. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { JobRunner } from '../../../src/ui/jobs/job-runner.ts'
import { temporaryFolder } from '../../helpers/folders.ts'

/** A thread that never ends for a check, ends early for a drift, and is done with anything else. */
function thread(): URL {
  const file = path.join(temporaryFolder(), 'thread.mjs')
  writeFileSync(
    file,
    `import { parentPort, workerData } from 'node:worker_threads'
if (workerData.kind === 'check') setInterval(() => undefined, 1000)
else if (workerData.kind === 'drift') process.exit(0)
else if (workerData.dir === 'broken') parentPort.postMessage({ fault: 'broken.json:1:1: no JSON' })
else parentPort.postMessage({ done: { kind: 'json', value: workerData.folder } })`,
  )
  return pathToFileURL(file)
}

const listings = (dir: string, folder: string) => ({ kind: 'listings', dir, folder }) as const

it('a job that takes too long is ended, with the command that takes its time; those behind it are done', async () => {
  const aside = new JobRunner(thread(), 0.2)
  const [check, next] = await Promise.allSettled([
    aside.run({ kind: 'check', dir: 'tapes/mine' }),
    aside.run(listings('tapes/mine', 'query.allpages')),
  ])
  expect(check).toMatchObject({
    status: 'rejected',
    reason: {
      status: 503,
      code: 'too-long',
      message: 'timed out after 0.2 s; run it at a terminal: wikitape check tapes/mine',
    },
  })
  // With half a second for a whole thread to start a busy machine would fail it: it may only not be left waiting.
  expect(next.status === 'fulfilled' || String(next.reason).includes('timed out')).toBe(true)
})

it('what a thread says, and that it ended early, reaches who asked', async () => {
  const aside = new JobRunner(thread())
  expect(await aside.run(listings('whole', 'query.allpages'))).toEqual({
    kind: 'json',
    value: 'query.allpages',
  })
  await expect(aside.run(listings('broken', ''))).rejects.toMatchObject({ status: 404, code: 'unreadable' })
  await expect(aside.run({ kind: 'drift', a: 'a', b: 'b' })).rejects.toMatchObject({
    status: 503,
    code: 'gave-up',
    message: 'the worker thread ended unexpectedly; run wikitape diff a b',
  })
})

it('no more than eight wait', async () => {
  const aside = new JobRunner(thread())
  const asked = Array.from({ length: 9 }, () => aside.run(listings('whole', '')))
  const ends = await Promise.allSettled(asked)
  expect(ends.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected'])
  expect(ends.at(-1)).toMatchObject({ reason: { status: 503, code: 'busy' } })
})
