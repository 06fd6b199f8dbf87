/** Answers as wikitape replays them: recorded, written to a file's text, read back, rendered. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { decodeInteraction, encodeInteraction } from '../../src/cassette/format.ts'
import type { Interaction, RecordedResponse } from '../../src/cassette/interaction.ts'
import { takeResponse } from '../../src/cassette/record.ts'
import { readJson } from '../../src/json/read.ts'
import type { JsonTree } from '../../src/json/tree.ts'
import { renderReply } from '../../src/proxy/respond.ts'
import type { ApiRequest } from '../../src/request/api-request.ts'
import { derive, type WikiFacts } from '../../src/request/derive.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import type { Params } from '../../src/wiki/params.ts'
import { fromParams, paramsOf } from './api-requests.ts'
import { answerOf, goldenSeeds } from './golden-calls.ts'

export interface Replayed {
  /** The parameters of the request; from a cassette the canonical ones. */
  readonly params: Params
  readonly status: number
  readonly tree: JsonTree
  /** The same as a value, where order does not matter. */
  readonly value: unknown
  readonly text: string
  readonly cookies: readonly string[]
}

/** Answers of one wiki. */
export interface Source {
  readonly name: string
  readonly replayed: readonly Replayed[]
}

/** The moment at which everything here is replayed. */
export const replayMoment: number = Date.parse('2027-01-01T00:00:00Z')

function render(
  response: RecordedResponse,
  request: ApiRequest,
  key: Interaction['key'],
): Replayed | undefined {
  const reply = renderReply(response, request, { status: 'replayed', key, now: replayMoment })
  if (typeof reply === 'string') throw new Error(`${reply}: ${[...request.params].join(' ')}`)
  const text = reply.body.toString('utf8')
  const reading = readJson(text)
  if (!reading.ok) return undefined
  return {
    params: request.params,
    status: reply.status,
    tree: reading.tree,
    value: JSON.parse(text),
    text,
    cookies: reply.headers.flatMap(([name, value]) => (name === 'set-cookie' ? [value] : [])),
  }
}

const silent: WikiFacts = { lookup: () => undefined, site: undefined }

function replayGolden(): Source {
  const replayed = goldenSeeds.flatMap((call) => {
    const request = fromParams(paramsOf(call.q))
    const taking = takeResponse(request, answerOf(call), Date.parse('2026-11-21T01:55:00Z'))
    if (taking.kind === 'refused') throw new Error(`${taking.why}: ${call.q}`)
    const { key, canonical, asked } = derive(request, silent)
    const { text } = encodeInteraction(
      { key, request: canonical, asked, responses: [taking.response] },
      'stem',
    )
    const reading = decodeInteraction(text, { read: () => undefined })
    if (!reading.ok) throw new Error(`${reading.fault.message}: ${call.q}`)
    return render(reading.interaction.responses[0], request, key) ?? []
  })
  return { name: 'MediaWiki 1.25.4', replayed }
}

function replayCassette(name: string): Source {
  const store = CassetteStore.open(fileURLToPath(new URL(`../../cassettes/${name}`, import.meta.url)))
  const replayed = [...store.paths()].flatMap(([key]) => {
    const found = store.find(key)
    if (found.kind !== 'found') throw new Error(`${name} ${key} is ${found.kind}`)
    const { request, asked, responses } = found.interaction
    if (request.has('plain target') || request.has('format')) return []
    const asSent = [...request].map(([param, value]) => [param, asked.get(param) ?? value] as const)
    const params = new Map([...asSent.filter(([param]) => !param.includes(' ')), ['format', 'json']])
    return responses.flatMap((response) => render(response, fromParams(params), key) ?? [])
  })
  return { name: `cassettes/${name}`, replayed }
}

const shipped: readonly string[] = readdirSync(new URL('../../cassettes', import.meta.url)).sort()

/** A real 1.25.4, and every shipped cassette. */
export const sources: readonly Source[] = [replayGolden(), ...shipped.map(replayCassette)]
