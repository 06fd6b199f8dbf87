/** Several processes, some of which end: killed, stopped, or never begun. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type Spawned, spawnServing, spawnStarted } from '../helpers/processes.ts'
import { run, type Serving, served } from '../helpers/program.ts'
import { shipped } from '../helpers/shipped.ts'

const cassette = shipped('1.43')
const known = '/w/api.php?action=compare&fromrev=5&torev=11&format=json'

/** Processes that this one has begun. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not asked after yet has no command line.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

interface Shared {
  readonly server: Spawned<Serving>
  readonly helpers: readonly number[]
  readonly get: () => Promise<string>
  /** Where temporary files lie. */
  readonly place: string
}

async function shared(processes: number): Promise<Shared> {
  const place = temporaryFolder()
  const args = ['replay', '--cassette', cassette, '--workers', String(processes)]
  const server = await spawnServing(args, { env: { TMPDIR: place } })
  const get = async (): Promise<string> =>
    String((await ask(new URL(known, server.api).href)).headers['x-cassette-status'])
  return { server, helpers: childrenOf(server.pid), get, place }
}

it('starts another in the place of one that was killed, says so, and answers meanwhile', async () => {
  const { server, helpers, get } = await shared(3)
  expect(helpers).toHaveLength(2)
  const answers = [await get(), await get(), await get()]
  // What it has answered is told before it is killed: the page waits for that.
  await ask(new URL('/__wikitape/summary', server.api).href)
  const [first = 0] = helpers
  process.kill(first, 'SIGKILL')
  await server.printed(/a process that helped to serve has ended \(SIGKILL\); another is started/, 'stderr')
  answers.push(await get(), await get(), await get())
  await until(() => childrenOf(server.pid).length === 2)
  answers.push(await get(), await get(), await get())
  expect(new Set(answers)).toEqual(new Set(['replayed']))
  const { code, stderr } = await server.stop()
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('replayed 9, ') })
})

it('leaves nothing behind, no process and no file, when the one that leads is killed', async () => {
  const { server, helpers, get, place } = await shared(3)
  for (let time = 0; time < 4; time += 1) await get()
  await server.stop('SIGKILL')
  await until(() => !helpers.some(isAlive))
  expect(readdirSync(place)).toEqual([])
  // The port is free again.
  const { port } = new URL(server.api)
  const again = await served(
    spawnStarted(['replay', '--cassette', cassette, '--workers', '2', '--port', port]),
  )
  expect((await again.stop()).code).toBe(0)
})

it.each(['SIGINT', 'SIGTERM'] as const)(
  'ends at %s with everything counted, whoever gets the signal first',
  async (signal) => {
    const { server, helpers, get } = await shared(2)
    for (let time = 0; time < 6; time += 1) await get()
    for (const helper of helpers) process.kill(helper, signal)
    for (let time = 0; time < 6; time += 1) await get()
    const { code, stderr } = await server.stop(signal)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('replayed 12, ') })
    expect(helpers.some(isAlive)).toBe(false)
  },
)

it('says what is wrong with a number of processes', async () => {
  for (const wrong of ['0', '-1', '1.5', 'two', '65', ''])
    expect(await run(['replay', '--cassette', cassette, '--port', '0', `--workers=${wrong}`])).toMatchObject({
      code: 2,
      stderr: `wikitape: --workers is "${wrong}"; expected a whole number from 1 to 64, or auto\n`,
    })
})

it.each(['record', 'exec'])('says why %s has one process', async (verb) => {
  const { code, stderr } = await run([verb, '--workers', '2', '--', 'true'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--workers is for wikitape replay'),
  })
})

it('says in one line that the port is in use', async () => {
  const { server } = await shared(2)
  const { port } = new URL(server.api)
  const { code, stderr } = await run(['replay', '--cassette', cassette, '--workers', '2', '--port', port])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`port ${port} is in use`) })
})

it('names the place of a cassette for all of them where it is given relative to a folder', async () => {
  const args = ['replay', '--cassette', path.basename(cassette), '--workers', '2']
  const server = await spawnServing(args, { cwd: path.dirname(cassette) })
  const { origin } = new URL(server.api)
  for (let time = 0; time < 4; time += 1)
    expect((await ask(`${origin}${known}`)).headers['x-cassette-status']).toBe('replayed')
  await server.stop()
})
