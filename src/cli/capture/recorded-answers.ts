/** The recorded answers of a cassette, as a client that walks its listings gets them. */

import { jsonBodies } from '../../drift/inputs/cassette-side.ts'
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import {
  type JsonTree,
  memberOf,
  membersOf,
  scalarTextOf
} from '../../recorder/json/json-tree.ts'
import { continueMembers } from '../../recorder/paging/reading/split-answer.ts'
import type { Identity } from '../../recorder/request/api-request.ts'
import { type Derivation, derive, type WikiFacts } from '../../recorder/request/derive.ts'
import type { RequestKey } from '../../recorder/request/request-key.ts'
import { envelopeOf } from '../../recorder/wiki/answers/envelope.ts'
import {
  type Params,
  splitValues
} from '../../recorder/wiki/parameters/request-params.ts'

type Walk = { readonly keys: readonly RequestKey[]; readonly ended: boolean }

export class RecordedAnswers {
  readonly #byKey: ReadonlyMap<RequestKey, Interaction>
  readonly #facts: WikiFacts
  readonly #continueNames: ReadonlySet<string>
  readonly #continueValues: ReadonlySet<string>

  constructor(interactions: readonly Interaction[], facts: WikiFacts) {
    this.#byKey = new Map(interactions.map((one) => [one.key, one]))
    this.#facts = facts
    const continued = jsonBodies(interactions).flatMap((body) => continueMembers(body))
    this.#continueNames = new Set(continued.map(({ key }) => key))
    this.#continueValues = new Set(
      continued.map(({ key, value }) => `${key}=${scalarTextOf(value) ?? ''}`)
    )
  }

  /** True if it sends a value that a recorded answer handed out. */
  isContinuation({ request }: Interaction): boolean {
    return [...request].some(([name, value]) =>
      this.#continueValues.has(`${name}=${value}`)
    )
  }

  /** The recorded answers that the first one leads to, itself included. */
  walkFrom(first: Params, start: Interaction): Walk {
    const keys = [start.key]
    const identity = (start.request.get('as user') ?? 'anonymous') as Identity
    let params = first
    for (let at: Interaction | undefined = start; at; ) {
      const [body] = jsonBodies([at])
      const next = nextRequest(first, params, body)
      if (!next) return { keys, ended: true }
      params = next
      const { key } = deriveAgain(next, identity, this.#facts)
      at = keys.includes(key) ? undefined : this.#byKey.get(key)
      if (at) keys.push(key)
    }
    return { keys, ended: false }
  }

  /** The first request of a walk, made from a later one: without the values that answers handed out. */
  walkStart(later: Interaction): Params {
    const params = [...sentParams(later)].filter(
      ([name]) => !this.#continueNames.has(name)
    )
    return new Map(
      params.map(([name, value]) => [name, name === 'continue' ? '' : value])
    )
  }
}

export function deriveAgain(
  params: Params,
  identity: Identity,
  facts: WikiFacts
): Derivation {
  return derive(
    {
      kind: 'api',
      params,
      files: [],
      envelope: envelopeOf(params),
      identity,
      posted: false
    },
    facts
  )
}

/** The parameters as they were sent, as far as the key still tells. */
export function sentParams({ request, sentValues }: Interaction): Map<string, string> {
  const params = new Map<string, string>()
  for (const [name, value] of request) {
    if (name.includes(' ')) continue
    params.set(name, request.get(`${name} in order`) ?? sentValues.get(name) ?? value)
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

/** What a client sends next in a walk, in either dialect; undefined at its end. Source: spec, "Continuation format". */
export function nextRequest(
  first: Params,
  last: Params,
  body: JsonTree | undefined
): Params | undefined {
  const modern = memberOf(body, 'continue')
  if (modern?.kind === 'object') return new Map([...first, ...valuesOf(modern)])
  const legacy = memberOf(body, 'query-continue')
  if (legacy?.kind !== 'object') return undefined
  // Props of a generator's batch are walked to their end before the generator goes on.
  const generator = first.get('generator')
  const parts = membersOf(legacy)
  const props = parts.filter((part) => part.key !== generator)
  const before = props.length === 0 || generator === undefined ? first : last
  const walked = props.length === 0 ? parts : props
  return new Map([...before, ...walked.flatMap((part) => valuesOf(part.value))])
}

const valuesOf = (tree: JsonTree): readonly (readonly [string, string])[] =>
  membersOf(tree).map(({ key, value }) => [key, scalarTextOf(value) ?? ''])
