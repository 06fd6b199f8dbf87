/** What an answer of wikitape is beside the wiki's own of the same moment. */
import { type JsonTree, withoutMember } from '../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import {
  equalIgnoringVolatile,
  equalTextsIgnoringVolatile
} from '../../../src/recorder/wiki/answers/volatile.ts'
import { withOwn } from '../run.ts'
import { sorted } from '../send.ts'
import type { Said } from './ask.ts'
import { secretLike } from './pools.ts'

/** Equal; equal but for continue values of wikitape's own, or zeros; equal but for the order of members; otherwise. */
export type Verdict = 'exact' | 'own' | 'order' | 'wrong'

/** What is inside of a call to a function too. */
export function treeOf({ text }: Said): JsonTree | undefined {
  const reading = readJson(
    text
      .replace(/^\/\*\*\/[^(]*\(([\s\S]*)\)$/, '$1')
      // The moment of the answer, in versions with the old tokens, and those of a session.
      .replace(/("basetimestamp": ?")20260101\d{6}/g, '$1')
      .replace(/("starttimestamp": ?")[^"]*/g, '$1')
      .replace(/("\w+token":")[0-9a-f]{40,}(?=\+)/g, '$1')
  )
  return reading.ok ? withoutMember(reading.tree, 'debuginfo') : undefined
}

/** In place of a title that another request of the cassette sent as a secret there are zeros (ADR 0032). */
export function judge(said: Said, truth: Said): Verdict {
  // The debugging page of JSON is wikitape's own, with the answer in it.
  if (said.text.includes('<title>MediaWiki API result</title>'))
    return compared(inPage(said), inPage(truth)) === 'exact' ? 'own' : 'wrong'
  const found = compared(said, truth)
  const zeros = secretLike.replaceAll(/./g, '0')
  if (found !== 'wrong' || !said.text.includes(zeros)) return found
  const text = truth.text.replaceAll(secretLike, zeros)
  return compared(said, { ...truth, text }) === 'exact' ? 'own' : 'wrong'
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#039;', "'"],
  ['&amp;', '&']
])

function inPage(said: Said): Said {
  const written = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(said.text)?.[1] ?? ''
  return {
    ...said,
    text: written.replace(/&(?:lt|gt|quot|#039|amp);/g, (one) => entities.get(one) ?? one)
  }
}

function compared(said: Said, truth: Said): Verdict {
  if (said.code !== truth.code || said.type !== truth.type) return 'wrong'
  const ours = treeOf(said)
  const theirs = treeOf(truth)
  if (ours === undefined || theirs === undefined)
    return equalTextsIgnoringVolatile(withoutMoment(said.text), withoutMoment(truth.text))
      ? 'exact'
      : 'wrong'
  if (sameInOrder(ours, theirs)) return 'exact'
  if (said.text.includes('"wikitape-'))
    return equalIgnoringVolatile(ours, withOwn(theirs, ours)) ? 'own' : 'wrong'
  return equalIgnoringVolatile(sorted(ours), sorted(theirs)) ? 'order' : 'wrong'
}

const sameInOrder = (ours: JsonTree, theirs: JsonTree): boolean =>
  writeCompact(ours, 'utf8') === writeCompact(theirs, 'utf8') ||
  (equalIgnoringVolatile(ours, theirs) && namesIn(ours) === namesIn(theirs))

/** Names of members in their order: the rule for what is volatile does not look at it. */
const namesIn = (tree: JsonTree): string =>
  tree.kind === 'array'
    ? tree.items.map(namesIn).join(',')
    : tree.kind === 'object'
      ? `{${tree.members.map(({ key, value }) => `${key}:${namesIn(value)}`).join(' ')}}`
      : ''

/** What pages and highlighted answers say of the moment. */
const withoutMoment = (text: string): string =>
  text
    .replace(/"wg(?:RequestId|BackendResponseTime)":[^,}]*/g, '')
    .replace(/<debuginfo[\s\S]*?<\/debuginfo>/, '')
    .replace(/\n *&lt;debuginfo[\s\S]*?&lt;\/debuginfo>/, '')
    .replace(/,?\n {4}"debuginfo": \{[\s\S]*?\n {4}\}/, '')
    .replace(/(?:NewPP limit|Transclusion expansion time) report[\s\S]*?--/g, '')
    .replace(/mw\.config\.set\(\{"debugInfo":[\s\S]*?<\/script>/, '')
    // As the wiki writes what has nothing else.
    .replace(/((?:<|&lt;)api(?: [^<>]*)?)>\s*(?:<|&lt;)\/api>/, '$1 />')
    .replace(/debuginfo[\s\S]*?(<\/pre>|$)/, '$1')
    // The clock of the lab's wikis; their content is older.
    .replace(/2026-01-01T\d\d:\d\d:\d\dZ/g, '')
    .replace(/^a:\d+/, '')
    .replace(/s:9:"$/, '')
    .replace(/\}+$/, '')

/** Where two answers begin to differ. */
export function apart(said: Said, truth: Said): string {
  const ours = textOf(said)
  const theirs = textOf(truth)
  let at = 0
  while (at < theirs.length && theirs[at] === ours[at]) at += 1
  const from = Math.max(0, at - 80)
  const head =
    said.code === truth.code ? '' : `  codes: wiki ${truth.code}, tape ${said.code}\n`
  return `${head}  wiki …${theirs.slice(from, at + 160)}\n  tape …${ours.slice(from, at + 160)}`
}

const textOf = (one: Said): string => {
  const tree = treeOf(one)
  return tree === undefined ? withoutMoment(one.text) : writeCompact(tree, 'utf8')
}
