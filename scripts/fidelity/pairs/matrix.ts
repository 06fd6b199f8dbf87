/**
 * Each of many requests near one another recorded alone, and all the others asked: of so many requests, the square of pairs,
 * for which the wiki is asked once each.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startRecording, startReplay } from '../../../src/index.ts'
import { drawFor } from '../drawn.ts'
import { type Ask, type Said, sendTo } from './ask.ts'
import { type Changed, changed, usualChanges } from './change.ts'
import { drawScene, type Feature, type Scene } from './draw.ts'
import { askedOnce, compareOne, type Outcome, type Plan, type Wrong } from './run.ts'
import { sideBySide } from './tape.ts'

interface Row {
  readonly scene: Scene
  readonly asks: readonly Changed[]
}

/** A request, the file that it was recorded to, and what the wiki said. */
interface Known {
  readonly file: string | undefined
  readonly said: Said
}

/** @param plan `asks` is how many requests there are of each scene */
export async function runMatrix(
  plan: Plan,
  features: readonly Feature[],
  outcome: Outcome,
  told: (wrong: Wrong) => void
): Promise<void> {
  const until = plan.until ?? Number.POSITIVE_INFINITY
  for (let at = 0; at < features.length && Date.now() < until; at += plan.scenesAtOnce) {
    const rows = features
      .slice(at, at + plan.scenesAtOnce)
      .map((feature, nth) => drawRow(feature, plan, at + nth))
    await runRows(plan, rows, outcome, told)
  }
}

function drawRow(feature: Feature, { url, ground, seed, asks }: Plan, nth: number): Row {
  const draw = drawFor(url, seed, nth)
  const drawn = drawScene(feature, ground, draw)
  const scene: Scene = { ...drawn, ask: { ...drawn.ask, caller: 'anonymous' } }
  const all = new Map<string, Changed>()
  const add = (one: Changed): void => {
    if (one.ask.caller === 'anonymous') all.set(nameOf(one.ask), one)
  }
  add({ ask: scene.ask, how: 'itself' })
  for (const one of usualChanges(scene.ask, scene, ground, draw)) add(one)
  for (let tries = 0; tries < 3 * asks && all.size < asks; tries += 1) {
    // Most are one change apart from the first, and two from each other.
    const other = draw(3) === 0 ? [...all.values()][draw(all.size)] : undefined
    const from = other?.ask ?? scene.ask
    add(changed(from, scene, ground, draw))
  }
  return { scene, asks: [...all.values()] }
}

const nameOf = (ask: Ask): string => JSON.stringify([ask, ...(ask.inAddress ?? [])])

async function runRows(
  plan: Plan,
  rows: readonly Row[],
  outcome: Outcome,
  told: (wrong: Wrong) => void
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-matrix-'))
  const whole = path.join(folder, 'whole')
  const known = await recordRows(plan.url, rows, whole)
  const none = new Map<never, never>()
  const truths = askedOnce((ask) => sendTo(plan.url, ask, none))
  const width = Math.max(...rows.map(({ asks }) => asks.length))
  const columns = Array.from({ length: width }, (_, column) => column)
  await sideBySide(columns, async (column) => {
    const cassette = path.join(folder, String(column))
    const recorded = rows.map(({ asks }) => asks[column])
    partOf(
      whole,
      cassette,
      recorded.flatMap((one) => (one && known.get(nameOf(one.ask))?.file) ?? [])
    )
    const replay = await startReplay({ cassette })
    const asking = {
      plan,
      tape: {
        say: (ask: Ask) => sendTo(replay.apiUrl, ask, none),
        close: async (): Promise<void> => void (await replay.close())
      },
      // What was replayed while recording may be another request's answer.
      truths: async (ask: Ask) => {
        const said = known.get(nameOf(ask))?.said
        return said?.status === 'recorded' ? said : truths(ask)
      },
      cookies: none,
      outcome,
      told
    }
    for (const [nth, { scene, asks }] of rows.entries()) {
      const own = recorded[nth]
      if (own === undefined) continue
      const recordings = [{ ask: own.ask, steps: 1 }]
      for (const other of asks)
        if (other !== own)
          await compareOne(asking, { scene, recordings }, other.ask, other.how)
    }
    await replay.close()
    rmSync(cassette, { recursive: true })
  })
  rmSync(folder, { recursive: true })
}

/** Records all, each into a file of its own. */
async function recordRows(
  url: string,
  rows: readonly Row[],
  cassette: string
): Promise<ReadonlyMap<string, Known>> {
  const recording = await startRecording({ cassette, apiUrl: url, allowLive: true })
  const keys = new Map<string, { readonly key: string; readonly said: Said }>()
  await sideBySide(
    rows.flatMap(({ asks }) => asks),
    async ({ ask }) => {
      const said = await sendTo(recording.apiUrl, ask, new Map())
      keys.set(nameOf(ask), { key: said.key ?? '', said })
    }
  )
  await recording.close()
  const files = new Map(
    readdirSync(cassette, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
      const key = /\.([0-9a-f]{12})\.json$/.exec(file)?.[1]
      return key === undefined ? [] : [[key, file] as const]
    })
  )
  return new Map(
    [...keys].map(([name, { key, said }]) => [name, { file: files.get(key), said }])
  )
}

/** A cassette with some of the files, and what the wiki says of itself. */
function partOf(whole: string, part: string, files: readonly string[]): void {
  for (const own of ['cassette.json', 'paraminfo'])
    cpSync(path.join(whole, own), path.join(part, own), { recursive: true })
  for (const file of new Set(files)) {
    mkdirSync(path.dirname(path.join(part, file)), { recursive: true })
    cpSync(path.join(whole, file), path.join(part, file))
  }
}
