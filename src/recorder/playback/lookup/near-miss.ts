/** Near misses: the recordings most similar to a request that was not recorded, and the parameters that differ. */

import { diffArrays } from 'diff/lib/diff/array.js'
import type { Interaction } from '../../cassette/interaction.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { type Params, parseUrlencoded } from '../../wiki/parameters/request-params.ts'
import { changingKind } from './changing-values.ts'

export interface NearMiss {
  readonly key: RequestKey
  readonly differences: readonly Difference[]
}

/** A parameter that differs; undefined on the side that does not have it. */
export interface Difference {
  readonly param: string
  readonly recorded: string | undefined
  readonly got: string | undefined
}

export type MissReason =
  | 'empty-cassette'
  | 'no-module'
  | 'param-differs'
  | 'value-changes'
  | 'outside-coverage'
  | 'identity-differs'
  | 'state-differs'
  | 'write-refused'
  | 'signed-request'
  | 'write-replayed'
  | 'conflict'
  | 'unread-body'
  | 'about-secret'
  | 'broken-recording'
  | 'other-wiki'

/** At most `count` recordings, the most similar first, equal ones in the order given. */
export function nearestRecordings(
  request: CanonicalRequest,
  sentValues: Params,
  recordings: Iterable<Pick<Interaction, 'key' | 'request' | 'sentValues'>>,
  count: number
): readonly NearMiss[] {
  const asSent = new Map([...request, ...sentValues])
  const sent = withQueryParams(request)
  const ranked = [...recordings].map((one) => {
    const canonical = differencesOf(withQueryParams(one.request), sent)
    // Where only the folded order or spelling differs, that is reported.
    const differences =
      canonical.length > 0
        ? canonical
        : differencesOf(new Map([...one.request, ...one.sentValues]), asSent)
    return { miss: { key: one.key, differences }, distance: distanceOf(differences) }
  })
  const nearest = ranked.sort((a, b) => a.distance - b.distance).slice(0, count)
  return nearest.map(({ miss }) => miss)
}

/** The path of an address other than that of api.php, and the parameters of its query, each by itself. */
function withQueryParams(request: CanonicalRequest) {
  const target = request.get('plain target')
  if (target === undefined) return request
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2)
  return new Map([...request, ['plain target', path], ...parseUrlencoded(query)])
}

function differencesOf(recorded: CanonicalRequest, got: CanonicalRequest) {
  return [...new Set([...recorded.keys(), ...got.keys()])]
    .filter((param) => recorded.get(param) !== got.get(param))
    .map((param) => ({ param, recorded: recorded.get(param), got: got.get(param) }))
    .sort((a, b) => (a.param < b.param ? -1 : 1))
}

const moduleParams = new Set([
  'action',
  'generator',
  'list',
  'meta',
  'prop',
  'plain target'
])

/** Where only these differ, it is the same request of another caller or epoch. */
const reasonByParam: ReadonlyMap<string, MissReason> = new Map([
  ['as user', 'identity-differs'],
  [epochParam, 'state-differs']
])

/** One a parameter, three if it chooses modules, less for values. The same request of another caller or epoch is nearest. */
const distanceOf = (differences: readonly Difference[]) =>
  differences.reduce((sum, { param, recorded, got }) => {
    const value = dissimilarity(param, recorded, got)
    return (
      sum +
      (reasonByParam.has(param) ? value / 2 : (moduleParams.has(param) ? 3 : 1) + value)
    )
  }, 0)

function dissimilarity(
  param: string,
  recorded: string | undefined,
  got: string | undefined
) {
  if (param === epochParam) return epochDistance(recorded ?? '', got ?? '')
  if (recorded === undefined || got === undefined) return 0.5
  const a = [...recorded.slice(0, 200)]
  const b = [...got.slice(0, 200)]
  const changes = diffArrays(a, b, { maxEditLength: 60 })
  if (!changes) return 0.9
  const equal = changes.flatMap(({ added, removed, value }) =>
    added || removed ? [] : value
  )
  return 0.9 * (1 - (2 * equal.length) / Math.max(1, a.length + b.length))
}

/** The share of writes that only one of two epochs has. */
function epochDistance(recorded: string, got: string) {
  const a = new Set(recorded.split(' '))
  const b = new Set(got.split(' '))
  const shared = [...a].filter((one) => b.has(one)).length
  return 0.9 * (1 - shared / (a.size + b.size - shared))
}

export function missReason(misses: readonly NearMiss[], recordings: number): MissReason {
  if (recordings === 0) return 'empty-cassette'
  const [best] = misses
  if (!best) return 'no-module'
  if (changingKind(best.differences)) return 'value-changes'
  const paramReasons = best.differences.map(({ param }) => reasonByParam.get(param))
  // Another caller outweighs another epoch.
  return (
    (paramReasons.every((one) => one !== undefined) && paramReasons.at(-1)) ||
    'param-differs'
  )
}
