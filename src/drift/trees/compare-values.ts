/** Two values of one type at one place: which kind of change lies between them. */
import { type JsonLiteral, type JsonString, jsonString } from '../../json/json-tree.ts'
import { withoutParserReports } from '../../wiki/answers/volatile.ts'
import { type Path, pathOf } from '../changes/path.ts'
import type { ChangeDetail, TreeWalk } from '../members/tree-walk.ts'
import { compareHtml, looksLikeHtml } from './compare-html.ts'
import { holdsContent, holdsHumanText, holdsStatus, holdsWikitext, isInDictionary } from './field-names.ts'
import { formatChange } from './lexical-class.ts'

export function compareStrings(a: JsonString, b: JsonString, path: Path, walk: TreeWalk): void {
  if (a.value === b.value) return
  const [before, after] = [walk.stripHostA(a.value), walk.stripHostB(b.value)]
  if (before === after) return
  const values: ChangeDetail = { before: a, after: b }
  if ((looksLikeHtml(before) || looksLikeHtml(after)) && !holdsWikitext(path)) {
    compareMarkup(before, after, path, walk)
    return
  }
  const format = formatChange(before, after)
  if (format !== undefined) {
    walk.emit('value.format', path, { ...values, note: format })
    return
  }
  if (holdsStatus(path)) walk.emit('enum.value-changed', path, values)
  else if (holdsHumanText(path)) walk.emit('text.changed', path, values)
  else walk.emit('value.changed', path, { ...values, other: holdsContent(path) })
}

function compareMarkup(before: string, after: string, path: Path, walk: TreeWalk): void {
  const [cleanA, cleanB] = [withoutVolatileMarkup(before), withoutVolatileMarkup(after)]
  if (cleanA === cleanB) {
    walk.emit('html.comment', path, { note: 'parser reports' })
    return
  }
  if (holdsHumanText(path)) {
    walk.emit('text.changed', path, { before: jsonString(before), after: jsonString(after) })
    return
  }
  const change = compareHtml(cleanA, cleanB)
  // What is short is read as it stands; of a page only what differs.
  const isShort = cleanA.length <= shortMarkup && cleanB.length <= shortMarkup
  const shown = (parts: readonly string[], side: '-' | '+'): JsonString =>
    jsonString(isShort ? (side === '-' ? cleanA : cleanB) : sideOf(parts, side))
  const emit = (kind: 'html.structure' | 'html.text', parts: readonly string[]): void => {
    if (parts.length === 0) return
    walk.emit(kind, path, {
      before: shown(parts, '-'),
      after: shown(parts, '+'),
      note: change.exact
        ? `${parts.length} ${kind === 'html.text' ? 'texts' : 'tags'}`
        : 'too different to align',
      ...(kind === 'html.structure' ? { other: walk.aboutOtherPage } : {}),
    })
  }
  emit('html.structure', change.structure)
  emit('html.text', change.text)
  if (change.structure.length + change.text.length === 0)
    walk.emit('html.comment', path, { note: 'comments or layout' })
}

/** A title, a snippet. */
const shortMarkup = 300

/** Scripts carry times and ids of the request; they are no markup that a client reads. */
const withoutVolatileMarkup = (html: string): string =>
  withoutParserReports(html).replace(/<script\b[^>]*>[\s\S]*?<\/script>/gi, '<script></script>')

/** A body that is no JSON: a page, a feed. Feeds hold as many elements as the wiki has news. */
export function compareTextBodies(a: string, b: string, walk: TreeWalk): void {
  const [before, after] = [
    withoutVolatileMarkup(walk.stripHostA(a)),
    withoutVolatileMarkup(walk.stripHostB(b)),
  ]
  if (before === after) return
  const names = (text: string): string => [...new Set(text.match(/<[a-z][\w:]*/gi))].sort().join(' ')
  const path = pathOf('text')
  // A feed without news has none of the elements that news have.
  const hasNews = (text: string): boolean => /<(?:item|entry)\b/.test(text)
  if (names(before) === names(after) || hasNews(before) !== hasNews(after))
    walk.emit('html.text', path, { before: jsonString(a), after: jsonString(b) })
  else {
    const note = 'other elements'
    walk.emit('html.structure', path, {
      before: jsonString(names(before)),
      after: jsonString(names(after)),
      note,
    })
  }
}

/** The parts of one side, without their marks; unmarked parts are summaries and belong to both. */
const sideOf = (parts: readonly string[], mark: '-' | '+'): string =>
  parts
    .flatMap((part) => (part.startsWith(mark) ? [part.slice(1)] : /^[-+]/.test(part) ? [] : [part]))
    .join('\n')

/** Numbers, booleans: compared as spelled, then as numbers where both are safe to read as such. */
export function compareLiterals(a: JsonLiteral, b: JsonLiteral, path: Path, walk: TreeWalk): void {
  if (a.text === b.text) return
  const values: ChangeDetail = { before: a, after: b }
  if (b.text === 'null') walk.emit('field.nullable', path, values)
  else if (a.text === 'null') walk.emit('field.non-null', path, values)
  else if (isBoolean(a) !== isBoolean(b) && !isInDictionary(path)) walk.emit('type.changed', path, values)
  else if (isBoolean(a) || !sameNumber(a.text, b.text))
    walk.emit('value.changed', path, { ...values, other: holdsContent(path) })
}

const isBoolean = (one: JsonLiteral): boolean => one.text === 'true' || one.text === 'false'

/** 1 and 1.0 are one number; beyond what doubles hold, only the spelling counts. */
const sameNumber = (a: string, b: string): boolean =>
  Number(a) === Number(b) && Math.abs(Number(a)) <= Number.MAX_SAFE_INTEGER
