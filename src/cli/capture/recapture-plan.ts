/** What to ask so that everything a cassette holds is asked again: requests once, walks from their start. */
import type { Interaction } from '../../cassette/interaction.ts'
import { classOf } from '../../drift/inputs/cassette-side.ts'
import { jsonBodies } from '../../drift/inputs/id-renumbering.ts'
import { type JsonTree, memberOf, membersOf, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { continuationNamesIn } from '../../paging/reading/batch.ts'
import type { Identity } from '../../request/api-request.ts'
import { derive, type WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { secretHint } from '../../request/secret-params.ts'
import { groupBy } from '../../text/group-by.ts'
import { envelopeOf } from '../../wiki/answers/envelope.ts'
import { type Params, splitValues } from '../../wiki/parameters/request-params.ts'
import { nextRequest } from './next-request.ts'

/** One request, and how many answers of its walk are wanted at most. */
export type RecaptureRequest =
  | { readonly kind: 'plain'; readonly target: string; readonly asUser: boolean }
  | {
      readonly kind: 'api'
      readonly params: Params
      readonly batches: number
      /** Whether it was recorded for whoever asks, rather than for nobody in particular. */
      readonly asUser: boolean
    }

export interface RecapturePlan {
  readonly requests: readonly RecaptureRequest[]
  /** Interactions that the asks are to renew. */
  readonly renewed: ReadonlySet<RequestKey>
  /**
   * Interactions that are not asked again, with the name of what they ask: only their own client could (they need a
   * login, a token, a file), or they write.
   */
  readonly skipped: ReadonlyMap<RequestKey, string>
}

export interface RecaptureOptions {
  /** As whom; what others were answered is left out. */
  readonly identity?: Identity
  /** Whether requests that write are asked too. */
  readonly withWrites?: boolean
}

/**
 * Continue values that a recorded answer handed out are never sent again: they belong to the content of that day.
 * A walk recorded to its end is walked to its end, another one as far as it was recorded.
 */
export function planRecapture(
  interactions: readonly Interaction[],
  facts: WikiFacts,
  { identity: who = 'anonymous', withWrites = false }: RecaptureOptions = {},
): RecapturePlan {
  const isIncluded = (one: Interaction): boolean =>
    canRecapture(one, who) && (withWrites || !isWriteRequest(one, facts))
  const included = interactions.filter(isIncluded)
  const recorded = new RecordedAnswers(included, facts)
  const requests: RecaptureRequest[] = []
  const reached = new Set<RequestKey>()
  const starts = included.filter((one) => !recorded.isContinuation(one))
  for (const one of starts) {
    const target = one.request.get('plain target')
    reached.add(one.key)
    const asUser = one.request.has('as user')
    if (target !== undefined) requests.push({ kind: 'plain', target, asUser })
    else {
      const params = sentParams(one)
      const { keys, ended } = recorded.walkFrom(params, one)
      for (const key of keys) reached.add(key)
      requests.push({ kind: 'api', params, batches: ended ? Number.POSITIVE_INFINITY : keys.length, asUser })
    }
  }
  requests.push(...recorded.walksWithoutStart(included.filter(({ key }) => !reached.has(key))))
  return {
    requests,
    renewed: new Set(included.map(({ key }) => key)),
    skipped: new Map(
      interactions.filter((one) => !isIncluded(one)).map((one) => [one.key, classOf(one.request)] as const),
    ),
  }
}

/** Not as another user, after writes, with a token or with a file: nothing may be written, and nobody's session is at hand. */
export const canRecapture = ({ request }: Interaction, identity: Identity = 'anonymous'): boolean =>
  ![...request].some(
    ([name, value]) =>
      (name === 'as user' && value !== identity) ||
      name === 'after writes' ||
      name === 'in session' ||
      name === 'plain body' ||
      name.endsWith(' file') ||
      (secretHint(name) !== 'nothing' && /^\([a-z ]+\)$/.test(value)),
  )

function isWriteRequest(interaction: Interaction, facts: WikiFacts): boolean {
  if (interaction.request.has('plain target')) return false
  return derive(toApiRequest(sentParams(interaction), 'anonymous'), facts).effect === 'write'
}

const toApiRequest = (params: Params, identity: Identity): Parameters<typeof derive>[0] => {
  const envelope = envelopeOf(params)
  return { kind: 'api', params, files: [], envelope, identity, posted: false }
}

/** What is left out, by name: `2 of its requests write, or need a login, a token or a file (action=edit ×2)`. */
export function skippedText({ skipped }: RecapturePlan): string {
  const counts = new Map<string, number>()
  for (const name of skipped.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].sort().map(([name, count]) => (count === 1 ? name : `${name} ×${count}`))
  const shown = names.length > 8 ? [...names.slice(0, 8), `${names.length - 8} sorts more`] : names
  return `${skipped.size} of its requests write, or need a login, a token or a file (${shown.join(', ')})`
}

/** The parameters as they were sent, as far as the key still tells. */
export function sentParams({ request, sentValues: asked }: Interaction): Map<string, string> {
  const params = new Map<string, string>()
  for (const [name, value] of request) {
    if (name.includes(' ')) continue
    params.set(name, request.get(`${name} in order`) ?? asked.get(name) ?? value)
  }
  for (const name of splitValues(request.get('unknown in order') ?? '')) {
    const value = params.get(name)
    params.delete(name)
    params.set(name, value ?? '')
  }
  if (request.has('other origin')) params.set('origin', '*')
  if (!params.has('format') && !request.has('no format')) params.set('format', 'json')
  return params
}

/** Batches of one walk that no recorded start leads to. */
/** The recorded answers, as a client that walks lists would get them. */
class RecordedAnswers {
  readonly #byKey: ReadonlyMap<RequestKey, Interaction>
  readonly #facts: WikiFacts
  readonly #names: ReadonlySet<string>
  readonly #continueValues: ReadonlySet<string>

  constructor(interactions: readonly Interaction[], facts: WikiFacts) {
    this.#byKey = new Map(interactions.map((one) => [one.key, one]))
    this.#facts = facts
    const bodies = jsonBodies(interactions)
    this.#names = new Set(bodies.flatMap(continuationNamesIn))
    this.#continueValues = new Set(bodies.flatMap(continueValuesIn))
  }

  /** True where it sends a value that a recorded answer handed out. */
  isContinuation({ request }: Interaction): boolean {
    return [...request].some(([name, value]) => this.#continueValues.has(pairText(name, value)))
  }

  /** The recorded answers that the first one leads to, itself included. */
  walkFrom(
    first: Params,
    start: Interaction,
  ): { readonly keys: readonly RequestKey[]; readonly ended: boolean } {
    const keys = [start.key]
    const identity = (start.request.get('as user') ?? 'anonymous') as Identity
    let params = first
    for (let at: Interaction | undefined = start; at !== undefined; ) {
      const [body] = jsonBodies([at])
      if (body === undefined || !isContinued(body)) return { keys, ended: true }
      const next = nextRequest(first, params, writeCompact(body, 'utf8'))
      if (next === undefined) return { keys, ended: true }
      params = next
      const key = this.#keyOf(next, identity)
      at = keys.includes(key) ? undefined : this.#byKey.get(key)
      if (at !== undefined) keys.push(key)
    }
    return { keys, ended: false }
  }

  /** Batches whose walk has no recorded start, or changed its limit on the way: walked from the start all the same. */
  walksWithoutStart(orphans: readonly Interaction[]): readonly RecaptureRequest[] {
    const walks = orphans.map((one) => ({
      one,
      params: this.#walkStart(one),
      asUser: one.request.has('as user'),
    }))
    const groups = groupBy(walks, ({ asUser, params }) => JSON.stringify([asUser, ...params]))
    return [...groups.values()].map((members) => {
      const [{ params, asUser }] = members
      const ended = members.some(({ one }) => !jsonBodies([one]).some(isContinued))
      return { kind: 'api', params, batches: ended ? Number.POSITIVE_INFINITY : members.length + 1, asUser }
    })
  }

  /** Without what answers handed out. */
  #walkStart(one: Interaction): Params {
    const params = [...sentParams(one)].filter(([name]) => !this.#names.has(name))
    return new Map(params.map(([name, value]) => [name, name === 'continue' ? '' : value] as const))
  }

  #keyOf(params: Params, identity: Identity): RequestKey {
    return derive(toApiRequest(params, identity), this.#facts).key
  }
}

const isContinued = (body: JsonTree): boolean =>
  memberOf(body, 'continue') !== undefined || memberOf(body, 'query-continue') !== undefined

/** Continue values with their names; the companion `continue` says nothing by itself. */
const continueValuesIn = (body: JsonTree): readonly string[] =>
  [
    ...membersOf(memberOf(body, 'continue')).filter(({ key }) => key !== 'continue'),
    ...membersOf(memberOf(body, 'query-continue')).flatMap(({ value }) => membersOf(value)),
  ].map(({ key, value }) => pairText(key, textOf(value) ?? writeCompact(value, 'utf8')))

const pairText = (name: string, value: string): string => `${name}=${value}`
