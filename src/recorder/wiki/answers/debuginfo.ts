/**
 * Removal of `debuginfo`, which a wiki with the Debug Toolbar adds to every answer. It repeats request headers, cookies
 * included. Source: spec, "Debug block".
 */
import { cutMembers } from '../../json/edit-json.ts'
import { type JsonTree, textAt, withoutMember } from '../../json/json-tree.ts'
import { mapStrings } from '../../json/map-strings.ts'
import { fromBytes, toBytes, walkPhp } from './php-serialized.ts'

/** An answer without `debuginfo`, and MediaWiki's version from it. */
export interface StripResult<T> {
  readonly rest: T
  readonly engine: string | undefined
}

export function stripDebuginfo(tree: JsonTree): StripResult<JsonTree> {
  const engine = textAt(tree, 'debuginfo', 'mwVersion')
  return { rest: withoutMember(tree, 'debuginfo'), engine }
}

/** The tree with the blocks of pages in its values emptied, e.g. of the page that `action=help` has with `wrap`. */
export const emptyPageBlocks = (tree: JsonTree): JsonTree =>
  mapStrings(tree, (value) =>
    value.includes(pageScriptStart) ? (stripPage(value)?.rest ?? value) : value
  )

/** True of a text that holds such a block of a page, whichever format it is quoted in. */
export const holdsPageBlock = (text: string): boolean =>
  /mw\.config\.set\(\{\\*(?:"|&quot;|&#0*34;)debugInfo\\*(?:"|&quot;|&#0*34;):\{(?!\})/.test(
    text
  )

/**
 * Undefined where the block cannot be cut out with certainty: then nothing may be recorded.
 * @param type media type @param isApi false for pages of the wiki, whose authors may quote an answer
 */
export function stripDebuginfoText(
  given: string,
  type: string,
  isApi = false
): StripResult<string> | undefined {
  if (!/debuginfo/i.test(given)) return { rest: given, engine: undefined }
  const text = isApi && type === 'text/html' ? stripShown(given) : given
  const isXml = /[/+]xml$/.test(type)
  if (isXml || type === 'application/vnd.php.serialized') {
    const stripped = isXml ? stripXml(text) : stripPhp(text)
    return !stripped || holdsPageBlock(stripped.rest) ? undefined : stripped
  }
  const json = /[/+](?:json|javascript)$/.test(type) ? stripJsonText(text) : undefined
  // A debugging page inside of JSON shows the block as text.
  if (json && !blockMember.test(json.rest)) return json
  if (text.includes(pageScriptStart)) {
    const page = stripPage(text)
    // A debugging page also shows the block of the answer that it holds.
    return page && blockMember.test(page.rest) ? undefined : page
  }
  // Any other text may mention the word.
  return blockMember.test(text) ? undefined : { rest: text, engine: undefined }
}

/** The answer in a page for people. */
const shownAnswer = /(?<=<pre class="api-pretty-content">)([^<]*)(?=<\/pre>)/

/**
 * The page of `xmlfm` and `phpfm` whose answer is without the block; as it is where that is not certain.
 * Source: ApiFormatBase::closePrinter, Html::element, MediaWiki 1.27 to 1.43.
 */
function stripShown(page: string) {
  const parts = page.split(shownAnswer)
  const [before = '', shown = '', after = ''] = parts
  const answer = shown.replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  const stripped = answer.startsWith('<?xml') ? stripXml(answer) : stripPhp(answer)
  return stripped && parts.length === 3 && asElement(answer) === shown
    ? before + asElement(stripped.rest) + after
    : page
}

/** Html::element escapes no more. */
const asElement = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** What every block has. The toolbar's script names it behind a dot. */
const blockMember = /(?<!\.)mwVersion/

/** How pages of the wiki pass the block to their scripts. */
const pageScriptStart = 'mw.config.set({"debugInfo":{'

/** In pages the block stays as an empty object, since scripts read it. */
function stripPage(text: string) {
  const start = text.indexOf(pageScriptStart) + pageScriptStart.length - 1
  const end = endOfObject(text, start)
  if (end === undefined) return undefined
  const engine = /"mwVersion":"([^"]*)"/.exec(text.slice(start, end))?.[1]
  return { rest: `${text.slice(0, start)}{}${text.slice(end)}`, engine }
}

/** The offset behind the JSON object at `start`; undefined where it has no end. Linear time. */
function endOfObject(text: string, start: number) {
  const marks = /[{}"]|\\[\s\S]/g
  marks.lastIndex = start
  let depth = 0
  let inString = false
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '"') inString = !inString
    if (found[0] === '{' && !inString) depth += 1
    if (found[0] === '}' && !inString) depth -= 1
    if (depth === 0) return marks.lastIndex
  }
  return undefined
}

/** Bare JSON or JSONP, as the wiki spelled it. */
function stripJsonText(text: string) {
  const [start, end] = text.startsWith('/**/')
    ? [text.indexOf('(') + 1, text.lastIndexOf(')')]
    : [0, text.length]
  const json = text.slice(start, end)
  const rest = cutMembers(json, ['debuginfo'])
  if (rest === undefined) return undefined
  const engine = rest === json ? undefined : /"mwVersion":"([^"]*)"/.exec(json)?.[1]
  return { rest: text.slice(0, start) + rest + text.slice(end), engine }
}

/** `<` is escaped inside of XML values, so each tag is a real one. A tag in a page for people has its own line. */
function stripXml(text: string) {
  const start = text.indexOf('<debuginfo')
  if (start < 0) return { rest: text, engine: undefined }
  const end = text.indexOf('</debuginfo>', start)
  if (end < 0) return undefined
  const tag = text.slice(start, text.indexOf('>', start))
  const engine = /\bmwVersion="([^"]*)"/.exec(tag)?.[1]
  const rest =
    text.slice(0, start).replace(/\n *$/, '') + text.slice(end + '</debuginfo>'.length)
  return { rest: rest.replace(/(<api(?: [^<>]*)?)>\n?<\/api>$/, '$1 />'), engine }
}

/** PHP's serialize: `a:2:{s:5:"query";a:0:{}s:9:"debuginfo";a:1:{…}}`. */
function stripPhp(text: string) {
  const bytes = toBytes(text)
  const [head = '', count] = /^a:(\d+):\{/.exec(bytes) ?? []
  let start = -1
  let end = -1
  const isWhole = walkPhp(bytes, (token) => {
    if (token.depth !== 1 || !(token.isKey || token.kind === 'end')) return
    if (start >= 0 && end < 0) end = token.start
    if (token.value === 'debuginfo') start = token.start
  })
  // Only a whole array is certain to have been understood.
  if (!isWhole || count === undefined) return undefined
  if (start < 0) return { rest: text, engine: undefined }
  const engine = /s:9:"mwVersion";s:\d+:"([^"]*)"/.exec(bytes.slice(start, end))?.[1]
  return {
    rest: fromBytes(
      `a:${Number(count) - 1}:{${bytes.slice(head.length, start)}${bytes.slice(end)}`
    ),
    engine
  }
}
