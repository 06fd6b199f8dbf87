/** The reason of each finding: a release's change, a name that ended, or what else findings share. */
import { groupBy } from '../../recorder/text/group-by.ts'
import { familyOf, hasTrait, type Kind } from '../changes/kinds.ts'
import type { Finding } from './finding.ts'
import {
  configurationReason,
  endedName,
  fieldIn,
  ignoredReason,
  isOfRows,
  isWording,
  nameOf,
  paramReasonsOf,
  reasonByKind
} from './reason-by-kind.ts'

export function withReasons(findings: readonly Finding[]): readonly Finding[] {
  const context = contextOf(findings)
  const own = new Map(findings.map((one) => [one, ownReason(one, context)]))
  const unreleased = new Set(
    findings.flatMap((one) => (one.knownChange ? [] : (own.get(one) ?? [])))
  )
  return findings.map((one) => {
    const { axis, knownChange } = one
    const reason = own.get(one) ?? ''
    // A release does not explain what shows likewise in what it did not change; words of a set come and go one by one.
    const isShared = unreleased.has(reason) && !reason.startsWith('closed set')
    const isKnown = knownChange && axis !== 'data' && !isShared
    return {
      ...one,
      reason: isKnown ? `known ${knownChange.since} ${knownChange.what}` : reason
    }
  })
}

/** Fewer lists may each have a reason of their own. */
const minReordered = 4

type Context = ReturnType<typeof contextOf>

/** What all findings say together. */
function contextOf(findings: readonly Finding[]) {
  const ofKind = (kind: Kind) => findings.filter((one) => one.kind === kind)
  const paramReasons = paramReasonsOf(
    findings.filter(({ kind }) => /^(?:param|response)$/.test(familyOf(kind)))
  )
  const configured = ofKind('configuration.changed')
  const reordered = ofKind('order.changed').filter(
    ({ axis, severity }) => axis !== 'data' && severity !== 'cosmetic'
  )
  return {
    paramReasons,
    /** Modules and values that B no longer understands. */
    endedNames: new Set(findings.flatMap((one) => endedName(one) ?? [])),
    /** Reasons of what was not understood, with the requests that show it. */
    ignored: findings.flatMap((one) => {
      const isWord = one.kind === 'enum.value-changed'
      if (!isWord && one.kind !== 'warning.appeared') return []
      const reason = isWord ? reasonByKind(one) : ignoredReason(one, paramReasons)
      const keys = new Set(one.requests.map(({ key }) => key))
      return reason === undefined ? [] : [{ reason, keys }]
    }),
    /** Fields and lists that are gone, and are called as the parameter that asks for them. */
    ignoredParams: findings.flatMap(({ place, requests, kind }) => {
      const field = fieldIn(place)
      const isGone = kind === 'field.removed' || kind === 'items.fewer'
      return isGone && requests.every(({ request }) => request.has(field)) ? [field] : []
    }),
    /** What settings of the wiki became, e.g. `ru → en`: the same elsewhere comes from them. */
    settings: new Set(configured.filter(isWording).map(({ extent }) => extent)),
    isOtherLanguage: configured.some(({ place }) => place === 'query.general.lang'),
    /** Objects that fields moved into or out of: gone or new themselves, they are no change of their own. */
    moves: new Set(ofKind('field.moved').map(reasonByKind)),
    /** Members under another name, for each name before and after: where their values differ, one is gone and one is new. */
    renames: new Map(
      ofKind('field.renamed').flatMap((one) => {
        const reason = reasonByKind(one) ?? ''
        const { from = '', to = '' } = one.turns[0] ?? {}
        return [from, to].map((name) => [siblingOf(one.place, name), reason])
      })
    ),
    /** Reasons of fields of another type: without items they are `[]` where others have names. */
    retyped: new Map(
      ofKind('type.changed').map((one) => [fieldIn(one.place), reasonByKind(one)])
    ),
    /** Fields whose values changed into several others. */
    spread: new Set(
      [
        ...groupBy(ofKind('value.changed').filter(isWording), ({ place }) =>
          fieldIn(place)
        )
      ]
        .filter(([, all]) => new Set(all.map(({ extent }) => extent)).size > 1)
        .map(([field]) => field)
    ),
    isReordered: new Set(reordered.map(({ place }) => place)).size >= minReordered,
    /** The change of a limit that recorded requests rely on: rows are missing, and batches end elsewhere. */
    limit: [...paramReasons].find(
      ([{ kind, place, requests }]) =>
        hasTrait(kind, 'limit') && place.endsWith('limit') && requests.length > 0
    )?.[1]
  }
}

function ownReason(one: Finding, context: Context) {
  const { axis, fingerprint } = one
  // One place may be behaviour in one answer, and in another the edit of its page.
  if (axis === 'data') return `data ${fingerprint}`
  return (
    nameOrSetting(one, context) ??
    context.paramReasons.get(one) ??
    ignoredReason(one, context.paramReasons) ??
    unanswered(one, context) ??
    ofListOrMove(one, context) ??
    ofOther(one, context) ??
    reasonByKind(one) ??
    fingerprint
  )
}

function nameOrSetting(one: Finding, { endedNames, settings, isOtherLanguage }: Context) {
  const name = nameOf(one)
  if (endedNames.has(name)) return `name ${name}`
  const isSetting = hasTrait(one.kind, 'configurable') && settings.has(one.extent)
  // Titles begin otherwise.
  const isTitle = isOfRows(one.kind) || fieldIn(one.place) === 'title'
  return isSetting || (isTitle && isOtherLanguage) ? configurationReason : undefined
}

/** What is not understood is not answered, and what fails has no result. */
function unanswered({ kind, requests }: Finding, { ignored, ignoredParams }: Context) {
  if (requests.length === 0) return undefined
  const param = ignoredParams.find((name) =>
    requests.every(({ request }) => request.has(name))
  )
  if (param !== undefined) return `parameter ${param}`
  if (!hasTrait(kind, 'answer')) return undefined
  return ignored.find(({ keys }) => requests.every(({ key }) => keys.has(key)))?.reason
}

function ofListOrMove({ kind, place }: Finding, { limit, isReordered, moves }: Context) {
  if (isOfRows(kind) && limit !== undefined) return limit
  if (kind === 'order.changed' && isReordered) return 'order'
  const moved = `moved ${fieldIn(place)}`
  return familyOf(kind) === 'field' && moves.has(moved) ? moved : undefined
}

/** The member of that name beside the place. */
const siblingOf = (place: string, name: string) =>
  [...place.split('.').slice(0, -1), name].join('.')

/** What another member's new name or type explains. */
function ofOther(one: Finding, { renames, retyped, spread }: Context) {
  const { kind, place } = one
  if (kind === 'value.changed' && isWording(one) && spread.has(fieldIn(place)))
    return reasonByKind(one)?.replace(/^value .*/, `value ${fieldIn(place)}`)
  const isMember = familyOf(kind) === 'field'
  if (kind === 'encoding.empty' || isMember) {
    const parents = place.split('.').slice(0, -1)
    const found = isMember
      ? retyped.get(fieldIn(parents.join('.')))
      : [...retyped.values()].find((reason) =>
          /(?:array|object) → (?:array|object)/.test(reason ?? '')
        )
    if (found !== undefined) return found
  }
  if (kind === 'field.renamed') return undefined
  const named = isMember || isOfRows(kind)
  return named
    ? renames.get(isMember ? place : (place.split(/[.[]/)[0] ?? ''))
    : undefined
}
