/** Warnings of both answers in one form, compared message by message. Source: API:Errors_and_warnings. */
import { itemsOf, type JsonTree, jsonString, memberOf, membersOf, textOf } from '../../json/json-tree.ts'
import type { ChangeDetail } from '../changes/change.ts'
import { pathOf } from '../changes/path.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

/** How an answer carries its warnings: by module under `*`, by module under `warnings`, or as an array. */
type WarningForm = 'none' | 'by module, "*"' | 'by module' | 'array'

interface ApiWarning {
  readonly module: string
  readonly text: string
  readonly topic: WarningTopic
  /** The names and values it speaks of, or its code: what stays when the wording changes. */
  readonly about: string
}

type WarningTopic = 'unrecognized' | 'deprecated' | 'announcement' | 'other'

export function compareWarnings(a: JsonTree | undefined, b: JsonTree | undefined, walk: TreeWalk): void {
  const [formA, formB] = [formOf(a), formOf(b)]
  if (formA !== 'none' && formB !== 'none' && formA !== formB) {
    const note = `${formA} → ${formB}`
    walk.emit('warning.envelope', pathOf('warnings'), { before: a, after: b, note, scope: '*' })
  }
  const [restA, restB] = withoutEqual(warningsOf(a, formA), warningsOf(b, formB))
  const reworded = new Set<ApiWarning>()
  for (const one of restA) {
    const other = restB.find((candidate) => !reworded.has(candidate) && isReworded(one, candidate))
    if (other === undefined) emitRemoved(one, walk)
    else {
      reworded.add(other)
      emitReworded(one, other, walk)
    }
  }
  for (const one of restB) if (!reworded.has(one)) emitAppeared(one, walk)
}

function formOf(tree: JsonTree | undefined): WarningForm {
  if (tree === undefined) return 'none'
  if (tree.kind === 'array') return tree.items.length === 0 ? 'none' : 'array'
  const [first] = membersOf(tree)
  return memberOf(first?.value, '*') === undefined ? 'by module' : 'by module, "*"'
}

function warningsOf(tree: JsonTree | undefined, form: WarningForm): readonly ApiWarning[] {
  if (form === 'none') return []
  if (form === 'array') {
    return itemsOf(tree).map((one) => {
      const text = textIn(one, 'text') ?? textIn(one, 'html') ?? textIn(one, '*') ?? ''
      return warning(textIn(one, 'module') ?? '', text, textIn(one, 'code'))
    })
  }
  return membersOf(tree).flatMap(({ key, value }) =>
    (textIn(value, '*') ?? textIn(value, 'warnings') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => warning(key, line, undefined)),
  )
}

const textIn = (tree: JsonTree | undefined, key: string): string | undefined => textOf(memberOf(tree, key))

function warning(module: string, text: string, code: string | undefined): ApiWarning {
  const topic = topicOf(text, code ?? '')
  return { module, text, topic, about: code ?? `${topic} ${namesIn(text)}` }
}

function topicOf(text: string, code: string): WarningTopic {
  if (/^unrecognized|^badvalue/.test(code) || /unrecognized|not recognized/i.test(text)) return 'unrecognized'
  if (text.includes('mediawiki-api-announce')) return 'announcement'
  if (/^deprecation/.test(code) || /deprecat|legacy (?:format|output)|will be chang/i.test(text))
    return 'deprecated'
  return 'other'
}

/** Quoted words, words after a colon, `name=value`: what a message speaks of, in any wording. */
function namesIn(text: string): string {
  const quoted = [...text.matchAll(/["'«“]([^"'«»“”]{1,80})["'»”]/g)].map((match) => match[1] ?? '')
  const listed = /: ([\w, ]+)\.?$/.exec(text)?.[1]?.split(/[, ]+/) ?? []
  const names = [...new Set([...quoted, ...listed])].sort()
  return names.length > 0 ? names.join() : text.replace(/\d+/g, 'N').slice(0, 60)
}

function withoutEqual(
  a: readonly ApiWarning[],
  b: readonly ApiWarning[],
): readonly [readonly ApiWarning[], readonly ApiWarning[]] {
  const sameAs = (one: ApiWarning) => (other: ApiWarning) =>
    one.module === other.module && one.text === other.text
  return [a.filter((one) => !b.some(sameAs(one))), b.filter((one) => !a.some(sameAs(one)))]
}

/** The same message in other words: about the same names, or sharing most of its words. */
function isReworded(a: ApiWarning, b: ApiWarning): boolean {
  if (a.topic !== b.topic || (a.module !== b.module && a.module !== '' && b.module !== '')) return false
  if (a.topic === 'announcement' || a.about === b.about) return true
  // Two parameters that are not understood are two messages, however alike.
  if (a.topic === 'unrecognized') return namesIn(a.text) === namesIn(b.text)
  const [wordsA, wordsB] = [new Set(wordsOf(a.text)), new Set(wordsOf(b.text))]
  const common = [...wordsA].filter((word) => wordsB.has(word)).length
  return common * 2 > Math.max(wordsA.size, wordsB.size)
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** What the main module says of every request is told once; what it did not understand belongs to the request. */
function scopeOf({ module, topic, about }: ApiWarning): ChangeDetail {
  if (topic === 'announcement') return { mark: topic, scope: '*' }
  const isGeneral = topic === 'deprecated' && (module === 'main' || module === 'query')
  return isGeneral ? { mark: about, scope: '*' } : { mark: about }
}

function emitReworded(a: ApiWarning, b: ApiWarning, walk: TreeWalk): void {
  const values = { before: jsonString(a.text), after: jsonString(b.text) }
  walk.emit('text.changed', pathOf('warnings', b.module), { ...values, ...scopeOf(a) })
}

function emitRemoved(one: ApiWarning, walk: TreeWalk): void {
  const detail = { before: jsonString(one.text), ...scopeOf(one) }
  if (one.topic === 'announcement') walk.emit('text.changed', pathOf('warnings', one.module), detail)
  else walk.emit('warning.removed', pathOf('warnings', one.module), detail)
}

function emitAppeared(one: ApiWarning, walk: TreeWalk): void {
  const detail = { after: jsonString(one.text), ...scopeOf(one) }
  const path = pathOf('warnings', one.module)
  switch (one.topic) {
    case 'unrecognized':
      walk.emit('warning.appeared', path, { ...detail, other: true })
      return
    case 'deprecated':
      walk.emit('deprecation.appeared', path, detail)
      return
    case 'announcement':
      walk.emit('text.changed', path, detail)
      return
    case 'other':
      walk.emit('warning.appeared', path, detail)
      return
  }
}
