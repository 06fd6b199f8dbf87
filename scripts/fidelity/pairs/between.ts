/**
 * A page is made between two recorded batches of one listing. What is answered of both must be what the wiki said before or
 * after that: batches that are joined by numbers of rows would show a row twice.
 */
import { labAccounts } from '../../wiki/lab.ts'
import { type Draw, drawFor, pick } from '../drawn.ts'
import { type Ask, logIn, type Said, sendTo } from './ask.ts'
import { drawScene, type Feature, nameOf, type Scene } from './draw.ts'
import { apart, judge } from './judge.ts'
import { newSums, type Outcome, type Plan, type Wrong } from './run.ts'
import { recordAll, sideBySide } from './tape.ts'

/** Listings that a new page may move. */
const moved =
  /^(?:querypage|search|prefixsearch|allpages|categorymembers|backlinks|embeddedin|usercontribs|recentchanges|allrevisions|logevents|allcategories|alllinks|linkshere)$/

/** It comes first by its name and by its length, and is on each list of what a page lacks. */
const newPage = (nth: number): Readonly<Record<string, string>> => ({
  action: 'edit',
  title: `!${String(nth).padStart(5, '0')}`,
  text: nth % 2 === 0 ? 'р' : 'Река [[Категория:Природа 0]] [[Узел]] {{Box B}}'
})

async function write(url: string, cookie: string, nth: number): Promise<void> {
  const post = async (params: Readonly<Record<string, string>>): Promise<string> => {
    const body = new URLSearchParams({ ...params, format: 'json', formatversion: '2' })
    return (await fetch(url, { method: 'POST', headers: { cookie }, body })).text()
  }
  const answer = await post({ action: 'query', meta: 'tokens' })
  const token = /"csrftoken":"([^"]*)"/.exec(answer)?.[1]?.replaceAll('\\\\', '\\') ?? ''
  const made = await post({ ...newPage(nth), token })
  if (!made.includes('"Success"'))
    throw new Error(`no page was made: ${made.slice(0, 300)}`)
}

const withLimit = ({ ask, limits }: Scene, limit: string): Ask => ({
  ...ask,
  entries: ask.entries.map((one) => (one[0] === limits[0] ? [one[0], limit] : one))
})

interface Question {
  readonly scene: Scene
  readonly ask: Ask
  readonly before: Said
}

/** @param plan its wiki is written to */
export async function runBetween(
  plan: Plan,
  features: readonly Feature[],
  outcome: Outcome,
  told: (wrong: Wrong) => void
): Promise<void> {
  const { url, ground, seed, scenesAtOnce, until = Number.POSITIVE_INFINITY } = plan
  const cookie = await logIn(url, labAccounts.admin)
  const fitting = features.filter(({ module }) => moved.test(nameOf(module)))
  const say = (ask: Ask): Promise<Said> => sendTo(url, ask, new Map())
  for (let at = 0; at < fitting.length && Date.now() < until; at += scenesAtOnce) {
    const scenes = fitting
      .slice(at, at + scenesAtOnce)
      .flatMap((feature, nth): readonly Scene[] => {
        const scene = drawScene(feature, ground, drawFor(url, seed, at + nth))
        return scene.limits.length === 1 && scene.ask.caller === 'anonymous'
          ? [scene]
          : []
      })
    const draw = drawFor(url, seed + 3, at)
    const questions: Question[] = []
    await sideBySide(scenes, async (scene) => {
      for (const limit of ['3', '4', '6', pick(['2', '5', '9'], draw) ?? '2'])
        questions.push({
          scene,
          ask: withLimit(scene, limit),
          before: await say(withLimit(scene, limit))
        })
    })
    const recordings = scenes.map((scene) => ({ ask: withLimit(scene, '3'), steps: 3 }))
    const tape = await recordAll(url, recordings, [], () =>
      write(url, cookie, pageNumber(at, draw))
    )
    await sideBySide(questions, async ({ scene, ask, before }) => {
      const module = nameOf(scene.feature.module)
      const sums = outcome.modules.get(module) ?? newSums()
      outcome.modules.set(module, sums)
      outcome.asked += 1
      const said = await tape.say(ask)
      if (said.status !== 'replayed' && said.status !== 'synthesized') {
        sums.missed += 1
        return
      }
      const after = await say(ask)
      const verdicts = [judge(said, before), judge(said, after)]
      const verdict =
        (['exact', 'own'] as const).find((one) => verdicts.includes(one)) ?? 'wrong'
      sums[verdict] += 1
      if (verdict !== 'wrong') return
      const recorded = [{ ask: withLimit(scene, '3'), steps: 3 }]
      const how = 'a page was made between its batches'
      const difference = apart(said, before)
      const wrong: Wrong = {
        module,
        how,
        recorded,
        asked: ask,
        status: said.status,
        apart: difference,
        verdict
      }
      outcome.wrong.push(wrong)
      told(wrong)
    })
    await tape.close()
  }
}

/** Later ones come before those that are there. */
const pageNumber = (at: number, draw: Draw): number =>
  99_000 - (Math.floor(Date.now() / 1000) % 90_000) - at - draw(9)
