/** The objects of an engine, each asked by itself: plans have no effect until they are carried out. */

import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/recorder/engine/call.ts'
import { eventText } from '../../../src/recorder/engine/engine-event.ts'
import {
  connectParts,
  type EngineParts
} from '../../../src/recorder/engine/engine-parts.ts'
import { PendingLogEntry } from '../../../src/recorder/engine/pending-log-entry.ts'
import { planReplay, sendAnswer } from '../../../src/recorder/engine/replay/replayer.ts'
import {
  entryLine,
  type RequestLogEntry,
  shownEntry
} from '../../../src/recorder/engine/request-log.ts'
import { SessionRegistry } from '../../../src/recorder/engine/session/session-registry.ts'
import type {
  IncomingRequest,
  Reply
} from '../../../src/recorder/http/incoming-request.ts'
import { SecretRegistry } from '../../../src/recorder/privacy/known/secret-registry.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { jsonBody, response } from '../../helpers/recorded.ts'

const get = (target: string, more: Partial<IncomingRequest> = {}): IncomingRequest => ({
  method: 'GET',
  target,
  headers: {},
  body: new Uint8Array(),
  session: '',
  signal: undefined,
  ...more
})
const listing = '/w/api.php?action=query&format=json&list=allpages'

interface Open {
  readonly parts: EngineParts
  readonly store: CassetteStore
  readonly lines: string[]
  readonly call: (exchange: IncomingRequest) => Promise<Call>
}

function open(): Open {
  const upstream = 'http://wiki.example/w/api.php'
  const store = CassetteStore.openOrCreate(temporaryFolder(), upstream, {
    day: '2026-11-23'
  })
  const lines: string[] = []
  const parts = connectParts({
    store,
    sessions: new SessionRegistry(() => []),
    mode: 'none',
    live: undefined,
    secrets: undefined,
    missStatus: 404,
    onMiss: 'error',
    recordErrors: false,
    refuseWrites: false,
    readOnly: false,
    now: () => Date.UTC(2026, 10, 23),
    onEvent: (event) => void lines.push(eventText(event)),
    onEntry: () => undefined
  })
  const call = async (exchange: IncomingRequest): Promise<Call> =>
    parts.calls.inEpoch(await parts.calls.read(exchange))
  return { parts, store, lines, call }
}

describe('a plan to replay', () => {
  it('changes neither turns nor counts until it is carried out', async () => {
    const { parts, store, call } = open()
    const asked = await call(get(listing))
    const { key, canonical, sentValues: spelled } = asked.derivation
    const answers = ['{"batchcomplete":"","n":1}', '{"batchcomplete":"","n":2}'].map(
      (text) => response(jsonBody(text))
    )
    const [first, ...more] = answers
    if (first === undefined) throw new Error('no answer')
    store.put({
      key,
      request: canonical,
      sentValues: spelled,
      responses: [first, ...more]
    })

    const bodies: string[] = []
    for (const carriesOut of [false, false, true, false, true]) {
      const trial = planReplay(asked, parts.lookup(asked), parts)
      if (trial.kind !== 'ready') throw new Error(trial.kind)
      bodies.push(trial.plan.outcome.reply.body.toString())
      if (carriesOut) sendAnswer(asked, trial.plan, parts)
    }
    expect(bodies.map((body) => /"n":(\d)/.exec(body)?.[1])).toEqual([
      '1',
      '1',
      '1',
      '2',
      '2'
    ])
    expect(parts.context.summary.counts.replayed).toBe(2)
  })
})

describe('a miss', () => {
  it('is counted each time and reported once', async () => {
    const { parts, lines, call } = open()
    const asked = await call(get(listing))
    expect(parts.lookup(asked).match.kind).toBe('missing')
    for (let again = 0; again < 2; again += 1) {
      const { reply } = await parts.reportMiss(asked, { kind: 'missing' })
      expect([reply.status, reply.missReason]).toEqual([404, 'empty-cassette'])
    }
    expect(lines).toEqual([expect.stringContaining('list allpages')])
    expect(parts.context.summary.counts.missed).toBe(2)
  })

  it('of another wiki names its path, and is found to be one by the call', async () => {
    const { parts, lines, call } = open()
    const asked = await call(get('/de/api.php?action=query&format=json'))
    expect(asked.otherWiki).toBe(true)
    const { reply } = await parts.reportMiss(asked, { kind: 'other-wiki' })
    expect(reply.missReason).toBe('other-wiki')
    expect(lines[0]).toContain('The request is for /de/api.php')
  })
})

describe('an entry of the request log', () => {
  const reply = {
    status: 200,
    headers: [],
    body: Buffer.alloc(0),
    cassetteStatus: 'replayed',
    key: undefined
  } as const

  const entryOf = (
    incoming: IncomingRequest,
    answer: Reply,
    secrets?: SecretRegistry
  ): RequestLogEntry => {
    const entries: RequestLogEntry[] = []
    const onEntry = (entry: RequestLogEntry): void => void entries.push(entry)
    const context = { store: { dir: 'c' }, now: () => 0, secrets, onEntry }
    new PendingLogEntry(incoming, context as never).done(answer)
    const [entry] = entries
    if (entry === undefined) throw new Error('no entry')
    return { ...entry, ms: 2.6 }
  }

  it('names the module of a GET by its target and of a POST by its form', () => {
    const body = Buffer.from('action=parse&text=x')
    expect(entryLine(entryOf(get(listing), reply))).toBe(
      'replayed 200 query.allpages - 3 ms'
    )
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = get('/w/api.php', { method: 'POST', headers, body })
    expect(shownEntry(entryOf(posted, reply)).module).toBe('parse')
  })

  it('is shown without secrets, also those that became known after it', () => {
    const ledger = new SecretRegistry()
    const entry = entryOf(
      get(listing),
      { ...reply, whyNotRecorded: 'it said Kx83hWq0ZrT5' },
      ledger
    )
    expect(shownEntry(entry).why).toContain('Kx83hWq0ZrT5')
    ledger.learn([{ kind: 'password', value: 'Kx83hWq0ZrT5', source: 'a test' }])
    expect(shownEntry(entry).why).not.toContain('Kx83hWq0ZrT5')
  })
})
