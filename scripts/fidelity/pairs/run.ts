/** Scenes recorded some at a time, and asked for in other ways; what is answered is compared with the wiki's own answer. */
import { getOrAdd } from '../../../src/recorder/text/group-by.ts'
import { type Draw, drawFor } from '../drawn.ts'
import { type Ask, type Cookies, type Said, sendTo } from './ask.ts'
import { type Changed, changed, otherLimit, usualChanges } from './change.ts'
import { drawScene, type Feature, type Ground, nameOf, type Scene } from './draw.ts'
import { apart, judge, treeOf, type Verdict } from './judge.ts'
import {
  cookiesAt,
  following,
  type Recording,
  recordAll,
  sideBySide,
  type Tape
} from './tape.ts'

export type Sums = Record<Verdict | 'missed' | 'fickle', number>

export interface Wrong {
  readonly module: string
  readonly how: string
  readonly recorded: readonly Recording[]
  readonly asked: Ask
  readonly status: string
  readonly apart: string
  readonly verdict: Verdict
}

export interface Outcome {
  readonly modules: Map<string, Sums>
  /** By the change that was asked with. */
  readonly changes: Map<string, Sums>
  /** Why there was no answer, with how often. */
  readonly reasons: Map<string, number>
  readonly wrong: Wrong[]
  asked: number
}

export const newOutcome = (): Outcome => ({
  modules: new Map(),
  changes: new Map(),
  reasons: new Map(),
  wrong: [],
  asked: 0
})
export const newSums = (): Sums => ({
  exact: 0,
  own: 0,
  order: 0,
  wrong: 0,
  missed: 0,
  fickle: 0
})

export interface Plan {
  readonly url: string
  readonly ground: Ground
  readonly seed: number
  readonly asks: number
  readonly scenesAtOnce: number
  /** When to stop, in milliseconds; scenes that were begun are finished. */
  readonly until?: number
}

interface Recorded {
  readonly scene: Scene
  readonly recordings: readonly Recording[]
}

export async function runFeatures(
  plan: Plan,
  features: readonly Feature[],
  outcome: Outcome,
  told: (wrong: Wrong) => void
): Promise<void> {
  const cookies = await cookiesAt(plan.url, plan.ground.callers)
  const truths = askedOnce((ask) => sendTo(plan.url, ask, cookies))
  for (
    let at = 0;
    at < features.length && Date.now() < (plan.until ?? Infinity);
    at += plan.scenesAtOnce
  ) {
    const scenes = features
      .slice(at, at + plan.scenesAtOnce)
      .map((feature, nth) =>
        recordedScene(feature, plan, drawFor(plan.url, plan.seed, at + nth))
      )
    const tape = await recordAll(
      plan.url,
      scenes.flatMap(({ recordings }) => recordings),
      plan.ground.callers
    )
    const asking: Asking = { plan, tape, truths, cookies, outcome, told }
    await sideBySide([...scenes.entries()], ([nth, one]) =>
      askAround(asking, one, drawFor(plan.url, plan.seed + 1, at + nth))
    )
    await tape.close()
  }
}

export function askedOnce(
  send: (ask: Ask) => Promise<Said>
): (ask: Ask) => Promise<Said> {
  const held = new Map<string, Promise<Said>>()
  return (ask) => {
    const name = JSON.stringify([ask, ...(ask.inAddress ?? [])])
    const found = held.get(name) ?? send(ask)
    held.set(name, found)
    return found
  }
}

/** What is recorded of a scene: a walk, at times with another one beside it, or page by page. */
function recordedScene(feature: Feature, { ground }: Plan, draw: Draw): Recorded {
  const scene = drawScene(feature, ground, draw)
  // The whole of a listing is known only where its end was reached.
  const some = (scene.limits.length > 0 ? [1, 2, 6, 20] : [1, 1, 2, 4])[draw(4)] ?? 1
  const steps = feature.inside === true ? 60 : some
  const first: Recording = { ask: scene.ask, steps }
  const alone = draw(scene.rich ? 3 : 6) === 0 ? pageByPage(scene.ask) : []
  if (alone.length > 1)
    return { scene, recordings: alone.map((ask) => ({ ask, steps: 1 })) }
  if (draw(3) > 0) return { scene, recordings: [first] }
  // What a limit adds to an answer is known from that limit alone.
  const second: Recording =
    scene.limits.length > 0 && draw(2) === 0
      ? { ask: otherLimit(scene, draw), steps: some }
      : { ask: changed(scene.ask, scene, ground, draw).ask, steps: 1 + draw(3) }
  return { scene, recordings: [first, second] }
}

