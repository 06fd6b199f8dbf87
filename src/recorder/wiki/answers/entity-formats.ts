/**
 * Answers with entities in the formats php and xml, out of the JSON of formatversion 1 or 2. Source: ApiFormatPhp, ApiFormatXml,
 * Sanitizer::encodeAttribute; ResultBuilder of Wikibase for the names of elements; measured on Wikibase 1.45.
 */
import {
  itemsOf,
  type JsonTree,
  membersOf,
  textAt,
  textOf
} from '../../json/json-tree.ts'
import { mapAll } from '../../text/group-by.ts'
import { wordSet } from '../../text/words.ts'
import { escapeHtml } from './envelope.ts'
import { toBytes } from './php-serialized.ts'

export const entityFormats: ReadonlyMap<string, string> = new Map([
  ['php', 'application/vnd.php.serialized; charset=utf-8'],
  ['xml', 'text/xml; charset=utf-8']
])

/** Undefined for a format that is not known, and for a tree that may be written in several ways. */
export function writeEntities(tree: JsonTree, format: string): string | undefined {
  if (format === 'php') return phpOf(tree)
  const api = format === 'xml' ? elementOf('api', tree) : undefined
  return api && `<?xml version="1.0"?>${api}`
}

/** Numbers with a fraction have other digits in each format, and booleans other values. */
const integer = /^-?\d{1,18}$/

function phpOf(tree: JsonTree): string | undefined {
  if (tree.kind === 'string') return phpText(tree.value)
  if (tree.kind === 'literal')
    return integer.test(tree.text) ? `i:${tree.text};` : undefined
  const members =
    tree.kind === 'object'
      ? tree.members
      : tree.items.map((value, at) => ({ key: String(at), value }))
  const pairs = mapAll(members, ({ key, value }) => {
    const written = phpOf(value)
    return written && `${arrayKey(key)}${written}`
  })
  return pairs && `a:${members.length}:{${pairs.join('')}}`
}

const phpText = (text: string) => `s:${toBytes(text).length}:"${text}";`
const arrayKey = (key: string) =>
  /^(?:0|-?[1-9]\d{0,17})$/.test(key) ? `i:${key};` : phpText(key)

/** What the elements in it are called, and those around the ones of one key, if there are such. */
const containers: ReadonlyMap<string, readonly [item: string, group?: string]> = new Map([
  ['entities', ['entity']],
  ['labels', ['label']],
  ['descriptions', ['description']],
  ['aliases', ['alias', 'language']],
  ['claims', ['claim', 'property']],
  ['qualifiers', ['qualifiers', 'property']],
  ['qualifiers-order', ['property']],
  ['references', ['reference']],
  ['snaks', ['snak', 'property']],
  ['snaks-order', ['property']]
])
const plainElements = wordSet('mainsnak datavalue value')
/** Where the wiki writes the key of a member, too, or what it calls the members is not known. */
const unknownMembers = wordSet('for-language source-language redirects site badges')

/** Members with one value are attributes, the others elements in it. */
function elementOf(name: string, tree: JsonTree): string | undefined {
  const text = scalarOf(tree)
  if (text !== undefined) return `<${name}>${text}</${name}>`
  if (tree.kind !== 'object') return undefined
  const attributes: string[] = []
  const children = mapAll(tree.members, ({ key, value }) => {
    if (unknownMembers.has(key)) return undefined
    const scalar = scalarOf(value)
    if (scalar === undefined) return childOf(key, value)
    attributes.push(` ${key}="${scalar}"`)
    return ''
  })
  return children && element(name + attributes.join(''), children)
}

function childOf(name: string, tree: JsonTree): string | undefined {
  if (name === 'warnings') return warningOf(tree)
  if (name === 'sitelinks')
    return itemsOf(tree).length === 0 ? '<sitelinks />' : undefined
  if (plainElements.has(name)) return elementOf(name, tree)
  const [item, group] = containers.get(name) ?? []
  if (item === undefined) return undefined
  const itemsIn = (some: JsonTree) => mapAll(itemsOf(some), (one) => elementOf(item, one))
  if (group === undefined) {
    const items = itemsIn(tree)
    return items && element(name, items)
  }
  if (tree.kind === 'array' && tree.items.length > 0) return undefined
  const groups = mapAll(membersOf(tree), ({ key, value }) => {
    const items = itemsIn(value)
    return items && element(`${group} id="${escaped(key)}"`, items)
  })
  return groups && element(name, groups)
}

function warningOf(tree: JsonTree) {
  const text = textAt(tree, 'main', '*')
  return text && `<warnings><main xml:space="preserve">${escaped(text)}</main></warnings>`
}

function element(head: string, children: readonly string[]) {
  const inner = children.join('')
  return inner === '' ? `<${head} />` : `<${head}>${inner}</${/^\S+/.exec(head)?.[0]}>`
}

/** Undefined for what is none, and for a text that is written with escapes. */
function scalarOf(tree: JsonTree) {
  if (tree.kind === 'literal') return integer.test(tree.text) ? tree.text : undefined
  const text = textOf(tree)
  return text === undefined || /[\u0000-\u001f\u007f]/.test(text)
    ? undefined
    : escaped(text)
}

const escaped = (text: string) => escapeHtml(text).replaceAll("'", '&#039;')
