/** Random programs: who takes part, what is written, and what is asked before and after each write. */
import { drawFrom } from '../../fuzz/mutate.ts'
import type { Program } from './program.ts'
import { readNames, restReads } from './reads.ts'
import { Script, type Way } from './script.ts'
import { writesOf } from './writes/all.ts'
import type { Cast, Draw, Write } from './writes/write.ts'

const titles = [
  'Prove A',
  'Prove A',
  'Prove B',
  'Prove C',
  'Prove D',
  'Prove R',
  'Template:Prove T',
  'Talk:Prove A',
  'User talk:Bob',
  'Prove P'
] as const
const users = ['Admin', 'Bob', 'Dora', 'Emil'] as const

interface Client {
  readonly user: string
  readonly way: Way | 'anonymous'
}

interface Question {
  readonly who: number
  readonly name: string
  readonly title: string
  readonly user: string
}

const longest = 46

export function drawProgram(version: string, seed: number): Program {
  const draw = drawFrom(seed * 7919 + 13)
  const one = <T>(from: readonly T[], otherwise: T): T =>
    from[draw(from.length)] ?? otherwise
  const script = new Script(`random ${seed}`)
  const temporary = version === '1.43' && draw(8) === 0
  if (temporary) script.withTemporaryAccounts()
  const clients = Array.from({ length: 1 + draw(4) }, (_, at) => drawClient(draw, at))
  clients.forEach(({ user, way }, who) => {
    if (way !== 'anonymous') logsIn(script, draw, who, user, way)
    else script.tokens(who)
  })
  const focus = [one(titles, 'Prove A'), one(titles, 'Prove A')]
  const writes = drawWrites(version, draw)
  const questions = drawQuestions({ version, draw, writes, clients, focus })
  const ask = (some: number): void => {
    for (const { who, name, title, user } of questions)
      if (draw(10) < some) script.read(who, name, { title, user })
  }
  ask(10)
  for (const write of writes) {
    if (script.length > longest) break
    if (draw(6) === 0) changesLogin(script, draw, clients)
    const who = draw(clients.length)
    const cast: Cast = {
      who,
      draw,
      title: one(focus, 'Prove A'),
      user: one(users, 'Bob')
    }
    write.does(script, cast)
    if (draw(5) === 0) write.does(script, { ...cast, who: draw(clients.length) })
    ask(7)
    if (draw(4) === 0) ask(4)
  }
  return inTrouble(script.program, draw)
}

function drawClient(draw: Draw, at: number): Client {
  const way =
    (['login', 'login', 'clientlogin', 'bot', 'anonymous'] as const)[draw(5)] ?? 'login'
  const names = way === 'bot' ? ['Admin', 'Bob'] : ['Admin', 'Admin', 'Bob', 'Dora']
  const user = at === 0 && way !== 'bot' ? 'Admin' : (names[draw(names.length)] ?? 'Bob')
  return { user, way }
}

function logsIn(script: Script, draw: Draw, who: number, user: string, way: Way): void {
  if (draw(12) === 0) script.login(who, user, way, 'not-the-password-of-anybody-1234')
  script.login(who, user, way)
}

function changesLogin(script: Script, draw: Draw, clients: readonly Client[]): void {
  const who = draw(clients.length)
  const { user, way } = clients[who] ?? { user: 'Bob', way: 'login' }
  if (way === 'anonymous') return
  switch (draw(3)) {
    case 0:
      script.logout(who).login(who, user, draw(2) === 0 ? 'login' : 'clientlogin')
      return
    case 1:
      script.logout(who).login(who, user === 'Bob' ? 'Dora' : 'Bob')
      return
    default:
      script.cookies(who, 'none').login(who, user, way)
  }
}

function drawWrites(version: string, draw: Draw): readonly Write[] {
  const from = writesOf(version)
  return Array.from({ length: 2 + draw(4) }, () => from[draw(from.length)]?.[1]).filter(
    (one) => one !== undefined
  )
}

interface Scene {
  readonly version: string
  readonly draw: Draw
  readonly writes: readonly Write[]
  readonly clients: readonly Client[]
  readonly focus: readonly string[]
}

function drawQuestions({
  version,
  draw,
  writes,
  clients,
  focus
}: Scene): readonly Question[] {
  const names = readNames(version)
  const telling = writes.flatMap(({ seen }) => [
    seen[draw(seen.length)],
    seen[draw(seen.length)]
  ])
  const others = [names[draw(names.length)], restReads[draw(restReads.length)]]
  const chosen = [...new Set([...telling, ...others])].filter(
    (name) => name !== undefined && names.includes(name)
  )
  return chosen.slice(0, 8).flatMap((name = '') => {
    const question = {
      name,
      title: focus[draw(focus.length)] ?? 'Prove A',
      user: users[draw(users.length)] ?? 'Bob'
    }
    const who = draw(clients.length)
    const again = draw(3) === 0 ? [{ ...question, who: draw(clients.length) }] : []
    return [{ ...question, who }, ...again]
  })
}

/** In one program of eight, an answer does not come, or comes late. */
function inTrouble(program: Program, draw: Draw): Program {
  if (draw(8) !== 0) return program
  const kind = (['held', 'cut', '504', 'left'] as const)[draw(4)] ?? 'held'
  const fitting = program.steps.filter(({ writes, what, send }) =>
    kind === 'held'
      ? !writes && what !== 'tokens' && send.by === 'get'
      : writes && send.by === 'post' && !/log/.test(what)
  )
  const chosen = fitting[draw(Math.max(1, fitting.length))]
  if (chosen === undefined) return program
  return {
    ...program,
    steps: program.steps.map((step) =>
      step === chosen ? { ...step, trouble: kind } : step
    )
  }
}
