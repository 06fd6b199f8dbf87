/**
 * `kill -9` while a run makes replies ready that nobody has asked for, and while it leaves all to the next: `npx tsx scripts/security/killed-ready.ts [MOMENTS [INTERACTIONS]]` (100 and 300;
 * built files). Whatever it leaves behind, the next run answers what the files say.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Exchange } from '../../src/proxy/exchange.ts'
import { madeAnswer, madeIndices, madeQuery, makeCassette } from '../bench/cassette.ts'

/** The same build as the run's: another's replies are not believed. */
const built = new URL('../../dist/proxy/rack.js', import.meta.url).href
const { Rack }: typeof import('../../src/proxy/rack.ts') = await import(built)

const moments = Number(process.argv[2] ?? 100)
const interactions = Number(process.argv[3] ?? 300)
/** Milliseconds in which a run makes replies ready before it ends, and those in which it is killed. */
const ahead = 80
const longest = ahead + 40
/** One of so many is asked for. */
const stride = 3
const home = mkdtempSync(path.join(tmpdir(), 'wikitape-killed-'))
const [cassette, folder] = [path.join(home, 'tape'), path.join(home, 'ready')]
const run = fileURLToPath(new URL('killed-ready-run.mjs', import.meta.url))
makeCassette(cassette, interactions)
const asked = madeIndices(interactions).slice(1)

const exchange = (index: number): Exchange => ({
  ...{ method: 'GET', target: `/w/api.php?${madeQuery(index)}`, headers: {}, body: Buffer.alloc(0) },
  ...{ session: '', signal: undefined },
})

/** Asks a run whose end is cut short. @param delay milliseconds after its last answer */
async function killed(delay: number): Promise<void> {
  const child = spawn(process.execPath, [run, cassette, folder, String(ahead)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const first = asked.filter((_, at) => at % stride === 0)
  child.stdin.end(JSON.stringify(first.map((index) => exchange(index).target)))
  await once(child.stdout, 'data')
  const ended = once(child, 'exit')
  await setTimeout(delay)
  child.kill('SIGKILL')
  await ended
}

const kept = (): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((name) => readdirSync(path.join(folder, name))) : []

let [wrong, whole, torn, ready] = [0, 0, 0, 0]
for (let moment = 0; moment < moments; moment += 1) {
  rmSync(folder, { recursive: true, force: true })
  await killed((moment / moments) * longest)
  if (kept().some((name) => name.endsWith('.ready'))) whole += 1
  if (kept().some((name) => name.endsWith('.tmp'))) torn += 1
  const standard = { cassette, mode: 'none', live: undefined, missStatus: 404, onMiss: 'error' } as const
  const rack = new Rack({
    ...{ ...standard, recordErrors: false, now: Date.now, report: () => undefined },
    settling: -1,
    packs: { folder },
  })
  const engine = rack.engine(undefined, undefined)
  for (const index of asked) {
    const known = engine.ready(exchange(index))
    if (known !== undefined) ready += 1
    const { body } = known ?? (await engine.answerAnew(exchange(index)))
    if (body.toString() !== madeAnswer(index)) wrong += 1
  }
  rack.close()
}
rmSync(home, { recursive: true, force: true })
console.log(
  `killed at ${moments} moments: ${whole} left replies, ${torn} a part of them; ${ready} answers were ready, ${wrong} wrong`,
)
process.exitCode = wrong > 0 ? 1 : 0
