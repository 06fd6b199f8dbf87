/**
 * YAML as recorders write it: PyYAML and libyaml follow YAML 1.1, whose line breaks and tags differ from 1.2.
 * A body that the two may read differently becomes an `UncertainText`.
 * Sources: https://yaml.org/spec/1.1/ 4.2, https://yaml.org/type/
 */
import {
  type Document,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type ScalarTag,
  visit
} from 'yaml'
import type { JsonFault } from '../../recorder/json/json-fault.ts'
import { errorText } from '../../recorder/text/error-text.ts'
import { decodeBase64, UncertainText } from '../exchange/json-values.ts'

export type ParsedText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: JsonFault }

/** For what is no JSON or YAML, or is not all of it. */
export const brokenHint =
  '; make the recording again, or cut the file at its last whole entry'

/** Some four thousand exchanges, a gigabyte of memory. */
const maxLexemes = 1_500_000
const maxCharacters = 64 * 1024 * 1024
/** Recorders write none. */
const maxAliases = 100

export function readYaml(text: string): ParsedText {
  const lines = new LineCounter()
  const failed = (offset: number, message: string): ParsedText => {
    const { line, col } = lines.linePos(offset)
    return {
      ok: false,
      fault: {
        line: Math.max(line, 1),
        column: Math.max(col, 1),
        message
      }
    }
  }
  const excess = findExcess(text)
  if (excess !== undefined) return failed(0, excess)
  try {
    const document = parseDocument(text, {
      version: '1.1',
      customTags: (tags) => [
        ...tags.filter((tag) => typeof tag === 'string' || !replacedTags.has(tag.tag)),
        ...scalarTags,
        boolTag
      ],
      lineCounter: lines,
      prettyErrors: false,
      // The library's check is quadratic; findProblem has its own.
      uniqueKeys: false
    })
    const [error] = document.errors
    if (error) {
      const hint = yaml11Break.test(text)
        ? '; the file has line breaks of YAML 1.1, such as U+2028'
        : ''
      return failed(error.pos[0], firstLine(error.message) + hint + brokenHint)
    }
    const problem = findProblem(document, text)
    if (problem) return failed(problem.offset, problem.what)
    return { ok: true, value: document.toJS({ maxAliasCount: maxAliases }) }
  } catch (error) {
    return failed(0, firstLine(errorText(error)))
  }
}

/** The first problem of the text; bodies of uncertain text are replaced by an `UncertainText`. */
function findProblem(document: Document.Parsed, text: string) {
  const problems: { offset: number; what: string }[] = []
  const add = ({ range }: Node, what: string) =>
    void problems.push({ offset: range?.[0] ?? 0, what })
  let aliases = 0
  visit(document, {
    Scalar(key, node, path) {
      // The library concatenates character by character; V8 keeps the parts, 30 bytes each, until a text is searched.
      if (typeof node.value === 'string') /^./s.test(node.value)
      const what = uncertaintyOf(node, text)
      if (what === undefined) return
      if (key === 'value' && isBody(path.at(-1)))
        node.value = new UncertainText(`its body has ${what}`)
      else add(node, what)
    },
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (seen.has(key.value)) add(key, 'Map keys must be unique')
        seen.add(key.value)
      }
    },
    Alias(_, node) {
      if (++aliases > maxAliases) add(node, `more than ${maxAliases} aliases`)
    }
  })
  return problems[0]
}

/** Why a text must not be parsed: the library recurses for each level. */
function findExcess(text: string) {
  if (text.length > maxCharacters)
    return `it has ${text.length} characters; YAML is read up to ${maxCharacters} an entry; split it`
  let count = 0
  let depth = 0
  let onLine = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxLexemes)
      return `it has more than ${maxLexemes} pieces of YAML; split it`
    if (lexeme === '[' || lexeme === '{') depth += 1
    else if (lexeme === ']' || lexeme === '}') depth -= 1
    else if (lexeme === '\n') onLine = 0
    else if (lexeme === '-' || lexeme === '?' || lexeme === ':') onLine += 1
    else if (/^ +$/.test(lexeme) && lexeme.length > maxIndent) return tooDeepMessage
    if (depth > maxNesting || (depth === 0 && onLine > maxNesting)) return tooDeepMessage
  }
  return undefined
}

const maxNesting = 200
const maxIndent = 1000
const tooDeepMessage = 'it is nested too deeply to be read'

/** Line breaks of YAML 1.1 that are ordinary characters in 1.2. */
const yaml11Break = /[\u0085\u2028\u2029]|\r(?!\n)/

function uncertaintyOf({ range, tag, value }: Scalar, text: string) {
  if (typeof value !== 'string' || !range) return undefined
  if (tag !== undefined && !knownTags.has(tag)) return `the unknown tag ${tag}`
  return yaml11Break.test(text.slice(range[0], range[1]))
    ? 'line breaks that YAML 1.1 and 1.2 read differently'
    : undefined
}

const bodyNames: ReadonlySet<unknown> = new Set(['body', 'string', 'content'])
const isBody = (parent: unknown) =>
  isPair(parent) && isScalar(parent.key) && bodyNames.has(parent.key.value)

const firstLine = (message: string) => (message.split('\n', 1)[0] ?? '').slice(0, 200)

const binaryTag = (tag: string): ScalarTag => ({
  tag,
  resolve(source, onError) {
    const bytes = decodeBase64(source)
    if (typeof bytes !== 'string') return bytes
    onError(bytes)
    return source
  }
})

/** Booleans without `y` and `n`, which the recorders' libraries treat as texts. */
const boolTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  test: /^(?:yes|true|on|no|false|off)$/i,
  resolve: (source) => /^(?:yes|true|on)$/i.test(source)
}

const textTag = (tag: string): ScalarTag => ({ tag, resolve: (source) => source })

/** `!binary` is Ruby's; Python 2 tags every text. */
const scalarTags: readonly ScalarTag[] = [
  binaryTag('tag:yaml.org,2002:binary'),
  binaryTag('!binary'),
  textTag('tag:yaml.org,2002:python/unicode'),
  textTag('tag:yaml.org,2002:python/str'),
  textTag('!')
]
/** The library's tags that are not used: base64 is read strictly here, and maps are not merged. */
const replacedTags = new Set([
  boolTag.tag,
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:merge'
])
const knownTags: ReadonlySet<string> = new Set([
  'tag:yaml.org,2002:str',
  ...scalarTags.map(({ tag }) => tag)
])
