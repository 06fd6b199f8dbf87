/** `--log`: what became of each request, as JSON lines. */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const call = '?action=query&format=json&list=allpages&apfrom='

const linesOf = (file: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

it('has a line for each request of a run, behind those of the run before, and nothing of what was sent', async () => {
  const dir = temporaryFolder()
  const log = path.join(dir, 'requests.jsonl')
  const cassette = path.join(dir, 'tape')
  const wiki = await fakeWiki()
  const recording = await serving([
    'record',
    wiki.api,
    '--cassette',
    cassette,
    '--log',
    log
  ])
  const { headers } = await ask(`${recording.api}${call}A&assertuser=Secret`)
  await recording.stop()
  const replay = await serving(['replay', '--cassette', cassette, '--log', log])
  await ask(`${replay.api}${call}B`)
  await ask(replay.api.replace('/w/api.php', '/\u202e.png'), {
    target: '/w/%E2%80%AE.png'
  })
  await replay.stop()
  expect(linesOf(log)).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      cassette,
      outcome: 'recorded',
      status: 200,
      method: 'GET',
      agent: '',
      module: 'query.allpages',
      key: headers['x-cassette-key'],
      limit: false,
      from: [],
      ms: expect.any(Number)
    },
    expect.objectContaining({
      outcome: 'miss',
      module: 'query.allpages',
      why: 'cassette-miss: param-differs'
    }),
    expect.objectContaining({ outcome: 'miss', module: '/w/%E2%80%AE.png' })
  ])
  expect(readFileSync(log, 'utf8')).not.toContain('Secret')
})

it('tells that the wiki did not answer', async () => {
  const log = path.join(temporaryFolder(), 'requests.jsonl')
  const recording = await serving([
    ...[
      'record',
      'http://127.0.0.1:9/w/api.php',
      '--cassette',
      path.join(temporaryFolder(), 'tape')
    ],
    ...['--log', log]
  ])
  await ask(`${recording.api}${call}A`)
  await recording.stop()
  expect(linesOf(log)).toEqual([
    expect.objectContaining({ outcome: 'failed', status: 502, why: expect.any(String) })
  ])
})

it('is refused where it cannot be written, before anything is served', async () => {
  const dir = temporaryFolder()
  mkdirSync(path.join(dir, 'folder'))
  const { code, stderr } = await run([
    ...[
      'replay',
      '--cassette',
      path.resolve('cassettes/ru-1.43'),
      '--log',
      path.join(dir, 'folder')
    ]
  ])
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot write')])
})
