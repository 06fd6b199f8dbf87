/** Two values of one type at one place: which kind of change lies between them, by spelling and by name of the field. */
import type { JsonLiteral, JsonString } from '../../recorder/json/json-tree.ts'
import { withoutParserReports } from '../../recorder/wiki/answers/volatile.ts'
import { type ChangeDetail, pathOf } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import type { Transition } from '../changes/note.ts'
import {
  holdsHumanText,
  holdsStatus,
  holdsWikitext,
  isInDictionary,
  isRank,
} from '../content/field-names.ts'
import { typeOf } from '../members/sample-shape.ts'
import type { TreePosition, TreeWalk } from '../members/tree-walk.ts'
import { compareHtml, looksLikeHtml, sortMarkup } from './compare-html.ts'

export function compareStrings(a: JsonString, b: JsonString, place: TreePosition): void {
  if (a.value === b.value) return
  const { path, walk } = place
  const before = walk.context.stripHostA(a.value)
  const after = walk.context.stripHostB(b.value)
  if (before === after) return
  const values: ChangeDetail = { before: a, after: b }
  const note = formatChange(before, after)
  if ((looksLikeHtml(before) || looksLikeHtml(after)) && !holdsWikitext(path))
    compareMarkup(before, after, place)
  else if (note !== undefined) place.emit('value.format', { ...values, note })
  else if (holdsStatus(path)) place.emit('enum.value-changed', values)
  else if (holdsHumanText(path)) place.emit('text.changed', values)
  else place.emit('value.changed', values)
}

function compareMarkup(before: string, after: string, place: TreePosition): void {
  const cleanA = withoutVolatileMarkup(before)
  const cleanB = withoutVolatileMarkup(after)
  if (cleanA === cleanB) place.emit('html.comment', { note: 'parser reports' })
  else if (holdsHumanText(place.path)) place.emit('text.changed', { before, after })
  else emitHtmlChanges(cleanA, cleanB, place)
}

function emitHtmlChanges(cleanA: string, cleanB: string, place: TreePosition): void {
  const change = compareHtml(cleanA, cleanB)
  // Short markup is shown whole; of a page only what differs.
  const isShort = cleanA.length <= maxShownWhole && cleanB.length <= maxShownWhole
  const emit = (
    kind: Kind,
    parts: readonly string[],
    noun: string,
    detail: ChangeDetail,
  ): void => {
    const before = isShort ? cleanA : sideOf(parts, '-')
    const after = isShort ? cleanB : sideOf(parts, '+')
    const note = change.exact ? `${parts.length} ${noun}` : 'too different to align'
    place.emit(kind, {
      before,
      after,
      note,
      ...detail,
    })
  }
  // No part of a text that is gone changed for a reason of its own.
  const isWhole = cleanA === '' || cleanB === ''
  for (const [mark, parts] of isWhole
    ? [['', change.structure] as const]
    : sortMarkup(change.structure))
    if (parts.length > 0)
      emit('html.structure', parts, 'tags', { mark, other: place.walk.aboutOtherPage })
  if (change.text.length > 0) emit('html.text', change.text, 'texts', {})
  if (change.structure.length + change.text.length === 0)
    place.emit('html.comment', { note: 'comments or layout' })
}

/** Characters of a title, a snippet. */
const maxShownWhole = 300

/** Scripts carry times and ids of the request. */
const withoutVolatileMarkup = (html: string): string =>
  withoutParserReports(html).replace(
    /<script\b[^>]*>[\s\S]*?<\/script>/gi,
    '<script></script>',
  )

/** Bodies of pages and feeds. Feeds hold as many elements as the wiki has news. */
export function compareTextBodies(a: string, b: string, walk: TreeWalk): void {
  const before = withoutVolatileMarkup(walk.context.stripHostA(a))
  const after = withoutVolatileMarkup(walk.context.stripHostB(b))
  if (before === after) return
  const path = pathOf('text')
  const namesA = elementNames(before)
  const namesB = elementNames(after)
  // A feed without news has none of the elements that news have.
  const hasNews = (text: string): boolean => /<(?:item|entry)\b/.test(text)
  if (namesA === namesB || hasNews(before) !== hasNews(after))
    walk.emit('html.text', path, { before: a, after: b })
  else
    walk.emit('html.structure', path, {
      before: namesA,
      after: namesB,
      note: 'other elements',
    })
}

const elementNames = (text: string): string =>
  [...new Set(text.match(/<[a-z][\w:]*/gi))].sort().join(' ')

/** The parts of one side, without their marks. */
const sideOf = (parts: readonly string[], mark: '-' | '+'): string =>
  parts.flatMap((part) => (part.startsWith(mark) ? [part.slice(1)] : [])).join('\n')

