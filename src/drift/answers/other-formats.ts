/** Answers in XML and PHP as the trees that they would be in JSON. Sources: API:Data_formats; PHP manual, serialize. */
import { SaxesParser } from 'saxes'
import {
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString
} from '../../recorder/json/json-tree.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import { toBytes, walkPhp } from '../../recorder/wiki/answers/php-serialized.ts'

/** Both sides as trees; undefined if one of them cannot be read. */
export function readOtherFormats(
  a: string,
  b: string
): readonly [JsonTree, JsonTree] | undefined {
  const phpA = readPhp(a)
  const phpB = readPhp(b)
  if (phpA && phpB) return [phpA, phpB]
  const one = readXml(a)
  const other = readXml(b)
  if (!one || !other) return undefined
  const names = groupBy([...listsIn(one), ...listsIn(other)], ([path]) => path)
  const alike = [...names].filter(([, found]) =>
    found.every(([, name]) => name === found[0][1])
  )
  const lists = new Set(alike.map(([path]) => path))
  const attributes = new Set([...attributesIn(one), ...attributesIn(other)])
  const treeIn = (root: XmlElement) => treeOf(root, '', { lists, attributes })
  return [treeIn(one), treeIn(other)]
}

/** Paths of attributes: an element of that name is none. */
const attributesIn = (
  { name, attributes, children }: XmlElement,
  at = ''
): readonly string[] => [
  ...attributes.map(([attribute]) => `${at}/${name}/${attribute}`),
  ...children.flatMap((child) => attributesIn(child, `${at}/${name}`))
]

interface XmlElement {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  readonly children: XmlElement[]
  text: string
}

type XmlPaths = Readonly<Record<'lists' | 'attributes', ReadonlySet<string>>>

/** MediaWiki's answers are about ten elements deep. */
const maxDepth = 200

/** The root element; undefined for what is not well-formed. */
function readXml(text: string) {
  if (!text.trimStart().startsWith('<')) return undefined
  const parser = new SaxesParser()
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let broken = false
  parser.on('error', () => {
    broken = true
  })
  parser.on('opentag', ({ name, attributes }) => {
    const pairs = Object.entries(attributes)
    const element: XmlElement = { name, attributes: pairs, children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
    if (open.length > maxDepth) broken = true
  })
  parser.on('closetag', () => void open.pop())
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  return broken ? undefined : root
}

/** Paths of elements that hold a list: one sort of child, numbered or several times, on either side. */
function listsIn(root: XmlElement, at = ''): readonly (readonly [string, string])[] {
  const path = `${at}/${root.name}`
  const [first, ...more] = root.children
  const alike = first && more.every(({ name }) => name === first.name)
  const isList =
    alike && (more.length > 0 || first.attributes.some(([name]) => name === '_idx'))
  return [
    ...(isList && first ? [[path, first.name] as const] : []),
    ...root.children.flatMap((child) => listsIn(child, path))
  ]
}

/** Attributes and children as members, text as `*`; a list as an array; what holds text alone as that text. */
function treeOf(element: XmlElement, at: string, paths: XmlPaths): JsonTree {
  const path = `${at}/${element.name}`
  const children = element.children.map(
    (child) => [child.name, treeOf(child, path, paths)] as const
  )
  if (paths.lists.has(path)) return jsonArray(children.map(([, child]) => child))
  const attributes = element.attributes.flatMap(([name, value]) =>
    name === '_idx' || name.startsWith('xml') ? [] : [[name, jsonString(value)] as const]
  )
  const text =
    element.text.trim() === '' ? [] : [['*', jsonString(element.text)] as const]
  const isAlone = attributes.length + children.length === 0 && text.length === 1
  if (isAlone && !paths.attributes.has(path)) return jsonString(element.text)
  // Children of one name become one member, an array if there are several.
  const members = [...groupBy(children, ([name]) => name)].map(([name, alike]) => {
    const values = alike.map(([, child]) => child)
    return [name, values.length === 1 ? alike[0][1] : jsonArray(values)] as const
  })
  return jsonObject([...attributes, ...text, ...members])
}

/** @returns undefined if the text is not one whole serialized value */
function readPhp(text: string) {
  if (!/^a:\d+:\{/.test(text)) return undefined
  const bytes = toBytes(text)
  /** Members of each array that is open, outside of them the whole; and the key of the next one in each. */
  const open: (readonly [string, JsonTree])[][] = [[]]
  const keys: string[] = []
  let isDeep = false
  const isWhole = walkPhp(bytes, ({ kind, value, isKey, depth, start, end }) => {
    isDeep ||= depth > maxDepth
    if (isKey) keys[depth] = value
    else if (kind === 'array') open.push([])
    else if (kind === 'end') {
      const tree = arrayOf(open.pop() ?? [])
      open.at(-1)?.push([keys[depth - 1] ?? '', tree])
    } else {
      const tree =
        kind === 'string' ? jsonString(value) : scalarOf(bytes.slice(start, end))
      open.at(-1)?.push([keys[depth] ?? '', tree])
    }
  })
  return isWhole && !isDeep ? open[0]?.[0]?.[1] : undefined
}

/** Keys counted from 0 are a list. */
const arrayOf = (members: readonly (readonly [string, JsonTree])[]) =>
  members.every(([key], at) => key === String(at))
    ? jsonArray(members.map(([, value]) => value))
    : jsonObject(members)

/** `N;`, `b:1;`, `i:5;`, `d:1.5;` */
const scalarOf = (token: string): JsonTree =>
  token.startsWith('b')
    ? jsonLiteral(token === 'b:1;')
    : { kind: 'literal', text: token.slice(2, -1) || 'null' }
