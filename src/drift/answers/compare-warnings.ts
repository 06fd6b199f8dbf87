/** Warnings of both answers in one form, compared message by message. Source: API:Errors_and_warnings. */
import { itemsOf, type JsonTree, memberOf, membersOf, textOf } from '../../json/json-tree.ts'
import type { ChangeDetail } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { pathOf } from '../changes/path.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

/** How an answer carries its warnings: by module under `*`, by module under `warnings`, or as an array. */
type WarningForm = 'none' | 'by module, "*"' | 'by module' | 'array'

interface ApiWarning {
  readonly module: string
  readonly text: string
  readonly topic: WarningTopic
  /** The names and values in it, or its code: what stays when the wording changes. */
  readonly about: string
}

type WarningTopic = 'unrecognized' | 'deprecated' | 'announcement' | 'other'

export function compareWarnings(a: JsonTree | undefined, b: JsonTree | undefined, walk: TreeWalk): void {
  const [formA, formB] = [formOf(a), formOf(b)]
  if (formA !== 'none' && formB !== 'none' && formA !== formB) {
    const note = `${formA} → ${formB}`
    walk.emit('warning.envelope', pathOf('warnings'), { before: a, after: b, note, scope: '*' })
  }
  const [inA, inB] = [warningsOf(a, formA), warningsOf(b, formB)]
  const [restA, restB] = [withoutEqual(inA, inB), withoutEqual(inB, inA)]
  const reworded = new Set<ApiWarning>()
  for (const one of restA) {
    const other = restB.find((candidate) => !reworded.has(candidate) && isReworded(one, candidate))
    if (other !== undefined) reworded.add(other)
    const kind = other || one.topic === 'announcement' ? 'text.changed' : 'warning.removed'
    const values = { before: one.text, after: other?.text }
    walk.emit(kind, pathOf('warnings', (other ?? one).module), { ...values, ...scopeOf(one) })
  }
  for (const one of restB) {
    const detail = { after: one.text, ...scopeOf(one), other: one.topic === 'unrecognized' }
    if (!reworded.has(one)) walk.emit(appearedKinds[one.topic], pathOf('warnings', one.module), detail)
  }
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

/** The names in a message, in any wording: quoted words, words after a colon. */
function namesIn(text: string): string {
  const quoted = [...text.matchAll(/["'«“]([^"'«»“”]{1,80})["'»”]/g)].map((match) => match[1] ?? '')
  const listed = /: ([\w, ]+)\.?$/.exec(text)?.[1]?.split(/[, ]+/) ?? []
  const names = [...new Set([...quoted, ...listed])].sort()
  return names.length > 0 ? names.join() : text.replace(/\d+/g, 'N').slice(0, 60)
}

const withoutEqual = (
  warnings: readonly ApiWarning[],
  others: readonly ApiWarning[],
): readonly ApiWarning[] =>
  warnings.filter(({ module, text }) => !others.some((one) => one.module === module && one.text === text))

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

/** A deprecation of the main module concerns all requests; a warning about a parameter, the request that sends it. */
function scopeOf({ module, topic, about }: ApiWarning): ChangeDetail {
  if (topic === 'announcement') return { mark: topic, scope: '*' }
  const isGeneral = topic === 'deprecated' && (module === 'main' || module === 'query')
  return isGeneral ? { mark: about, scope: '*' } : { mark: about }
}

const appearedKinds: Readonly<Record<WarningTopic, Kind>> = {
  unrecognized: 'warning.appeared',
  deprecated: 'deprecation.appeared',
  announcement: 'text.changed',
  other: 'warning.appeared',
}
