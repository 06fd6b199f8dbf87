/** What to ask so that everything a cassette holds is asked again: requests once, walks from their start. */
import type { Interaction } from '../../cassette/interaction.ts'
import { classOf } from '../../drift/inputs/cassette-side.ts'
import { bodiesOf } from '../../drift/inputs/id-renumbering.ts'
import { type JsonTree, memberOf, membersOf, textOf } from '../../json/json-tree.ts'
import { writeCompact } from '../../json/write-json.ts'
import { namesIn } from '../../paging/reading/batch.ts'
import type { Identity } from '../../request/api-request.ts'
import { derive, type WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { nameSays } from '../../request/secret-params.ts'
import { grouped } from '../../text/group-by.ts'
import { envelopeOf } from '../../wiki/answers/envelope.ts'
import { type Params, splitValues } from '../../wiki/parameters/request-params.ts'
import { nextRequest } from './next-request.ts'

/** One request, and how many answers of its walk are wanted at most. */
export type Ask =
  | { readonly kind: 'plain'; readonly target: string; readonly asUser: boolean }
  | {
      readonly kind: 'api'
      readonly params: Params
      readonly batches: number
      /** Whether it was recorded for whoever asks, rather than for nobody in particular. */
      readonly asUser: boolean
    }

export interface Plan {
  readonly asks: readonly Ask[]
  /** Interactions that the asks are to renew. */
  readonly renewed: ReadonlySet<RequestKey>
  /**
   * Interactions that are not asked again, with the name of what they ask: only their own client could (they need a
   * login, a token, a file), or they write.
   */
  readonly skipped: ReadonlyMap<RequestKey, string>
}

export interface Asking {
  /** As whom; what others were answered is left out. */
  readonly who?: Identity
  /** Whether requests that write are asked too. */
  readonly withWrites?: boolean
}

/**
 * Continue values that a recorded answer handed out are never sent again: they belong to the content of that day.
 * A walk recorded to its end is walked to its end, another one as far as it was recorded.
 */
export function planOf(
  interactions: readonly Interaction[],
  facts: WikiFacts,
  { who = 'anonymous', withWrites = false }: Asking = {},
): Plan {
  const isAsked = (one: Interaction): boolean => isAskable(one, who) && (withWrites || !isWrite(one, facts))
  const askable = interactions.filter(isAsked)
  const tape = new Tape(askable, facts)
  const asks: Ask[] = []
  const reached = new Set<RequestKey>()
  const starts = askable.filter((one) => !tape.isContinuation(one))
  for (const one of starts) {
    const target = one.request.get('plain target')
    reached.add(one.key)
    const asUser = one.request.has('as user')
    if (target !== undefined) asks.push({ kind: 'plain', target, asUser })
    else {
      const params = paramsOf(one)
      const { keys, ended } = tape.walkFrom(params, one)
      for (const key of keys) reached.add(key)
      asks.push({ kind: 'api', params, batches: ended ? Number.POSITIVE_INFINITY : keys.length, asUser })
    }
  }
  asks.push(...tape.lostWalks(askable.filter(({ key }) => !reached.has(key))))
  return {
    asks,
    renewed: new Set(askable.map(({ key }) => key)),
    skipped: new Map(
      interactions.filter((one) => !isAsked(one)).map((one) => [one.key, classOf(one.request)] as const),
    ),
  }
}

/** Not as another user, after writes, with a token or with a file: nothing may be written, and nobody's session is at hand. */
export const isAskable = ({ request }: Interaction, who: Identity = 'anonymous'): boolean =>
  ![...request].some(
    ([name, value]) =>
      (name === 'as user' && value !== who) ||
      name === 'after writes' ||
      name === 'in session' ||
      name === 'plain body' ||
      name.endsWith(' file') ||
      (nameSays(name) !== 'nothing' && /^\([a-z ]+\)$/.test(value)),
  )

function isWrite(interaction: Interaction, facts: WikiFacts): boolean {
  if (interaction.request.has('plain target')) return false
  return derive(askedAgain(paramsOf(interaction), 'anonymous'), facts).effect === 'write'
}

const askedAgain = (params: Params, identity: Identity): Parameters<typeof derive>[0] => {
  const envelope = envelopeOf(params)
  return { kind: 'api', params, files: [], envelope, identity, posted: false }
}

/** What is left out, by name: `2 of its requests write, or need a login, a token or a file (action=edit ×2)`. */
export function skippedText({ skipped }: Plan): string {
  const counts = new Map<string, number>()
  for (const name of skipped.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].sort().map(([name, count]) => (count === 1 ? name : `${name} ×${count}`))
  const shown = names.length > 8 ? [...names.slice(0, 8), `${names.length - 8} sorts more`] : names
  return `${skipped.size} of its requests write, or need a login, a token or a file (${shown.join(', ')})`
}

/** The parameters as they were sent, as far as the key still tells. */
export function paramsOf({ request, asked }: Interaction): Map<string, string> {
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
class Tape {
  readonly #byKey: ReadonlyMap<RequestKey, Interaction>
  readonly #facts: WikiFacts
  readonly #names: ReadonlySet<string>
  readonly #handedOut: ReadonlySet<string>

  constructor(interactions: readonly Interaction[], facts: WikiFacts) {
    this.#byKey = new Map(interactions.map((one) => [one.key, one]))
    this.#facts = facts
    const bodies = bodiesOf(interactions)
    this.#names = new Set(bodies.flatMap(namesIn))
    this.#handedOut = new Set(bodies.flatMap(valuesIn))
  }

  /** True where it sends a value that a recorded answer handed out. */
  isContinuation({ request }: Interaction): boolean {
    return [...request].some(([name, value]) => this.#handedOut.has(pairText(name, value)))
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
      const [body] = bodiesOf([at])
      if (body === undefined || !continues(body)) return { keys, ended: true }
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
  lostWalks(lost: readonly Interaction[]): readonly Ask[] {
    const walks = lost.map((one) => ({ one, params: this.#startOf(one), asUser: one.request.has('as user') }))
    const groups = grouped(walks, ({ asUser, params }) => JSON.stringify([asUser, ...params]))
    return [...groups.values()].map((members) => {
      const [{ params, asUser }] = members
      const ended = members.some(({ one }) => !bodiesOf([one]).some(continues))
      return { kind: 'api', params, batches: ended ? Number.POSITIVE_INFINITY : members.length + 1, asUser }
    })
  }

  /** Without what answers handed out. */
  #startOf(one: Interaction): Params {
    const kept = [...paramsOf(one)].filter(([name]) => !this.#names.has(name))
    return new Map(kept.map(([name, value]) => [name, name === 'continue' ? '' : value] as const))
  }

  #keyOf(params: Params, identity: Identity): RequestKey {
    return derive(askedAgain(params, identity), this.#facts).key
  }
}

const continues = (body: JsonTree): boolean =>
  memberOf(body, 'continue') !== undefined || memberOf(body, 'query-continue') !== undefined

/** Continue values with their names; the companion `continue` says nothing by itself. */
const valuesIn = (body: JsonTree): readonly string[] =>
  [
    ...membersOf(memberOf(body, 'continue')).filter(({ key }) => key !== 'continue'),
    ...membersOf(memberOf(body, 'query-continue')).flatMap(({ value }) => membersOf(value)),
  ].map(({ key, value }) => pairText(key, textOf(value) ?? writeCompact(value, 'utf8')))

const pairText = (name: string, value: string): string => `${name}=${value}`
