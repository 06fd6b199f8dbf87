/** A shipped recording as a wiki would give it that answers otherwise, or whose pages people changed. */

import { type ComparisonOptions, compareCassettes } from '../../../src/drift/compare.ts'
import type { DriftReport } from '../../../src/drift/findings/drift-report.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import type {
  CassetteSide,
  WholeListing
} from '../../../src/drift/inputs/cassette-side.ts'
import { loadSide, wholeListingsOf } from '../../../src/drift/inputs/load-side.ts'
import type {
  Interaction,
  RecordedBody,
  RecordedResponse
} from '../../../src/recorder/cassette/interaction.ts'
import { folderOf } from '../../../src/recorder/cassette/interaction-path.ts'
import { fromPlain, toPlain } from '../../../src/recorder/json/plain-json.ts'
import { getOrAdd, groupBy } from '../../../src/recorder/text/group-by.ts'
import { shipped } from '../../helpers/shipped.ts'
import { moreAnswers } from './more-answers.ts'

/** Any JSON value; mutations know what they look for. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord
export interface JsonRecord {
  readonly [name: string]: Json
}

/** A whole answer, changed; the text is that of the request, `list=allpages` and the like. */
export type Mutation = (answer: Json, request: string) => Json

/** What is changed of a wiki: its answers, with what they come in, and what it says of its modules. */
interface ChangeParts {
  readonly answer?: Mutation
  readonly response?: (response: RecordedResponse) => RecordedResponse
  readonly module?: (module: Json) => Json
}
export type WikiChange = Mutation | ChangeParts

