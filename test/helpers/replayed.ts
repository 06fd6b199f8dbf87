/** Answers as clients get them on replay, through the proxy and inside their own process: recorded, read back, rendered, sent. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { labVersions } from '../../scripts/wiki/lab.ts'
import type {
  Interaction,
  RecordedResponse
} from '../../src/recorder/cassette/interaction.ts'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { readJson } from '../../src/recorder/json/read-json.ts'
import { derive, type WikiFacts } from '../../src/recorder/request/derive.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import {
  type Params,
  writeQuery
} from '../../src/recorder/wiki/parameters/request-params.ts'
import { fromParams, paramsOf } from './api-requests.ts'
import { toRecordedResponse } from './converted.ts'
import { answerOf, goldenSeeds } from './golden-calls.ts'
import { scaled } from './scale.ts'
import { type Transport, transports } from './transports.ts'

export interface Replayed {
  /** Which of its wiki's answers it is. */
  readonly at: number
  /** The parameters of the request; from a cassette the canonical ones. */
  readonly params: Params
  readonly status: number
  readonly tree: JsonTree
  /** The same as a value, where order does not matter. */
  readonly value: unknown
  readonly text: string
  readonly cookies: readonly string[]
}

/** Answers of one wiki, as one kind of client gets them. */
export interface Source {
  readonly name: string
  readonly replayed: readonly Replayed[]
}

/** Everything here is replayed at this moment or a little later. */
export const replayMoment: number = Date.now()

/** One request for what is recorded under a key. */
interface Asked {
  readonly params: Params
  readonly key: Interaction['key']
}

const silent: WikiFacts = { lookup: () => undefined, site: undefined }

/** Answers to one key become a sequence, in the order in which they were given. */
function writeGolden(folder: string): readonly Asked[] {
  const store = CassetteStore.openOrCreate(folder, 'http://wiki.example/w/api.php')
  const recorded = new Map<string, RecordedResponse[]>()
  return goldenSeeds.map((call) => {
    const request = fromParams(paramsOf(call.q))
    const taking = toRecordedResponse(
      request,
      answerOf(call),
      Date.parse('2026-11-21T01:55:00Z')
    )
    if (taking.kind === 'refused') throw new Error(`${taking.reason}: ${call.q}`)
    const { key, canonical, sentValues: asked } = derive(request, silent)
    const [first = taking.response, ...more] = [
      ...(recorded.get(key) ?? []),
      taking.response
    ]
    recorded.set(key, [first, ...more])
    store.put({ key, request: canonical, sentValues: asked, responses: [first, ...more] })
    return { params: request.params, key }
  })
}

function readShipped(folder: string): readonly Asked[] {
  const store = CassetteStore.open(folder)
  return [...store.paths()].flatMap(([key]) => {
    const found = store.get(key)
    if (found.kind !== 'found') throw new Error(`${folder} ${key} is ${found.kind}`)
    const { request, sentValues: asked, responses } = found.interaction
    if (request.has('plain target') || request.has('format')) return []
    const asSent = [...request].map(
      ([param, value]) => [param, asked.get(param) ?? value] as const
    )
    const params = new Map([
      ...asSent.filter(([param]) => !param.includes(' ')),
      ['format', 'json']
    ])
    return responses.map(() => ({ params, key }))
  })
}

/** Each key has a session of its own, so that its sequence is told from the start. */
async function replay(
  { ask, close }: Transport,
  all: readonly Asked[],
  isAsked: (at: number) => boolean
): Promise<readonly Replayed[]> {
  const replayed: Replayed[] = []
  for (const [at, { key, params }] of all.entries()) {
    if (!isAsked(at)) continue
    const { cookies, headers, status, text } = await ask(writeQuery(params), key)
    if (headers['x-cassette-status'] !== 'replayed')
      throw new Error(
        `${headers['x-cassette-status']} rather than replayed: ${writeQuery(params)}\n${text}`
      )
    const reading = readJson(text)
    if (reading.ok)
      replayed.push({
        at,
        params,
        status,
        tree: reading.tree,
        value: JSON.parse(text),
        text,
        cookies
      })
  }
  await close()
  return replayed
}

const shipped = fileURLToPath(new URL('../../cassettes', import.meta.url))
const place = mkdtempSync(path.join(tmpdir(), 'wikitape-golden-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const recordings: readonly (readonly [
  name: string,
  folder: string,
  asked: readonly Asked[]
])[] = [
  [
    'MediaWiki 1.25.4',
    path.join(place, 'golden'),
    writeGolden(path.join(place, 'golden'))
  ],
  // Not all that is there: README has its reader record into cassettes/mine.
  ...labVersions.map((version) => {
    const folder = path.join(shipped, `ru-${version}`)
    return [`cassettes/ru-${version}`, folder, readShipped(folder)] as const
  })
]

/** What a request asks for, whatever it says of it: its modules, and the names of its parameters. */
const kindOf = ({ params }: Asked): string =>
  [...params]
    .map(([name, value]) =>
      /^(?:action|list|meta|prop|generator)$/.test(name) ? `${name}=${value}` : name
    )
    .sort()
    .join('&')

/** The first of each kind, and each `step`th. */
function someOf(asked: readonly Asked[], step: number): (at: number) => boolean {
  const firsts = new Map(asked.map((one, at) => [kindOf(one), at] as const).reverse())
  const chosen = new Set(firsts.values())
  return (at) => chosen.has(at) || at % step === 0
}

/** Of what is shipped some is asked for, or all; nock takes several times what a socket takes. */
function isAsked(
  transport: string,
  name: string,
  asked: readonly Asked[]
): (at: number) => boolean {
  if (!name.startsWith('cassettes/')) return () => true
  // What one is asked for, the other is asked for, too: 4 divides 40.
  return someOf(asked, scaled(transport === 'through nock' ? 40 : 4, 1))
}

/** A real 1.25.4, and every shipped cassette, each through every transport. */
export const sources: readonly Source[] = await (async () => {
  const all: Source[] = []
  for (const { name: transport, start } of transports)
    for (const [name, folder, asked] of recordings)
      all.push({
        name: `${name} ${transport}`,
        replayed: await replay(
          await start(folder),
          asked,
          isAsked(transport, name, asked)
        )
      })
  return all
})()
