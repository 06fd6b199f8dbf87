/** A shipped recording as a wiki would give it that answers otherwise, or whose pages people changed. */

import type { Interaction, RecordedResponse } from '../../../src/cassette/interaction.ts'
import { loadSide, wholeListingsOf } from '../../../src/cassette-check/load-side.ts'
import { compareCassettes } from '../../../src/drift/compare.ts'
import type { CassetteSide } from '../../../src/drift/inputs/cassette-side.ts'
import { fromPlain, toPlain } from '../../../src/json/plain-json.ts'
import { shipped } from '../../helpers/shipped.ts'
import { interaction } from '../sides.ts'

/** Any JSON value; mutations know what they look for. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord
export interface JsonRecord {
  readonly [name: string]: Json
}

/** A whole answer, changed; the text is that of the request, `list=allpages` and the like. */
export type Mutation = (answer: Json, request: string) => Json

export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

const { side: loaded, facts } = loadSide(shipped('1.43'), 'a')

/** Requests that no shipped cassette holds, with what 1.43 answers. */
const more: readonly Interaction[] = [
  interaction(
    'action=query&prop=revisions&rvprop=ids|timestamp|user|comment|size|sha1&titles=Абрикос&formatversion=2',
    {
      batchcomplete: true,
      query: {
        pages: [
          {
            pageid: 224,
            ns: 0,
            title: 'Абрикос',
            revisions: [
              {
                revid: 838,
                parentid: 422,
                minor: false,
                user: 'Admin',
                timestamp: '2025-01-14T15:00:00Z',
                size: 1200,
                sha1: '408dbf585a9c0987614c9e490961a62d5a606163',
                comment: 'Защитил страницу',
              },
            ],
          },
        ],
      },
    },
  ),
  interaction('action=query&titles=Узелок 01&redirects=1&formatversion=2', {
    batchcomplete: true,
    query: {
      redirects: [{ from: 'Узелок 01', to: 'Узел' }],
      pages: [{ pageid: 174, ns: 0, title: 'Узел' }],
    },
  }),
]

const sideOf = (interactions: readonly Interaction[], engine: string): CassetteSide => ({
  ...loaded,
  manifest: { ...loaded.manifest, engine },
  interactions,
  listings: wholeListingsOf(interactions, facts),
})

const recorded: readonly Interaction[] = [...loaded.interactions, ...more]
const engines = { same: '1.43.9', other: '1.39.17' } as const
export type Versions = keyof typeof engines
const before = { same: sideOf(recorded, engines.same), other: sideOf(recorded, engines.other) }

function mutated(one: Interaction, mutation: Mutation): Interaction {
  const request = [...one.request].map(([name, value]) => `${name}=${value}`).join('&')
  const respond = (response: RecordedResponse): RecordedResponse => {
    const { body } = response
    if (body.kind !== 'json') return response
    const [plain, text] = [toPlain(body.tree) as Json, JSON.stringify(toPlain(body.tree))]
    const after = mutation(plain, request)
    return JSON.stringify(after) === text
      ? response
      : { ...response, body: { ...body, tree: fromPlain(after) } }
  }
  const [first, ...others] = one.responses
  return { ...one, responses: [respond(first), ...others.map(respond)] }
}

/** What is told of behaviour, as `severity kind place`; plain objects sort their numbered members, which is cosmetic. */
export function toldOf(
  mutation: Mutation,
  versions: Versions,
  pages: CassetteSide['pages'] = loaded.pages,
): readonly string[] {
  const after = {
    ...sideOf(
      recorded.map((one) => mutated(one, mutation)),
      engines.same,
    ),
    name: 'b',
    ...(pages && { pages }),
  }
  const { findings } = compareCassettes(before[versions], after)
  return findings.flatMap(({ axis, severity, kind, place }) =>
    axis === 'behaviour' && severity !== 'noise' && severity !== 'cosmetic'
      ? [`${severity} ${kind} ${place}`]
      : [],
  )
}

/** All members of that name, wherever they are; undefined takes the member away. */
export const members =
  (pattern: RegExp, change: (value: Json, name: string) => Json | undefined): Mutation =>
  (answer) => {
    const walk = (value: Json): Json => {
      if (isList(value)) return value.map(walk)
      if (!isRecord(value)) return value
      const entries = Object.entries(value).flatMap(([name, member]) => {
        const after = pattern.test(name) ? change(member, name) : walk(member)
        return after === undefined ? [] : [[name, after] as const]
      })
      return Object.fromEntries(entries)
    }
    return walk(answer)
  }

/** Each list of objects below `query`. */
export const lists =
  (change: (rows: readonly JsonRecord[]) => readonly JsonRecord[]): Mutation =>
  (answer) => {
    if (!isRecord(answer) || !isRecord(answer['query'])) return answer
    const query = Object.entries(answer['query']).map(([name, value]) => [
      name,
      isList(value) && value.every(isRecord) ? change(value.filter(isRecord)) : value,
    ])
    return { ...answer, query: Object.fromEntries(query) }
  }

/** Each object that holds the member. */
export const rows = (name: string, change: (row: JsonRecord) => JsonRecord): Mutation => {
  const walk = (value: Json): Json => {
    if (isList(value)) return value.map(walk)
    if (!isRecord(value)) return value
    const inner = Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, walk(member)] as const),
    )
    return Object.hasOwn(value, name) ? change(inner) : inner
  }
  return (answer) => walk(answer)
}
