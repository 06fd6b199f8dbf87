/** Interactions of A and B that answer the same request, also if the two wikis spell it differently. */
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import { derive, type WikiFacts } from '../../recorder/request/derive.ts'
import type { CanonicalRequest } from '../../recorder/request/request-key.ts'
import { getOrAdd, groupBy } from '../../recorder/text/group-by.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { type Envelope, envelopeOf } from '../../recorder/wiki/answers/envelope.ts'
import {
  decodeModule,
  type ModuleDescription
} from '../../recorder/wiki/modules/module-descriptions.ts'
import { type CassetteSide, requestIdentity } from './cassette-side.ts'

/** Two interactions with one request; `differs` names the parameters in which they are not equal. */
export interface AlignedPair {
  readonly a: Interaction
  readonly b: Interaction
  readonly differs: readonly string[]
}

export interface Alignment {
  readonly pairs: readonly AlignedPair[]
  /** One request of two callers, who are answered differently by right: not compared. */
  readonly otherCallers: readonly AlignedPair[]
  readonly onlyA: readonly Interaction[]
  readonly onlyB: readonly Interaction[]
}

/**
 * First by equal canonical request; then as both wikis together would spell it (a default that only one of them
 * drops, a parameter that only one of them knows); then without the parameters that only choose an encoding; then
 * whoever asks.
 */
export function alignInteractions(a: CassetteSide, b: CassetteSide): Alignment {
  const spell = sharedSpelling(a, b)
  const spellBare: SpellRequest = (request) => withoutEncoding(spell(request))
  const pairs: AlignedPair[] = []
  let left: Unpaired = { onlyA: a.interactions, onlyB: b.interactions }
  for (const each of [(request: CanonicalRequest) => request, spell, spellBare])
    left = pairUp(left, each, pairs)
  const otherCallers: AlignedPair[] = []
  const withoutCaller: SpellRequest = (request) =>
    new Map([...spellBare(request)].filter(([name]) => name !== 'as user'))
  left = pairUp(left, withoutCaller, otherCallers)
  return { pairs, otherCallers, ...left }
}

type SpellRequest = (request: CanonicalRequest) => CanonicalRequest
type Unpaired = Pick<Alignment, 'onlyA' | 'onlyB'>

/** Adds to the pairs what both sides spell alike; returns what is left. */
function pairUp({ onlyA, onlyB }: Unpaired, spell: SpellRequest, pairs: AlignedPair[]) {
  if (onlyA.length === 0 || onlyB.length === 0) return { onlyA, onlyB }
  const idOf = ({ request }: Interaction) => requestIdentity(spell(request))
  const inB = groupBy(onlyB, idOf)
  const paired = new Set<Interaction>()
  for (const [text, [one, ...moreA]] of groupBy(onlyA, idOf)) {
    const [other, ...moreB] = inB.get(text) ?? []
    // Several candidates: which belongs to which would be a guess.
    if (!other || moreA.length + moreB.length > 0) continue
    const differs = differingParams(one.request, other.request)
    pairs.push({ a: one, b: other, differs })
    paired.add(one).add(other)
  }
  const isLeft = (one: Interaction) => !paired.has(one)
  return { onlyA: onlyA.filter(isLeft), onlyB: onlyB.filter(isLeft) }
}

const differingParams = (a: CanonicalRequest, b: CanonicalRequest) =>
  [...new Set([...a.keys(), ...b.keys()])]
    .filter((name) => a.get(name) !== b.get(name))
    .sort()

/** True where the client sent other spellings or another order, which the answer repeats. */
export const isSentOtherwise = ({ a, b }: AlignedPair): boolean =>
  [...a.request.keys()].some(
    (name) => !name.endsWith('prop') && a.sentValues.get(name) !== b.sentValues.get(name)
  )

/** A side's site and module descriptions, for key derivation. */
export function wikiFactsOfSide(side: CassetteSide): WikiFacts {
  const known = new Map<string, ModuleDescription | undefined>()
  const lookup = (path: string) =>
    getOrAdd(known, path, () => decodeModule(side.modules.get(path)))
  return { lookup, site: side.manifest.site, ignored: side.manifest.ignore }
}

/** Spells a request as both wikis together would: without what either of them drops or does not know. */
export function sharedSpelling(a: CassetteSide, b: CassetteSide): SpellRequest {
  const factsA = wikiFactsOfSide(a)
  const factsB = wikiFactsOfSide(b)
  return (request) => spellFor(spellFor(spellFor(request, factsA), factsB), factsA)
}

/** Names with a space are no parameters: they hold the caller, or the order of values. */
const isParam = (name: string) => !name.includes(' ')

function spellFor(request: CanonicalRequest, facts: WikiFacts) {
  if (request.has('plain target')) return request
  const params = new Map([...request].filter(([name]) => isParam(name)))
  const bare: Envelope = { kind: 'bare', spelling: 'utf8', requestId: undefined }
  const envelope = params.has('format') ? envelopeOf(params) : bare
  const caller = { identity: 'anonymous', posted: false } as const
  const { canonical } = derive(
    { kind: 'api', params, files: [], envelope, ...caller },
    facts
  )
  const extra = [...request].filter(
    ([name]) => !isParam(name) && name !== 'unknown in order'
  )
  return new Map([...[...canonical].filter(([name]) => isParam(name)), ...extra])
}

/** Parameters that choose how an answer is written, not what it says. */
export const encodingParams: ReadonlySet<string> = wordSet(
  'formatversion errorformat errorlang errorsuselocal continue rawcontinue'
)

const withoutEncoding = (request: CanonicalRequest) =>
  new Map([...request].filter(([name]) => !encodingParams.has(name)))
