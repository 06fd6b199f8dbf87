/**
 * `npx tsx scripts/clients-proof.ts 1.35 1.43`: all clients, unnamed, into one cassette; then offline in two orders, with two
 * seeds, twice in a row, two at once, each step alone, and with half of the writes left out. Prints a table. A step is
 * *right* where it gives what the wiki gives to just these steps, less the writes that were missed; *missed* where
 * wikitape says so, and without a reason unless a write is missing that the answer was recorded after; and else *wrong*.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  type Serving,
  startRecording,
  startReplay
} from '../src/integrations/program/start.ts'
import type { Miss } from '../src/recorder/engine/miss/miss-reply.ts'
import { installClients } from '../test/clients/clients.ts'
import { clientsWiki } from '../test/clients/lab.ts'
import {
  nameOf,
  type Session,
  sessions,
  takesPartTogether
} from '../test/clients/passes.ts'
import { type Run, runSession, type Steps } from '../test/clients/run-session.ts'
import { type LabVersion, labVersions } from './wiki/lab.ts'

const batch = { long: 10, short: 2 }
/** Steps that change the wiki, by their names in all clients. */
const writing =
  /^(?:create|edit|no change|a long text|save a long|append|prepend|update|undo|purge|watch|move|delete|upload|an(?:other)? upload|saved meanwhile|a batch|logout)/
/** Steps without which no other of a session can be: also of one that is run alone. */
const first = /^(?:login|logged in already|login and token|who am I)$/

/** What one way of running came to. */
interface Tally {
  readonly what: string
  right: number
  missed: string[]
  wrong: string[]
  /** What wikitape said of misses that no missing write explains. */
  readonly unexplained: Set<string>
}

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-proof-'))
const taking = sessions.filter(takesPartTogether)
const cookiesOf = ({ kind }: Session, day: string): Pick<Run, 'cookies'> =>
  kind === 'write' || kind === 'kept' ? { cookies: path.join(folder, `${day}.lwp`) } : {}

async function stepsOf(
  session: Session,
  apiUrl: string,
  more: Omit<Run, 'batch'>
): Promise<Steps> {
  const { steps } = await runSession(
    session.client,
    session.kind,
    { kind: 'direct', apiUrl },
    { batch, ...more }
  )
  return steps
}

/** Offline `kept` begins with the cookies of the recording; a login makes cookies of its own. */
const offline = (
  session: Session,
  api: string,
  more: Omit<Run, 'batch'>
): Promise<Steps> =>
  stepsOf(
    session,
    api,
    session.kind === 'kept' ? { ...more, ...cookiesOf(session, 'record') } : more
  )

/** With the ids that the wiki gives to what is new, which depend on how much was written before. */
const withoutNewIds = (text: string): string =>
  text.replace(/(?<![\d.])(?:49[6-9]|5\d\d|8[4-9]\d|9\d\d)(?![\d.])/g, '<new>')

const said = (steps: Steps, name: string): string => steps.get(name) ?? 'missing'
/** Some clients tell an error by its code, some by its text. */
const isMiss = (text: string): boolean => /cassette-miss|To record it/.test(text)
/** The session is "before" a write after which it was recorded. */
const waitsForWrite = ({ reason, what }: Miss): boolean =>
  reason === 'state-differs' && /; this session is .* before (?:it|them)\b/.test(what)

function count(tally: Tally, session: Session, truth: Steps, here: Steps): void {
  for (const name of here.keys()) {
    const text = said(here, name)
    if (isMiss(text)) tally.missed.push(`${nameOf(session)}: ${name}`)
    else if (withoutNewIds(text) === withoutNewIds(said(truth, name))) tally.right += 1
    else
      tally.wrong.push(
        `${nameOf(session)}: ${name}\n      wiki ${said(truth, name).slice(0, 300)}\n      here ${text.slice(0, 300)}`
      )
  }
}

function note({ unexplained }: Tally, server: Serving, whose: string): void {
  for (const miss of server.misses().filter((one) => !waitsForWrite(one)))
    unexplained.add(`${whose}: ${miss.reason}: ${miss.what}`)
}