function pageByPage(ask: Ask): readonly Ask[] {
  const name = ['titles', 'pageids'].find((one) =>
    ask.entries.some(([own]) => own === one)
  )
  const value = ask.entries.find(([own]) => own === name)?.[1] ?? ''
  return value.split('%7C').map((one) => ({
    ...ask,
    entries: ask.entries.map((entry) => (entry[0] === name ? [entry[0], one] : entry))
  }))
}

export interface Asking {
  readonly plan: Plan
  readonly tape: Tape
  /** Asks the wiki, each question once. */
  readonly truths: (ask: Ask) => Promise<Said>
  readonly cookies: Cookies
  readonly outcome: Outcome
  readonly told: (wrong: Wrong) => void
}

async function askAround(
  asking: Asking,
  { scene, recordings }: Recorded,
  draw: Draw
): Promise<void> {
  const { plan } = asking
  const base =
    recordings.length > 2
      ? scene.ask
      : (recordings[draw(recordings.length)]?.ask ?? scene.ask)
  const asks: Changed[] = [
    { ask: scene.ask, how: 'itself' },
    ...usualChanges(base, scene, plan.ground, draw),
    ...Array.from({ length: plan.asks }, () => changed(base, scene, plan.ground, draw))
  ]
  for (const one of asks) {
    let next:
      | { readonly ask: Ask; readonly at: ReadonlyMap<string, string> }
      | undefined = {
      ask: one.ask,
      at: new Map()
    }
    for (let step = 0; step < 3 && next !== undefined; step += 1) {
      const truth = await compareOne(
        asking,
        { scene, recordings },
        next.ask,
        step === 0 ? one.how : `${one.how}, further on`
      )
      next = truth && following(next.ask, truth, next.at)
    }
  }
}

/** The sentence that says it, without what is of that request alone. */
export const whyMissed = ({ text }: Said): string => {
  const info = /"info":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text.slice(0, 80)
  const [sentence = ''] = info.split(/ Nearest recording| To record it|; not recorded:/)
  return sentence
    .replace(/^.*?: (?=[A-Z])/, '')
    .replace(/\\"(?:[^"\\]|\\[^"])*\\"|query\.\S+|\b[0-9a-f]{12}\b|\d+/g, '…')
    .slice(0, 140)
}

/** The wiki's answer, if the tape had one too. */
export async function compareOne(
  { plan, tape, truths, cookies, outcome, told }: Asking,
  { scene, recordings }: Recorded,
  ask: Ask,
  how: string
): Promise<Said | undefined> {
  const module = nameOf(scene.feature.module)
  const count = (kind: keyof Sums): void => {
    getOrAdd(outcome.modules, module, newSums)[kind] += 1
    getOrAdd(outcome.changes, how, newSums)[kind] += 1
  }
  outcome.asked += 1
  const said = await tape.say(ask)
  if (said.status !== 'replayed' && said.status !== 'synthesized') {
    count('missed')
    const why = whyMissed(said)
    outcome.reasons.set(why, (outcome.reasons.get(why) ?? 0) + 1)
    return undefined
  }
  const truth = await truths(ask)
  const verdict = judge(said, truth)
  if (verdict === 'exact' || verdict === 'own') {
    count(verdict)
    return truth
  }
  if (await isFickle(plan.url, ask, cookies, { said, truth })) {
    count('fickle')
    return undefined
  }
  count(verdict)
  const wrong: Wrong = {
    module,
    how,
    recorded: recordings,
    asked: ask,
    status: said.status,
    apart: apart(said, truth),
    verdict
  }
  outcome.wrong.push(wrong)
  told(wrong)
  return truth
}

type Pair = {
  readonly said: Parameters<typeof judge>[0]
  readonly truth: Parameters<typeof judge>[0]
}

/** What the wiki answers anew each time, unless one is an error and the other is none; or what PHP gave up. */
export async function isFickle(
  url: string,
  ask: Ask,
  cookies: Cookies,
  { said, truth }: Pair
): Promise<boolean> {
  if (truth.code === 500 && truth.text === '') return true
  // What props say of pages depends on which were drawn.
  if (ask.entries.some(([name, value]) => name === 'generator' && value === 'random'))
    return true
  const again = await sendTo(url, ask, cookies)
  const isDrawn = ask.entries.some(([, value]) => /\brandom\b/.test(value))
  if (!isDrawn && judge(again, truth) === 'exact') return false
  return failed(said) === failed(truth)
}

const failed = (one: Pair['said']): boolean => {
  const tree = treeOf(one)
  return (
    tree?.kind === 'object' &&
    tree.members.some(({ key }) => key === 'error' || key === 'errors')
  )
}
