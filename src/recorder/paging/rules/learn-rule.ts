/** Learns continue rules: the explanations that hold for every recorded boundary. */
import { membersOf, textOf } from '../../json/json-tree.ts'
import { type Boundary, type ContinueRule, partsOf } from './continue-rule.ts'
import {
  type Explanation,
  explainedText,
  isConstant,
  valueSpellings
} from './explanation.ts'

/** Undefined without one, or maybe by coincidence. @param ofOnePage values may begin with the id of their one page */
export function learnRule(
  boundaries: readonly Boundary[],
  ofOnePage = false
): ContinueRule | undefined {
  const [first] = boundaries
  if (!first) return undefined
  const numeric = first.value.kind === 'literal'
  const parts = partsOf(first.value).map((_, at) => explanationsOf(first, at))
  for (const boundary of boundaries) {
    const values = partsOf(boundary.value)
    if (values.length !== parts.length || (boundary.value.kind === 'literal') !== numeric)
      return undefined
    for (const [at, explanations] of parts.entries()) {
      const isValid = (one: Explanation) =>
        explainedText(one, boundary.row) === values[at]
      if (!explanations.every(isValid)) parts[at] = explanations.filter(isValid)
    }
  }
  // A page that is its own row has both ids; then the rule predicts where they agree.
  const proven = parts.map((explanations, at) =>
    explanations.every(isConstant) ||
    (mayBeConstant(at, parts.length, ofOnePage) && explanations.some(isConstant))
      ? explanations
      : provenExplanations(explanations, boundaries, at)
  )
  const rule = { parts: proven, numeric, boundaries: boundaries.length }
  return proven.some((explanations) => explanations.length === 0) ||
    mayBeCoincidence(rule, ofOnePage)
    ? undefined
    : rule
}

const mayBeConstant = (at: number, count: number, ofOnePage: boolean) =>
  ofOnePage && at === 0 && count > 1

/** True where a part counts as constant only because the few boundaries show no other value. */
export const mayBeCoincidence = ({ parts }: ContinueRule, ofOnePage: boolean): boolean =>
  parts.some(
    (explanations, at) =>
      explanations.every(isConstant) && !mayBeConstant(at, parts.length, ofOnePage)
  )

/**
 * Since 1.33 wikis continue by ids of actors, which no answer shows; on a new wiki these may equal the ids of users.
 * Source: ApiQueryContributors, ApiQueryUserContribs
 */
const actorLikeMember = 'userid'

function explanationsOf(boundary: Boundary, at: number) {
  const wanted = partsOf(boundary.value)[at] ?? ''
  const found: Explanation[] = [{ kind: 'constant', text: wanted }]
  for (const owner of ['item', 'page'] as const) {
    const subject = boundary.row[owner]
    const members = membersOf(subject).map((member) => member.key)
    const names =
      textOf(subject) === undefined
        ? members.filter((name) => name !== actorLikeMember)
        : ['']
    for (const name of names)
      for (const spelling of valueSpellings)
        if (spelling !== 'category-type' || name === 'ns')
          found.push({ kind: 'member', owner, name, spelling })
  }
  return found.filter((one) => explainedText(one, boundary.row) === wanted)
}

/**
 * The proven explanations. A short number may equal some other number of the row, so too few characters prove nothing.
 * Where all boundaries have one short value, the constant remains an explanation, and the rule predicts only where the
 * others agree with it.
 */
function provenExplanations(
  explanations: readonly Explanation[],
  boundaries: readonly Boundary[],
  at: number
) {
  const needed = Math.min(4, ...explanations.map(evidenceNeeded))
  const likely = withoutTitles(explanations)
  const texts = new Set(boundaries.map(({ value }) => partsOf(value)[at] ?? ''))
  // The distinct values count, digits half.
  let characters = 0
  for (const text of texts) characters += (/^\d+$/.test(text) ? 1 : 2) * text.length
  if (characters >= needed) return likely.filter((one) => !isConstant(one))
  return likely.some(isConstant) ? likely : []
}

/** Less for page ids, with which the values of most props begin and many others end. */
const evidenceNeeded = (one: Explanation) =>
  one.kind === 'member' && one.name === 'pageid' ? (one.owner === 'page' ? 2 : 3) : 4

/** In the database a title has no spaces and no namespace, so the explanation of that spelling wins. */
function withoutTitles(explanations: readonly Explanation[]) {
  const isTitle = (one: Explanation) => one.kind === 'member' && one.name === 'title'
  const isKey = (one: Explanation) =>
    one.kind === 'member' &&
    one.name === 'title' &&
    one.spelling === 'db-key-without-namespace'
  return explanations.some(isKey)
    ? explanations.filter((one) => !isTitle(one) || isKey(one))
    : explanations
}
