/** The smallest pair of requests that still shows what is wrong. */
import type { Ask, Caller } from './ask.ts'
import { sendTo } from './ask.ts'
import { judge } from './judge.ts'
import { isFickle, type Wrong } from './run.ts'
import { cookiesAt, type Recording, recordAll } from './tape.ts'

export interface Pair {
  readonly recorded: readonly Recording[]
  readonly asked: Ask
}

async function isWrong(
  url: string,
  { recorded, asked }: Pair,
  callers: readonly Caller[]
): Promise<boolean> {
  const used = callers.filter((one) =>
    [asked, ...recorded.map(({ ask }) => ask)].some(({ caller }) => caller === one)
  )
  const tape = await recordAll(url, recorded, used)
  try {
    const said = await tape.say(asked)
    if (said.status !== 'replayed' && said.status !== 'synthesized') return false
    const cookies = await cookiesAt(url, used)
    const truth = await sendTo(url, asked, cookies)
    const verdict = judge(said, truth)
    return (
      (verdict === 'wrong' || verdict === 'order') &&
      !(await isFickle(url, asked, cookies, { said, truth }))
    )
  } finally {
    await tape.close()
  }
}

const without = (ask: Ask, name: string): Ask => ({
  ...ask,
  entries: ask.entries.filter(([own]) => own !== name)
})

function smaller({ recorded, asked }: Pair): readonly Pair[] {
  const fewer =
    recorded.length > 1
      ? recorded.map((_, at) => ({
          recorded: recorded.filter((_one, nth) => nth !== at),
          asked
        }))
      : []
  const shorter = recorded.some(({ steps }) => steps > 1)
    ? [{ recorded: recorded.map(({ ask }) => ({ ask, steps: 1 })), asked }]
    : []
  const names = new Set(
    [asked, ...recorded.map(({ ask }) => ask)].flatMap(({ entries }) =>
      entries.map(([name]) => name)
    )
  )
  const plainer = [...names]
    .filter((name) => name !== 'action')
    .map((name) => ({
      recorded: recorded.map(({ ask, steps }) => ({ ask: without(ask, name), steps })),
      asked: without(asked, name)
    }))
  const got =
    asked.posted || recorded.some(({ ask }) => ask.posted)
      ? [
          {
            recorded: recorded.map(({ ask, steps }) => ({
              ask: { ...ask, posted: false },
              steps
            })),
            asked: { ...asked, posted: false }
          }
        ]
      : []
  return [...fewer, ...shorter, ...got, ...plainer]
}

/** @returns undefined if these alone are not wrong: other recordings took part */
export async function shrink(
  url: string,
  wrong: Wrong,
  callers: readonly Caller[],
  tries: number
): Promise<Pair | undefined> {
  let held: Pair = { recorded: wrong.recorded, asked: wrong.asked }
  if (!(await isWrong(url, held, callers))) return undefined
  let left = tries
  for (let again = true; again && left > 0; ) {
    again = false
    for (const one of smaller(held)) {
      left -= 1
      if (left < 0) break
      if (!(await isWrong(url, one, callers).catch(() => false))) continue
      held = one
      again = true
      break
    }
  }
  return held
}
