/** Two values of one type at one place: which kind of change lies between them, by spelling and by name of the field. */
import type { JsonLiteral, JsonString } from '../../recorder/json/json-tree.ts'
import { withoutParserReports } from '../../recorder/wiki/answers/volatile.ts'
import {
  type ChangeDetail,
  fieldOf,
  memberPath,
  type Path,
  templateOf,
  turn
} from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { broken } from '../content/decide-content.ts'
import {
  holdsHumanText,
  holdsStatus,
  isAt,
  isInDictionary
} from '../content/field-names.ts'
import { typeOf } from '../members/sample-shape.ts'
import { TreePosition, type TreeWalk } from '../members/tree-walk.ts'
import { compareHtml, looksLikeHtml, sortMarkup } from './compare-html.ts'
import { formatChange } from './value-classes.ts'

export function compareStrings(a: JsonString, b: JsonString, place: TreePosition): void {
  if (a.value === b.value) return
  const { path, walk } = place
  const before = walk.context.stripHostA(a.value)
  const after = walk.context.stripHostB(b.value)
  if (before === after) return
  const values = { before: a, after: b }
  const note = formatChange(before, after)
  if (
    fieldOf(path) === 'snippet' &&
    areOtherTags(elementNames(before), elementNames(after))
  )
    place.emit('html.structure', { ...values, mark: broken })
  // Wikitext may hold tags, which are its author's and not the API's.
  else if ([before, after].some(looksLikeHtml) && !isAt(path, 'wikitext'))
    compareMarkup(before, after, place)
  else if (note) place.emit('value.format', { ...values, note })
  else if (holdsStatus(path)) place.emit('enum.value-changed', values)
  else place.emit(holdsHumanText(path) ? 'text.changed' : 'value.changed', values)
}

/** Without any, nothing was found to be marked. */
const areOtherTags = (before: string, after: string) =>
  before !== after && before !== '' && after !== ''

function compareMarkup(before: string, after: string, place: TreePosition) {
  const cleanA = withoutVolatileMarkup(before)
  const cleanB = withoutVolatileMarkup(after)
  if (cleanA === cleanB) place.emit('html.comment', { note: 'parser reports' })
  else if (holdsHumanText(place.path)) place.emit('text.changed', { before, after })
  else emitHtmlChanges(cleanA, cleanB, place)
}

function emitHtmlChanges(cleanA: string, cleanB: string, place: TreePosition) {
  const { structure, text, exact } = compareHtml(cleanA, cleanB)
  // Short markup is shown whole; of a page only what differs.
  const isShort = cleanA.length <= maxShownWhole && cleanB.length <= maxShownWhole
  const emit = (kind: Kind, parts: readonly string[], detail: ChangeDetail) => {
    if (parts.length === 0) return
    const before = isShort ? cleanA : sideOf(parts, '-')
    const after = isShort ? cleanB : sideOf(parts, '+')
    const noun = kind === 'html.text' ? 'texts' : 'tags'
    const note = exact ? `${parts.length} ${noun}` : 'too different to align'
    place.emit(kind, { before, after, note, ...detail })
  }
  // No part of a text that is gone changed for a reason of its own.
  const isWhole = cleanA === '' || cleanB === ''
  for (const [mark, parts] of isWhole
    ? [['', structure] as const]
    : sortMarkup(structure))
    emit('html.structure', parts, { mark, other: place.walk.aboutOtherPage })
  emit('html.text', text, {})
  if (structure.length + text.length === 0)
    place.emit('html.comment', { note: 'comments or layout' })
}

/** Characters of a title, a snippet. */
const maxShownWhole = 300

/** Scripts carry times and ids of the request, and Parsoid numbers each rendering of a revision. */
const withoutVolatileMarkup = (html: string) =>
  withoutParserReports(html).replace(
    /<script\b[^>]*>[\s\S]*?<\/script>|<meta property="mw:TimeUuid"[^>]*>/gi,
    ''
  )

/** Bodies of pages and feeds. Feeds hold as many elements as the wiki has news. */
export function compareTextBodies(
  a: string,
  b: string,
  walk: TreeWalk,
  root: Path
): void {
  const before = withoutVolatileMarkup(walk.context.stripHostA(a))
  const after = withoutVolatileMarkup(walk.context.stripHostB(b))
  if (before === after) return
  const path = memberPath(root, 'text')
  if (walk.isRest && looksLikeHtml(before)) {
    emitHtmlChanges(before, after, new TreePosition(path, walk))
    return
  }
  const names = { before: elementNames(before), after: elementNames(after) }
  // A schema is named by the root.
  const roots = { before: rootOf(before), after: rootOf(after) }
  if (roots.before !== roots.after)
    walk.emit('html.structure', path, { ...roots, note: 'another root', mark: broken })
  // A feed without news has none of the elements that news have.
  const hasNews = (text: string) => /<(?:item|entry)\b/.test(text)
  if (names.before === names.after || hasNews(before) !== hasNews(after))
    walk.emit('html.text', path, { before: a, after: b })
  else walk.emit('html.structure', path, { ...names, note: 'other elements' })
}

const elementNames = (text: string) =>
  [...new Set(text.match(/<[a-z][\w:]*/gi))].sort().join(' ')

/** The first tag of XML, by whose schema clients know what follows. */
const rootOf = (text: string) =>
  /^\s*(?:<\?xml[^>]*>\s*)?(<\w[^>]*\s(?:xmlns|version)\b[^>]*>)/.exec(text)?.[1] ?? ''

/** The parts of one side, without their marks. */
const sideOf = (parts: readonly string[], mark: '-' | '+') =>
  parts.flatMap((part) => (part.startsWith(mark) ? [part.slice(1)] : [])).join('\n')

/** Numbers, booleans: compared as spelled, then as numbers if both are safe to read as such. */
export function compareLiterals(
  a: JsonLiteral,
  b: JsonLiteral,
  place: TreePosition
): void {
  if (a.text === b.text) return
  const values = { before: a, after: b }
  const isSame = isSameNumber(a.text, b.text)
  const isOtherType =
    isBoolean(a) !== isBoolean(b) &&
    (!isInDictionary(place.path) || numberOf(a) === numberOf(b))
  if (b.text === 'null') place.emit('field.nullable', values)
  else if (a.text === 'null') place.emit('field.non-null', values)
  else if (isOtherType)
    place.emit('type.changed', { ...values, note: turn(typeOf(a), typeOf(b)) })
  else if (isSame && formOf(a) !== formOf(b))
    place.emit('type.changed', { ...values, note: turn(formOf(a), formOf(b)) })
  else if (!isSame || isBoolean(a))
    // The place of a page among those that a generator found.
    place.emit('value.changed', {
      ...values,
      other: templateOf(place.path) === 'query.pages[*].index'
    })
}

/** A setting that is on, 1 or true. */
const numberOf = ({ text }: JsonLiteral) => Number(JSON.parse(text))

const isBoolean = (one: JsonLiteral) => typeOf(one) === 'boolean'

const formOf = ({ text }: JsonLiteral) => (/^-?\d+$/.test(text) ? 'integer' : 'float')

/** 1 and 1.0 are one number; beyond what doubles hold, only the spelling counts. */
const isSameNumber = (a: string, b: string) =>
  Number(a) === Number(b) && Math.abs(Number(a)) <= Number.MAX_SAFE_INTEGER