const show = ({ what, right, missed, wrong, unexplained }: Tally): string =>
  [
    `  ${what.padEnd(40)} right ${right}, missed ${missed.length}, of which no missing write explains ${unexplained.size}, wrong ${wrong.length}`,
    ...missed.map((one) => `    missed ${one}`),
    ...[...unexplained].map((one) => `    why ${one}`),
    ...wrong.map((one) => `    wrong ${one}`)
  ].join('\n')

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** What the wiki itself answers to each session. */
async function withoutProxy(
  wiki: ReturnType<typeof clientsWiki>
): Promise<ReadonlyMap<Session, Steps>> {
  const direct = new Map<Session, Steps>()
  await wiki.fresh()
  for (const session of taking) {
    const cookies = cookiesOf(session, 'direct')
    direct.set(session, await stepsOf(session, wiki.apiUrl, { seed: 1, ...cookies }))
  }
  return direct
}

async function record(
  wiki: ReturnType<typeof clientsWiki>,
  cassette: string
): Promise<void> {
  await wiki.fresh()
  const recording = await startRecording({
    apiUrl: wiki.apiUrl,
    cassette,
    allowLive: true,
    report: print
  })
  for (const session of taking)
    await stepsOf(session, recording.apiUrl, { seed: 2, ...cookiesOf(session, 'record') })
  await recording.close()
}

async function prove(version: LabVersion): Promise<void> {
  const wiki = clientsWiki(version)
  const cassette = path.join(folder, version)
  const direct = await withoutProxy(wiki)
  await record(wiki, cassette)
  print(`MediaWiki ${version}, ${taking.length} sessions without names in one cassette`)
  const truthOf = (session: Session): Steps => direct.get(session) ?? new Map()
  const within = async (
    what: string,
    work: (api: string, tally: Tally) => Promise<void>
  ): Promise<void> => {
    const server = await startReplay({ cassette })
    const tally: Tally = { what, right: 0, missed: [], wrong: [], unexplained: new Set() }
    await work(server.apiUrl, tally)
    note(tally, server, 'all')
    await server.close()
    print(show(tally))
  }
  for (const [what, order, seed] of [
    ['as recorded, seed 3', taking, 3],
    ['in the opposite order, seed 4', taking.toReversed(), 4]
  ] as const)
    await within(`${what}, twice in a row`, async (api, tally) => {
      for (const session of [...order, ...order])
        count(tally, session, truthOf(session), await offline(session, api, { seed }))
    })
  await within('two at once', async (api, tally) => {
    for (const session of taking) {
      const both = await Promise.all(
        [5, 6].map((seed) => offline(session, api, { seed }))
      )
      for (const here of both) count(tally, session, truthOf(session), here)
    }
  })
  /** What the wiki itself says to a part of the steps. */
  const truth = async (session: Session, steps: readonly string[]): Promise<Steps> => {
    await wiki.fresh()
    const start = taking.find(
      ({ client, kind }) => client === session.client && kind === 'write'
    )
    if (session.kind === 'kept' && start !== undefined)
      await stepsOf(start, wiki.apiUrl, { seed: 1, ...cookiesOf(session, 'direct') })
    return stepsOf(session, wiki.apiUrl, {
      seed: 7,
      steps,
      ...cookiesOf(session, 'direct')
    })
  }
  const part = async (
    tally: Tally,
    session: Session,
    steps: readonly string[]
  ): Promise<void> => {
    const server = await startReplay({ cassette })
    const here = await offline(session, server.apiUrl, { seed: 8, steps })
    note(tally, server, `${nameOf(session)}: ${steps.at(-1)}`)
    await server.close()
    const whole = truthOf(session)
    const differs = [...here].some(
      ([name, text]) => !isMiss(text) && text !== said(whole, name)
    )
    const made = steps.filter((name) => !isMiss(said(here, name)))
    count(tally, session, differs ? await truth(session, made) : whole, here)
  }
  await within('one step alone', async (_, tally) => {
    for (const session of taking) {
      const names = [...truthOf(session).keys()]
      const start = names.filter((name) => first.test(name))
      for (const name of names.filter((one) => !first.test(one)))
        await part(tally, session, [...start, name])
    }
  })
  for (const half of [0, 1])
    await within(`half of the writes left out (${half + 1})`, async (_, tally) => {
      for (const session of taking.filter(({ kind }) => kind !== 'read')) {
        let nth = 0
        const names = [...truthOf(session).keys()].filter(
          (name) => !writing.test(name) || nth++ % 2 === half
        )
        await part(tally, session, names)
      }
    })
  await wiki.stop()
}

installClients()
const wanted = labVersions.filter((one) => process.argv.includes(one))
for (const version of wanted.length === 0 ? (['1.35', '1.43'] as const) : wanted)
  await prove(version)
rmSync(folder, { recursive: true, force: true })