export const isRecord = (value: Json | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isList = (value: Json | undefined): value is readonly Json[] =>
  Array.isArray(value)

const { side: loaded, facts } = loadSide(shipped('1.43'), 'a')

const sideOf = (interactions: readonly Interaction[], engine: string): CassetteSide => ({
  ...loaded,
  manifest: { ...loaded.manifest, engine },
  interactions,
  listings: [...groupBy(interactions, ({ request }) => folderOf(request))].flatMap(
    ([folder, members]) => listingsOf(folder, members)
  )
})

/** The unchanged recordings of each folder, by their number, with their listings: most mutations leave most folders as they are. */
const unchangedListings = new Map<
  string,
  readonly [readonly Interaction[], readonly WholeListing[]]
>()

function listingsOf(
  folder: string,
  members: readonly Interaction[]
): readonly WholeListing[] {
  const key = `${folder} ${members.length}`
  const [known, listings] = unchangedListings.get(key) ?? []
  if (listings !== undefined && known?.every((one, at) => one === members[at]))
    return listings
  const found = wholeListingsOf(members, facts)
  if (known === undefined) unchangedListings.set(key, [members, found])
  return found
}

type JsonBody = Extract<RecordedBody, { kind: 'json' }>

/** An answer as a plain value, with its text. */
interface PlainBody {
  readonly value: Json
  readonly text: string
}

/** Read once: every mutation starts from the same answers. */
const plainBodies = new WeakMap<RecordedBody, PlainBody>()

function plainOf(body: JsonBody): PlainBody {
  const known = plainBodies.get(body)
  if (known !== undefined) return known
  const value = toPlain(body.tree) as Json
  const plain = { value, text: JSON.stringify(value) }
  plainBodies.set(body, plain)
  return plain
}

/** Batches after the first of long walks: with the others their listings are whole, without them a comparison is quick. */
const longWalks =
  /^(?:rc|le|arv|al|gap|gcm|at|af|eu|ai|ar|au|bk|pc|ei|el|iu|im|ac|du|ll|lh|ti|rv|wl|us|sr|pw|pt|pp|iw|ex|fu|gl)continue$|^rawcontinue$/
const recorded: readonly Interaction[] = [...loaded.interactions, ...moreAnswers].map(
  (one) => changed(one, { answer: (answer) => answer })
)
/** Recordings of a folder that are mutated one by one: more show nothing else. */
const maxAlike = 4
const few = [...groupBy(recorded, ({ request }) => folderOf(request)).values()].flatMap(
  (alike) =>
    alike
      .filter(({ request }) => ![...request.keys()].some((name) => longWalks.test(name)))
      .slice(0, maxAlike)
)

const engines = { same: '1.43.9', other: '1.39.17' } as const
export type Versions = keyof typeof engines

/** The unchanged side of each version; which one it takes is a matter of the file of tests. */
function sidesOf(
  interactions: readonly Interaction[]
): (versions: Versions) => CassetteSide {
  const made = new Map<Versions, CassetteSide>()
  return (versions) =>
    getOrAdd(made, versions, () => sideOf(interactions, engines[versions]))
}
const whole = sidesOf(recorded)
const quick = sidesOf(few)

function mutatedBody(body: JsonBody, request: string, mutation: Mutation): JsonBody {
  const { value, text } = plainOf(body)
  const after = mutation(value, request)
  return JSON.stringify(after) === text ? body : { ...body, tree: fromPlain(after) }
}

function changed(one: Interaction, { answer, response }: ChangeParts): Interaction {
  const request = [...one.request].map(([name, value]) => `${name}=${value}`).join('&')
  const respond = (given: RecordedResponse): RecordedResponse => {
    const { body } = given
    const isSame = answer === undefined || body.kind !== 'json'
    const mutated = isSame ? body : mutatedBody(body, request, answer)
    const after = mutated === body ? given : { ...given, body: mutated }
    return response === undefined ? after : response(after)
  }
  const [first, ...others] = one.responses
  const responses = [respond(first), ...others.map(respond)] as const
  return responses.every((after, at) => after === one.responses[at])
    ? one
    : { ...one, responses }
}

function changedSide(
  side: CassetteSide,
  parts: ChangeParts,
  engine: string
): CassetteSide {
  const { module } = parts
  const modules = [...side.modules].map(
    ([path, one]) => [path, module === undefined ? one : module(one as Json)] as const
  )
  const after = sideOf(
    side.interactions.map((one) => changed(one, parts)),
    engine
  )
  return { ...after, name: 'b', modules: new Map(modules) }
}

/** The last change of the quick side: it is compared in several directions and versions. */
let latest: { readonly change: WikiChange; readonly side: CassetteSide } | undefined

function changedQuickSide(change: WikiChange, engine: string): CassetteSide {
  if (latest?.change !== change) {
    const parts = typeof change === 'function' ? { answer: change } : change
    latest = { change, side: changedSide(quick('same'), parts, engines.same) }
  }
  return { ...latest.side, manifest: { ...loaded.manifest, engine } }
}

/** What is told of behaviour, as `severity kind place`. */
export function toldOf(
  mutation: Mutation,
  versions: Versions,
  pages: CassetteSide['pages'] = loaded.pages
): readonly string[] {
  const after = changedSide(whole(versions), { answer: mutation }, engines.same)
  const { findings } = compareCassettes(whole(versions), {
    ...after,
    ...(pages && { pages })
  })
  return findings.flatMap((one) =>
    one.axis === 'behaviour' && isTold(one) ? [lineOf(one)] : []
  )
}

const isTold = ({ axis, kind, severity }: Finding): boolean =>
  axis !== 'data' &&
  severity !== 'noise' &&
  severity !== 'cosmetic' &&
  kind !== 'engine.changed'
const lineOf = ({ severity, kind, place }: Finding): string =>
  `${severity} ${kind} ${place}`

/** A mutation of the wiki, in one direction; fewer batches than `toldOf` has. */
export function reportOf(
  change: WikiChange,
  versions: Versions,
  options: ComparisonOptions = {},
  isBack = false
): DriftReport {
  const [older, newer] = isBack
    ? [changedQuickSide(change, engines[versions]), quick('same')]
    : [quick(versions), changedQuickSide(change, engines.same)]
  return compareCassettes(older, newer, options)
}

/** Each cause that is not content, as the lines of its findings. */
export const causesTold = ({ causes }: DriftReport): readonly (readonly string[])[] =>
  causes.flatMap(({ findings }) => {
    const told = findings.filter(isTold)
    return told.length === 0 ? [] : [told.map(lineOf)]
  })

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
      isList(value) && value.every(isRecord) ? change(value.filter(isRecord)) : value
    ])
    return { ...answer, query: Object.fromEntries(query) }
  }

/** Each object that holds the member. */
export const rows = (name: string, change: (row: JsonRecord) => JsonRecord): Mutation => {
  const walk = (value: Json): Json => {
    if (isList(value)) return value.map(walk)
    if (!isRecord(value)) return value
    const inner = Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, walk(member)] as const)
    )
    return Object.hasOwn(value, name) ? change(inner) : inner
  }
  return (answer) => walk(answer)
}
