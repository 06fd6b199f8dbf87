/** Continue rules: how a wiki writes "continue from this row" (next title as DB key, `ns|pageid`, a running offset …). */

import { type JsonTree, jsonString, textOf } from '../../json/json-tree.ts'
import { mapAll } from '../../text/group-by.ts'
import { cursorText } from '../reading/batch.ts'
import {
  type ContinueRow,
  describeExplanation,
  type Explanation,
  explainedText,
  isConstant,
  namedMember,
  parseExplanation,
  sharedText,
  type ValueSpelling
} from './explanation.ts'

export interface Boundary {
  readonly value: JsonTree
  readonly row: ContinueRow
}

export interface ContinueRule {
  /** The parts between `|`; each with all explanations that hold for every boundary. */
  readonly parts: readonly (readonly Explanation[])[]
  /** True where the wiki writes a number rather than a string. */
  readonly numeric: boolean
  /** How many recorded boundaries it explains. */
  readonly boundaries: number
}

export const partsOf = (value: JsonTree): readonly string[] =>
  cursorText(value).split('|')

/** A rule as `recorder/knowledge/` spells it: an explanation a part, with `&` between where a part may be either. */
export const parseRule = (
  parts: readonly string[],
  numeric = false,
  boundaries = 0
): ContinueRule => ({
  parts: parts.map((text) => text.split('&').map(parseExplanation)),
  numeric,
  boundaries
})

/** The rule with the hidden texts that recorded boundaries show; undefined where a boundary contradicts it. */
export function refineRule(
  rule: ContinueRule,
  boundaries: readonly Boundary[]
): ContinueRule | undefined {
  if (isRunningOffset(rule)) return rule
  const sharedTexts = rule.parts.map(
    ([one]) => new Map(one?.kind === 'shared' ? one.texts : [])
  )
  for (const { value, row } of boundaries) {
    const texts = partsOf(value)
    if (isHidden(rule)) break
    if (texts.length !== rule.parts.length || (value.kind === 'literal') !== rule.numeric)
      return undefined
    for (const [at, [one]] of rule.parts.entries()) {
      const text = texts[at] ?? ''
      if (!one || one.kind === 'hidden') continue
      const sharedBy = one.kind === 'shared' ? sharedText(one, row) : undefined
      const known =
        sharedBy === undefined ? explainedText(one, row) : sharedTexts[at]?.get(sharedBy)
      if (sharedBy !== undefined) sharedTexts[at]?.set(sharedBy, text)
      if (known === undefined ? one.kind !== 'shared' : known !== text) return undefined
    }
  }
  const refined = mapExplanations(rule, (one, at) =>
    one.kind === 'shared' ? { ...one, texts: sharedTexts[at] ?? one.texts } : one
  )
  return { ...refined, boundaries: boundaries.length }
}

export const mapExplanations = (
  rule: ContinueRule,
  change: (one: Explanation, at: number) => Explanation
): ContinueRule => ({
  ...rule,
  parts: rule.parts.map((explanations, at) => explanations.map((one) => change(one, at)))
})

/** True where the boundaries leave several explanations, so that the rule predicts only where these agree. */
export const isAmbiguous = ({ parts }: ContinueRule): boolean =>
  parts.some((explanations) => explanations.length > 1)

/** True where nothing at all is known of the values. */
export const isHidden = ({ parts }: ContinueRule): boolean =>
  parts.length === 1 && parts[0]?.[0]?.kind === 'hidden'

/** True where the rule counts rows instead of naming one. */
export const isRunningOffset = (rule: ContinueRule): boolean =>
  rule.parts.every((explanations) => explanations.some((one) => one.kind === 'offset'))

/** The continue value for continuing from that row; undefined where the explanations differ. */
export function predict(
  rule: ContinueRule,
  row: ContinueRow,
  offset?: number
): JsonTree | undefined {
  const text = predictText(rule, row, offset)
  if (text === undefined) return undefined
  return rule.numeric ? { kind: 'literal', text } : jsonString(text)
}

/** The same as a client sends it back. */
export function predictText(
  { parts }: Pick<ContinueRule, 'parts'>,
  row: ContinueRow,
  offset?: number
): string | undefined {
  const texts = mapAll(parts, (explanations) => {
    const [text, ...others] = explanations.map((one) => explainedText(one, row, offset))
    return others.every((other) => other === text) ? text : undefined
  })
  return texts?.length === 0 ? undefined : texts?.join('|')
}

/** The text of the row itself that a rule begins with; undefined where it begins otherwise, or in another spelling. */
export function keyText(
  { parts: [first = []] }: ContinueRule,
  { item }: ContinueRow,
  spellings: readonly ValueSpelling[]
): string | undefined {
  const isText = (one: Explanation) =>
    one.kind === 'member' &&
    one.owner === 'item' &&
    spellings.includes(one.spelling) &&
    textOf(namedMember(one, item)) !== undefined
  return first.every(isText) ? predictText({ parts: [first] }, { item }) : undefined
}

/** The rule in words, e.g. `ns | pageid`, `title as DB key`. */
export const describeRule = ({ parts }: ContinueRule): string =>
  parts
    .map(
      (explanations) => explanations.find((one) => !isConstant(one)) ?? explanations[0]
    )
    .map(describeExplanation)
    .join(' | ')