/** Numbers, booleans: compared as spelled, then as numbers if both are safe to read as such. */
export function compareLiterals(
  a: JsonLiteral,
  b: JsonLiteral,
  place: TreePosition,
): void {
  if (a.text === b.text) return
  const values: ChangeDetail = { before: a, after: b }
  if (b.text === 'null') place.emit('field.nullable', values)
  else if (a.text === 'null') place.emit('field.non-null', values)
  else if (
    isBoolean(a) !== isBoolean(b) &&
    (!isInDictionary(place.path) || numberOf(a) === numberOf(b))
  )
    place.emit('type.changed', {
      ...values,
      note: {
        from: typeOf(a),
        to: typeOf(b),
      },
    })
  else if (isWhole(a) !== isWhole(b) && sameNumber(a.text, b.text))
    place.emit('type.changed', {
      ...values,
      note: isWhole(a)
        ? { from: 'integer', to: 'float' }
        : { from: 'float', to: 'integer' },
    })
  else if (isBoolean(a) || !sameNumber(a.text, b.text))
    place.emit('value.changed', { ...values, other: isRank(place.path) })
}

/** A setting that is on, 1 or true. */
const numberOf = ({ text }: JsonLiteral): number =>
  text === 'true' ? 1 : text === 'false' ? 0 : Number(text)

const isBoolean = (one: JsonLiteral): boolean =>
  one.text === 'true' || one.text === 'false'

const isWhole = ({ text }: JsonLiteral): boolean => /^-?\d+$/.test(text)

/** 1 and 1.0 are one number; beyond what doubles hold, only the spelling counts. */
const sameNumber = (a: string, b: string): boolean =>
  Number(a) === Number(b) && Math.abs(Number(a)) <= Number.MAX_SAFE_INTEGER

/** The class of a text, by its spelling alone: a timestamp, a number, a URL. The first that fits wins. */
const patterns: readonly (readonly [string, RegExp])[] = [
  ['empty', /^$/],
  ['ISO timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['ISO timestamp with fractions', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/],
  [
    'ISO timestamp with offset',
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:?\d\d$/,
  ],
  ['MediaWiki timestamp', /^(?:19|20|99)\d{12}$/],
  ['infinity', /^infinity$/],
  ['infinite', /^infinite$/],
  ['integer', /^-?\d+$/],
  ['decimal', /^-?\d+\.\d+(?:e[+-]?\d+)?$/i],
  ['token', /^[0-9a-f]{32,48}\+\\$|^\+\\$/],
  ['hex digest', /^[0-9a-f]{8,}$/],
  [
    'IP address',
    /^\d{1,3}(?:\.\d{1,3}){3}$|^[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}$/,
  ],
  ['URL', /^https?:\/\//],
  ['protocol-relative URL', /^\/\/[\w.-]+/],
  ['HTML', /<[a-z!/][^>]*>/i],
]

export const lexicalClassOf = (text: string): string =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'

/** Spellings of one thing: between two of a family the format changed, not the value. */
const formatFamilies: readonly (readonly string[])[] = [
  [
    'ISO timestamp',
    'ISO timestamp with fractions',
    'ISO timestamp with offset',
    'MediaWiki timestamp',
    'infinity',
    'infinite',
  ],
  ['URL', 'protocol-relative URL'],
]

/** From `ISO timestamp` to `MediaWiki timestamp` for two spellings of one thing; undefined otherwise. */
export function formatChange(before: string, after: string): Transition | undefined {
  const a = lexicalClassOf(before)
  const b = lexicalClassOf(after)
  const isFamily = formatFamilies.some(
    (family) => family.includes(a) && family.includes(b),
  )
  // Whatever else a time may be, it is not another sort of text.
  const isOther = (one: string): boolean => !isTime(one) && one !== 'empty'
  if (
    [a, b].some((one) => one.startsWith('ISO') || isForever(one)) &&
    [a, b].some(isOther)
  )
    return { from: a, to: b }
  const isOneThing =
    isForever(a) === isForever(b) && addressOf(before) === addressOf(after)
  if (a !== b && isFamily && isOneThing) return { from: a, to: b }
  if (before !== after && before.replaceAll('_', ' ') === after.replaceAll('_', ' '))
    return before.includes('_')
      ? {
          from: 'DB key',
          to: 'title',
        }
      : {
          from: 'title',
          to: 'DB key',
        }
  return undefined
}

/** An address without its scheme: another one is another value. Empty for what is no address. */
const addressOf = (text: string): string =>
  /^(?:https?:)?(\/\/.*)$/s.exec(text)?.[1] ?? ''

const isTime = (one: string): boolean => one.includes('timestamp') || isForever(one)

/** From a moment to "never" is another value, not another spelling. */
const isForever = (one: string): boolean => one === 'infinity' || one === 'infinite'
