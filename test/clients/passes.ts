/** Every session of every client on one wiki: direct, recorded, and then offline in several ways. */
import path from 'node:path'
import type { LabVersion } from '../../scripts/wiki/lab.ts'
import { startRecording, startReplay } from '../../src/integrations/program/start.ts'
import { type Client, clients, type SessionKind } from './clients.ts'
import { clientsWiki } from './lab.ts'
import {
  type BatchSize,
  type Outcome,
  type Route,
  type Run,
  runSession
} from './run-session.ts'

/** `twice`: all at once of one server, each two times. */
export const passNames = ['direct', 'record', 'replay', 'other batches', 'twice'] as const
export type PassName = (typeof passNames)[number]

const usualBatch: BatchSize = { long: 10, short: 2 }
const otherBatch: BatchSize = { long: 7, short: 3 }

export interface Session {
  readonly client: Client
  readonly kind: SessionKind
}

/** Reads first: they then see the wiki as it was built. */
const inOrder = ['read', 'proxied', 'rewritten', 'write', 'kept'] as const
export const sessions: readonly Session[] = inOrder.flatMap((kind) =>
  clients.filter(({ kinds }) => kinds.includes(kind)).map((client) => ({ client, kind }))
)

export const nameOf = ({ client, kind }: Session): string => `${client.name}, ${kind}`

/** The one cassette of all sessions, below the folder of a run. */
export const cassetteIn = (folder: string): string => path.join(folder, 'tape')

/** What a flag of `exec` does is missing where all share one server. */
export const takesPartTogether = ({ kind }: Session): boolean =>
  kind !== 'proxied' && kind !== 'rewritten'

/** Outcomes of each run, by session, then by pass; a session that does not take part in a pass has none. */
export type Outcomes = ReadonlyMap<string, ReadonlyMap<PassName, readonly Outcome[]>>

export interface Passes {
  readonly outcomes: Outcomes
  /** What wikitape reported while recording. */
  readonly reports: readonly string[]
}

/**
 * Direct and recorded runs start from the wiki as it was built and go in the same order, so that pages and
 * revisions get the same ids. The others run with the wiki switched off, and in the opposite order.
 */
export async function runPasses(version: LabVersion, folder: string): Promise<Passes> {
  const wiki = clientsWiki(version)
  const { apiUrl } = wiki
  const cassette = cassetteIn(folder)
  const reports: string[] = []
  const outcomes = new Map(
    sessions.map((session) => [nameOf(session), new Map<PassName, readonly Outcome[]>()])
  )
  const run = async (
    pass: PassName,
    session: Session,
    route: Route,
    batch = usualBatch
  ): Promise<void> => {
    const cookies = cookiesOf(session, pass, folder)
    // The set of hashes is another one in each pass, and the same each time that the suite runs.
    const seed = passNames.indexOf(pass) + 1
    const outcome = await runSession(session.client, session.kind, route, {
      batch,
      seed,
      ...cookies
    })
    const known = outcomes.get(nameOf(session))
    known?.set(pass, [...(known.get(pass) ?? []), outcome])
  }
  try {
    await wiki.fresh()
    for (const session of sessions)
      await run('direct', session, { kind: 'direct', apiUrl })
    await wiki.fresh()
    // One server for all that can share one, so that only their cookies tell the sessions apart.
    const recording = await startRecording({
      apiUrl,
      cassette,
      allowLive: true,
      report: (line) => reports.push(line)
    })
    const shared: Route = { kind: 'direct', apiUrl: recording.apiUrl }
    for (const session of sessions.filter(takesPartTogether))
      await run('record', session, shared)
    await recording.close()
    for (const session of sessions.filter((one) => !takesPartTogether(one)))
      await run('record', session, { kind: 'record', apiUrl, cassette })
  } finally {
    await wiki.stop()
  }
  const route: Route = { kind: 'replay', apiUrl, cassette }
  // Each has a server of its own, so that two at once do not meet.
  const replays = async (pass: PassName, batch: BatchSize): Promise<void> => {
    for (const session of sessions.toReversed()) await run(pass, session, route, batch)
  }
  await Promise.all([replays('replay', usualBatch), replays('other batches', otherBatch)])
  const server = await startReplay({ cassette })
  const here: Route = { kind: 'direct', apiUrl: server.apiUrl }
  const sharing = sessions.filter(takesPartTogether)
  await Promise.all(
    [...sharing, ...sharing].map((session) => run('twice', session, here))
  )
  await server.close()
  return { outcomes, reports }
}

/** Offline `kept` begins with the cookies of the day of the recording. */
function cookiesOf(
  { kind }: Session,
  pass: PassName,
  folder: string
): Pick<Run, 'cookies'> {
  const wikiGave = pass === 'direct' || pass === 'record'
  if (kind !== 'kept' && !(kind === 'write' && wikiGave)) return {}
  return { cookies: path.join(folder, `${wikiGave ? pass : 'record'}.lwp`) }
}
