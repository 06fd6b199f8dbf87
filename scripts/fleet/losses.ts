/**
 * `npx tsx scripts/fleet/losses.ts KIND [--moments N]`: two recorders write to one cassette, and a part of it is deleted:
 * `eviction` (a random key of the server), `deletion` (a random file of the folder). Each moment has a cassette of its own.
 * What was acknowledged and is not replayed afterwards must have been said: by the end of a recorder, or by the replay's
 * own answer (what the server has lost, or that a description is not there). Exits with 1 where something is lost without a word.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { get, startWikitape, type WikitapeProcess } from './processes.ts'
import { RedisServers } from './servers.ts'
import { countingWiki, queryFor } from './wiki.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { moments: { type: 'string', default: '100' } }
})
const kind = positionals[0] ?? ''
const servers = new RedisServers()
const server = kind === 'eviction' ? await servers.start() : undefined
if (!server && kind !== 'deletion') throw new Error('expected eviction or deletion')
const home = mkdtempSync(path.join(tmpdir(), 'wikitape-losses-'))
const wiki = await countingWiki(1)
const agent = new http.Agent({ keepAlive: true })

const addressOf = (name: string): string =>
  server ? `redis://127.0.0.1:${server.port}/0#${name}` : path.join(home, name)

/** Keys of the server, or files of the folder. */
const placesOf = (name: string): readonly string[] =>
  server
    ? server.cli('keys', `wikitape:{${name}}:*`).split('\n')
    : readdirSync(path.join(home, name), { recursive: true, encoding: 'utf8' })
        .map((file) => path.join(home, name, file))
        .filter((file) => statSync(file).isFile())

const drawn = <T>(from: readonly T[]): T | undefined =>
  from[Math.floor(Math.random() * from.length)]

/** The few that are no recordings are drawn as often as the many that are. */
function loseOne(name: string): string {
  const places = placesOf(name)
  const others = places.filter((place) => !place.includes('query.info/'))
  const place = drawn(Math.random() < 0.5 ? others : places) ?? ''
  if (server) server.cli('del', place)
  else rmSync(place)
  return place
}

/** Ends it as a person does. @returns how many recordings it names as gone; infinite if it says that more is wrong */
async function toldBy(recorder: WikitapeProcess): Promise<number> {
  await recorder.stop()
  const named = /(\d+) recordings? of this run/.exec(recorder.errors())?.[1]
  if (named !== undefined) return Number(named)
  return recorder.process.exitCode === 2 ? Number.POSITIVE_INFINITY : 0
}

/** @returns how many of these are not replayed, and how many of them only look as if nobody had recorded them */
async function missing(
  name: string,
  titles: ReadonlySet<string>
): Promise<{ readonly lost: number; readonly silent: number }> {
  // A cassette that is refused says so.
  const replay = await startWikitape(['replay', '--cassette', addressOf(name)]).catch(
    () => undefined
  )
  if (!replay) return { lost: titles.size, silent: 0 }
  let lost = 0
  let silent = 0
  for (const title of titles) {
    const { status, text } = await get(replay.origin, queryFor(title), agent)
    if (status === 'replayed') continue
    lost += 1
    // A description that a folder lacks is the true reason, and check names it.
    if (!/has lost|does not describe/.test(text)) silent += 1
  }
  await replay.stop()
  return { lost, silent }
}

let longestMs = 0

async function moment(name: string) {
  const acknowledged = new Set<string>()
  const args = ['record', wiki.api, '--cassette', addressOf(name), '--allow-live']
  const recorders = [await startWikitape(args), await startWikitape(args)]
  const before = 5 + Math.floor(Math.random() * 30)
  let place = ''
  for (let at = 0; at < before + 10; at += 1) {
    if (at === before) place = loseOne(name)
    for (const [which, { origin }] of recorders.entries()) {
      const title = `T${at}_${at % 3 === 0 ? '' : which}`
      const began = performance.now()
      // What is not answered is not acknowledged.
      const reply = await get(origin, queryFor(title), agent).catch(() => undefined)
      longestMs = Math.max(longestMs, performance.now() - began)
      if (reply?.status === 'recorded') acknowledged.add(title)
    }
  }
  let told = 0
  for (const recorder of recorders) told += await toldBy(recorder)
  const { lost, silent } = await missing(name, acknowledged)
  return {
    place,
    acknowledged: acknowledged.size,
    lost,
    silent: Math.max(0, silent - told)
  }
}

const sum = { kind, moments: 0, acknowledged: 0, lost: 0, silent: 0 }
for (; sum.moments < Number(values.moments); sum.moments += 1) {
  const { place, acknowledged, lost, silent } = await moment(`tape${sum.moments}`)
  if (silent > 0) console.log(`${silent} lost without a word: ${place} was deleted`)
  sum.acknowledged += acknowledged
  sum.lost += lost
  sum.silent += silent
}
console.log(JSON.stringify({ ...sum, longestMs: Math.round(longestMs) }))
agent.destroy()
wiki.close()
await servers.stop()
rmSync(home, { recursive: true, force: true })
process.exit(sum.silent === 0 ? 0 : 1)
