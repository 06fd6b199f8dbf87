/** Answers in XML and PHP as the trees that they would be in JSON. Sources: API:Data_formats; PHP manual, serialize. */
import { SaxesParser } from 'saxes'
import { type JsonTree, jsonArray, jsonLiteral, jsonObject, jsonString } from '../../json/json-tree.ts'
import { groupBy } from '../../text/group-by.ts'

/** Both sides as trees; undefined where one of them cannot be read. */
export function readOtherFormats(a: string, b: string): readonly [JsonTree, JsonTree] | undefined {
  const php = [readPhp(a), readPhp(b)] as const
  if (php[0] !== undefined && php[1] !== undefined) return [php[0], php[1]]
  const [one, other] = [readXml(a), readXml(b)]
  if (one === undefined || other === undefined) return undefined
  const lists = new Set([...listsIn(one), ...listsIn(other)])
  return [treeOf(one, '', lists), treeOf(other, '', lists)]
}

interface XmlElement {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  readonly children: XmlElement[]
  text: string
}

/** MediaWiki's answers are about ten elements deep. */
const maxDepth = 200

/** The root element; undefined for what is not well-formed. */
function readXml(text: string): XmlElement | undefined {
  if (!text.trimStart().startsWith('<')) return undefined
  const parser = new SaxesParser()
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let broken = false
  parser.on('error', () => {
    broken = true
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes: Object.entries(attributes), children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
    if (open.length > maxDepth) broken = true
  })
  parser.on('closetag', () => void open.pop())
  const addText = (part: string): void => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  return broken ? undefined : root
}

/** Paths of elements that hold a list: one sort of child, numbered or several times, on either side. */
function listsIn(root: XmlElement, at = ''): readonly string[] {
  const path = `${at}/${root.name}`
  const [first, ...more] = root.children
  const alike = first !== undefined && more.every(({ name }) => name === first.name)
  const isList = alike && (more.length > 0 || first.attributes.some(([name]) => name === '_idx'))
  return [...(isList ? [path] : []), ...root.children.flatMap((child) => listsIn(child, path))]
}

/** Attributes and children as members, text as `*`; a list as an array; what holds text alone as that text. */
function treeOf(element: XmlElement, at: string, lists: ReadonlySet<string>): JsonTree {
  const path = `${at}/${element.name}`
  const children = element.children.map((child) => [child.name, treeOf(child, path, lists)] as const)
  if (lists.has(path)) return jsonArray(children.map(([, child]) => child))
  const attributes = element.attributes.flatMap(([name, value]) =>
    name === '_idx' || name.startsWith('xml') ? [] : [[name, jsonString(value)] as const],
  )
  const text = element.text.trim() === '' ? [] : [['*', jsonString(element.text)] as const]
  if (attributes.length + children.length === 0 && text.length === 1) return jsonString(element.text)
  return jsonObject([...attributes, ...text, ...groupChildren(children)])
}

/** Children of one name become one member, an array where there are several. */
function groupChildren(
  children: readonly (readonly [string, JsonTree])[],
): readonly (readonly [string, JsonTree])[] {
  return [...groupBy(children, ([name]) => name)].map(([name, [[, first], ...more]]) => [
    name,
    more.length === 0 ? first : jsonArray([first, ...more.map(([, child]) => child)]),
  ])
}

/** @returns undefined where the text is not one whole serialized value */
function readPhp(text: string): JsonTree | undefined {
  if (!/^a:\d+:\{/.test(text)) return undefined
  const reader = new PhpReader(Buffer.from(text, 'utf8').toString('latin1'))
  const tree = reader.value(0)
  return reader.isWhole ? tree : undefined
}

const scalarPattern = /(?:N|b:([01])|i:(-?\d+)|d:([^;{}"]+));/y
const stringPattern = /s:(\d+):"/y
const arrayPattern = /a:(\d+):\{/y

/** Lengths are in bytes, so the text is read as bytes. */
class PhpReader {
  readonly #bytes: string
  #at = 0

  constructor(bytes: string) {
    this.#bytes = bytes
  }

  get isWhole(): boolean {
    return this.#at === this.#bytes.length
  }

  value(depth: number): JsonTree | undefined {
    const simple = this.#match(scalarPattern)
    if (simple !== null) return scalarOf(simple)
    const text = this.#string()
    if (text !== undefined) return jsonString(text)
    const head = this.#match(arrayPattern)
    return head === null || depth > maxDepth ? undefined : this.#array(Number(head[1]), depth)
  }

  /** Keys counted from 0 are a list. */
  #array(count: number, depth: number): JsonTree | undefined {
    const members: (readonly [string, JsonTree])[] = []
    for (let left = count; left > 0; left -= 1) {
      const key = this.#string() ?? this.#match(scalarPattern)?.[2]
      const value = key === undefined ? undefined : this.value(depth + 1)
      if (key === undefined || value === undefined) return undefined
      members.push([key, value])
    }
    if (this.#bytes[this.#at] !== '}') return undefined
    this.#at += 1
    const isList = members.every(([key], at) => key === String(at))
    return isList ? jsonArray(members.map(([, value]) => value)) : jsonObject(members)
  }

  #string(): string | undefined {
    const head = this.#match(stringPattern)
    if (head === null) return undefined
    const end = this.#at + Number(head[1])
    if (this.#bytes.slice(end, end + 2) !== '";') return undefined
    const text = this.#bytes.slice(this.#at, end)
    this.#at = end + 2
    return Buffer.from(text, 'latin1').toString('utf8')
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#bytes)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }
}

/** What has neither a flag nor a number is null. */
function scalarOf([, flag, integer, float]: RegExpExecArray): JsonTree {
  if (flag !== undefined) return jsonLiteral(flag === '1')
  return { kind: 'literal', text: integer ?? float ?? 'null' }
}
