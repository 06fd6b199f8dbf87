/** Requests recorded through the whole program, and what that answers without the wiki. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Serving, startRecording, startReplay } from '../../../src/index.ts'
import { labAccounts } from '../../wiki/lab.ts'
import { nextOf } from '../run.ts'
import { type Ask, type Caller, type Cookies, logIn, type Said, sendTo } from './ask.ts'
import { treeOf } from './judge.ts'

export async function cookiesAt(
  api: string,
  callers: readonly Caller[]
): Promise<Cookies> {
  const found = new Map<Caller, string>()
  for (const caller of callers)
    if (caller !== 'anonymous') found.set(caller, await logIn(api, labAccounts[caller]))
  return found
}

/** The request that follows, by what the wiki said. */
export function following(
  ask: Ask,
  said: Said,
  at: ReadonlyMap<string, string>
): Followed | undefined {
  const tree = treeOf(said)
  const query = ask.entries.map(([name, value]) => `${name}=${value}`).join('&')
  const next = tree && nextOf({ query }, tree, at)
  if (next === undefined || next.size === 0) return undefined
  const sent = new Map(ask.entries)
  for (const [name, value] of next) sent.set(name, encodeURIComponent(value))
  return { ask: { ...ask, entries: [...sent] }, at: next }
}

interface Followed {
  readonly ask: Ask
  readonly at: ReadonlyMap<string, string>
}

/** What is recorded of a request: it, and that many answers that follow. */
export interface Recording {
  readonly ask: Ask
  readonly steps: number
}

export interface Tape {
  readonly say: (ask: Ask) => Promise<Said>
  readonly close: () => Promise<void>
}

/** Some at a time: a wiki of the lab has three workers. */
export async function sideBySide<T>(
  all: readonly T[],
  work: (one: T) => Promise<void>
): Promise<void> {
  const waiting = [...all]
  const lane = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift())
      await work(one)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
}

/** Records, and begins to replay. @param write what happens between the first answer of each and those that follow it */
export async function recordAll(
  url: string,
  recordings: readonly Recording[],
  callers: readonly Caller[],
  write?: () => Promise<void>
): Promise<Tape> {
  const cassette = mkdtempSync(path.join(tmpdir(), 'wikitape-pairs-'))
  const recording = await startRecording({ cassette, apiUrl: url, allowLive: true })
  const cookies = await cookiesAt(recording.apiUrl, callers)
  const rest: (() => Promise<unknown>)[] = []
  await sideBySide(recordings, async ({ ask, steps }) => {
    const first = { ask, at: new Map<string, string>() }
    const next = await record(recording, first, write === undefined ? steps : 1, cookies)
    rest.push(() => record(recording, next, steps - 1, cookies))
  })
  if (write !== undefined) {
    await write()
    await sideBySide(rest, async (one) => void (await one()))
  }
  await recording.close()
  const replay = await startReplay({ cassette })
  const replayed = await cookiesAt(replay.apiUrl, callers)
  return {
    say: (ask) => sendTo(replay.apiUrl, ask, replayed),
    close: async () => {
      await replay.close()
      rmSync(cassette, { recursive: true, force: true })
    }
  }
}

/** What follows after so many answers. */
async function record(
  { apiUrl }: Serving,
  from: Followed | undefined,
  steps: number,
  cookies: Cookies
): Promise<Followed | undefined> {
  let next = from
  for (let step = 0; step < steps && next !== undefined; step += 1) {
    const said: Said = await sendTo(apiUrl, next.ask, cookies)
    next = following(next.ask, said, next.at)
  }
  return next
}
