/** An answer of five million values is recorded and replayed in little memory. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawnServing } from '../helpers/processes.ts'

/** Megabytes that a process has had at most. Source: proc(5). */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Node.js 26 collects what is no longer used later: 241 to 300 MB, where 20, 22 and 24 take some 220. */
const most = Number(process.versions.node.split('.')[0]) >= 26 ? 320 : 300

it('takes less than 300 MB, also while it is recorded', async () => {
  const body = `{"query":{"x":[${'{"a":1},'.repeat(2_499_999)}{"a":1}]}}`
  const wiki = await fakeWiki(() => body)
  const cassette = path.join(temporaryFolder(), 'tape')
  const query = '?action=query&list=allpages&format=json'
  const recorder = await spawnServing(['record', wiki.api, '--cassette', cassette])
  for (const status of ['recorded', 'replayed']) {
    const { headers, text } = await ask(recorder.api + query)
    expect([headers['x-cassette-status'], text === body]).toEqual([status, true])
  }
  expect(peakOf(recorder.pid)).toBeLessThan(most)
  await recorder.stop()
  const replay = await spawnServing(['replay', '--cassette', cassette])
  expect((await ask(replay.api + query)).text === body).toBe(true)
  expect(peakOf(replay.pid)).toBeLessThan(most)
})
