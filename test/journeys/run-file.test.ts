/** `--run`: a run in a file, seen later by `wikitape ui`, and its misses recorded by `capture`. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'

const call = '?action=query&format=json&list=allpages&apfrom='

type Line = Readonly<Record<string, unknown>>

const linesOf = (file: string): readonly Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** A cassette with one recording, and a run of it in which two of four requests were missed. */
async function missingRun(): Promise<{
  readonly api: string
  readonly cassette: string
  readonly file: string
  readonly stderr: string
}> {
  const dir = temporaryFolder()
  const cassette = path.join(dir, 'tape')
  const file = path.join(dir, 'run.jsonl')
  const wiki = await fakeWiki()
  const recording = await serving(['record', wiki.api, '--cassette', cassette])
  await ask(`${recording.api}${call}A`)
  await recording.stop()
  writeFileSync(file, 'what a run before it wrote\n')
  const replay = await serving(['replay', '--cassette', cassette, '--run', file])
  await ask(`${replay.api}${call}A`)
  await ask(`${replay.api}${call}It's`)
  await ask(`${replay.api}?action=parse&page=B&format=json`)
  await ask(replay.api, {
    method: 'POST',
    body: 'action=login&lgname=Anna&lgpassword=hunter2secret&format=json',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-cassette-session': 'one'
    }
  })
  const { stderr } = await replay.stop()
  return { api: wiki.api, cassette, file, stderr }
}

it('has the very rows of Live, with what was sent, without bodies and secrets, and instead of an older run', async () => {
  const { file } = await missingRun()
  const lines = linesOf(file)
  expect(lines.map(({ id, outcome, module }) => [id, outcome, module])).toEqual([
    [1, 'replayed', 'query.allpages'],
    [2, 'miss', 'query.allpages'],
    [3, 'miss', 'parse'],
    [4, 'miss', 'login']
  ])
  expect(lines[3]).toMatchObject({
    session: 'one',
    error: 'cassette-miss',
    status: 200,
    sent: { params: expect.arrayContaining([{ name: 'lgpassword', value: '(secret)' }]) }
  })
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain('hunter2secret')
  expect(text).not.toContain('batchcomplete')
})

it('says at the end how to record all misses at once, and last how to see the run', async () => {
  const { api, cassette, file, stderr } = await missingRun()
  expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
    `wikitape: to record 2 of the misses: wikitape capture ${api} --cassette ${cassette} --requests ${file}`,
    `wikitape: to see the run: wikitape ui ${cassette} --run ${file}`
  ])
  const { code, stderr: told } = await run([
    ...['capture', api, '--cassette', cassette, '--requests', file]
  ])
  expect([code, told]).toEqual([0, expect.stringContaining('recorded 2')])
})

it('tells ls what was not used', async () => {
  const { api, cassette, file } = await missingRun()
  expect((await run(['ls', cassette, '--run', file])).stdout).toBe(
    `${cassette}: every interaction was used\n`
  )
  await run(['capture', api, '--cassette', cassette, '--requests', file])
  const { stdout } = await run(['ls', cassette, '--run', file])
  const [head, ...rows] = stdout.trimEnd().split('\n')
  expect(head).toContain('2 unused interactions of ')
  expect(rows.join('\n')).toMatch(/parse[\s\S]*apfrom=It/)
})

it('says without a file how to record all misses by one command', async () => {
  const { api, cassette } = await missingRun()
  const replay = await serving(['replay', '--cassette', cassette])
  await ask(`${replay.api}${call}B`)
  await ask(`${replay.api}${call}C`)
  expect((await replay.stop()).stderr).toContain(
    `to record 2 of the misses: printf '%s\\n' 'action=query&format=json&list=allpages&apfrom=B' 'action=query&format=json&list=allpages&apfrom=C' | wikitape capture ${api} --cassette ${cassette} --requests -\n`
  )
})

it('is appended to where the environment names the file: several programs write one run', async () => {
  const { cassette, file } = await missingRun()
  const env = { WIKITAPE_RUN: file }
  const replay = await serving(['replay', '--cassette', cassette], { env })
  await ask(`${replay.api}${call}A`)
  await replay.stop()
  expect(linesOf(file)).toHaveLength(5)
})

it('is shown by ui as the run of its server was, and its misses turn green when they are recorded', async () => {
  const { api, cassette, file } = await missingRun()
  const ui = await serving(['ui', cassette, '--run', file, '--run', file])
  const view = async (name: string): Promise<unknown> =>
    JSON.parse((await ask(`${ui.api}api/${name}`)).text)
  expect(await view('about')).toMatchObject({ hasRequests: true, runs: [file, file] })
  expect(await view('requests?since=2')).toMatchObject([{ id: 3 }, { id: 4 }])
  expect(await view('request?id=3')).toMatchObject({ method: 'GET' })
  expect(await view('used?cassette=tape')).toMatchObject([{ test: '' }])
  const recorded = async (): Promise<readonly unknown[]> =>
    ((await view('misses')) as readonly Line[]).map((one) => one['recorded'])
  expect(await recorded()).toEqual([false, false, false])
  await run(['capture', api, '--cassette', cassette, '--requests', file])
  await expect.poll(recorded).toEqual([true, true, false])
  await ui.stop()
})

it.each([
  ['no such file', undefined, 'cannot read'],
  ['a line that is none', '{"sent":{}}\nx\n', 'run.jsonl:2 is not of a run']
])('is refused by ui: %s', async (_, text, words) => {
  const { cassette, file } = await missingRun()
  if (text !== undefined) writeFileSync(file, text)
  const named = text === undefined ? `${file}.lost` : file
  const { code, stderr } = await run(['ui', cassette, '--run', named])
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

it('is refused where it cannot be written, before anything is served', async () => {
  const { cassette } = await missingRun()
  const { code, stderr } = await run(['replay', '--cassette', cassette, '--run', '/'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot write /')])
})
