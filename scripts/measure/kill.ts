/** kill -9 in the middle of `capture`: what was acknowledged and is lost, which files cannot be read. */
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { ended, start } from './program.ts'
import { queryOf, type StandIn } from './stand-in.ts'

const interactions = 2000

export interface KillMeasure {
  readonly rounds: number
  readonly acknowledged: number
  readonly lost: number
  readonly unreadable: number
  readonly drafts: number
}

/** Each round is killed at another moment, spread over the whole capture, in the middle of its work. */
export async function measureKills(
  wiki: StandIn,
  folder: string,
  rounds: number
): Promise<KillMeasure> {
  const requests = path.join(folder, 'requests.txt')
  writeFileSync(
    requests,
    Array.from({ length: interactions }, (_, at) => `${queryOf(at)}\n`).join('')
  )
  const sum = { rounds, acknowledged: 0, lost: 0, unreadable: 0, drafts: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const cassette = path.join(folder, `kill-${round}`)
    const at = Math.round(((round + 0.5) / rounds) * interactions * 0.95)
    const answered = await killAfter(wiki, requests, cassette, at, (round % 5) * 0.4)
    // Capture asks one after the other: whatever came before the last question was acknowledged.
    const outcome = inspect(cassette, answered - 1)
    sum.acknowledged += answered - 1
    sum.lost += outcome.lost
    sum.unreadable += outcome.unreadable
    sum.drafts += outcome.drafts
  }
  return sum
}

/** @returns how many requests the wiki had answered when the process was gone */
async function killAfter(
  wiki: StandIn,
  requests: string,
  cassette: string,
  at: number,
  delay: number
): Promise<number> {
  let before = 0
  let answered = 0
  wiki.onAnswer = (count) => {
    if (before === 0) before = count - 1
    answered = count - before
    if (answered === at) setTimeout(() => child.kill('SIGKILL'), delay)
  }
  const child = start([
    'capture',
    wiki.api,
    '--cassette',
    cassette,
    '--requests',
    requests
  ])
  await ended(child)
  wiki.onAnswer = () => undefined
  return answered
}

function inspect(
  cassette: string,
  acknowledged: number
): { lost: number; unreadable: number; drafts: number } {
  const store = CassetteStore.open(cassette)
  const found = new Set<string>()
  let unreadable = 0
  for (const [key] of store.paths()) {
    const one = store.get(key)
    if (one.kind === 'found') found.add(one.interaction.request.get('apfrom') ?? '')
    else unreadable += 1
  }
  const lost = Array.from({ length: acknowledged }, (_, at) => `P${at}`).filter(
    (from) => !found.has(from)
  ).length
  const names = readdirSync(cassette, { recursive: true, encoding: 'utf8' })
  return {
    lost,
    unreadable,
    drafts: names.filter((name) => name.endsWith('.tmp')).length
  }
}
