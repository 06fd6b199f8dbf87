/**
 * Detection of secrets in the files of a cassette, whoever wrote them (`wikitape check`). Fields are judged by the rule of the
 * recorder (`memberSecretKind`), by what the file itself says was asked; besides, shapes count everywhere.
 */
import type { Interaction, RecordedBody } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { mediaType } from '../../wiki/answers/wiki-answer.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import {
  decompress,
  isPlainText,
  maxDepth,
  saysCompressed,
  textOfBytes
} from '../encodings/decode-layers.ts'
import { decodeText } from '../encodings/decode-text.ts'
import { memberSecretKind } from '../secrets/member-secrets.ts'
import { isPlaceholder, looksRandom } from '../secrets/secret.ts'
import {
  answerSecretKind,
  cookieKind,
  fieldSecretKind,
  isCredential
} from '../secrets/secret-names.ts'
import {
  type AnswerSource,
  sourceOfAnswer,
  sourceOfMember,
  type TextSource
} from '../sources/answer-source.ts'
import { type Field, mapFields } from '../sources/fields.ts'
import { type DetectedSecret, detectedSecret, pathBelow } from './detected-secret.ts'
import { type DetectedKind, type SecretHit, scanText } from './scan-text.ts'

/** Secrets by structure (names) and by entropy. @param name of the file inside the cassette, which contains parameters */
export function scanFile(
  name: string,
  content: string | Uint8Array
): readonly DetectedSecret[] {
  const scan = new FileScan(undefined)
  scan.fileName(name)
  if (typeof content === 'string') scan.text(content, undefined, 0)
  else scan.bytes(content, undefined, 0)
  return [...scan.found.values()]
}

/** Finds secrets in a body, with the same result wherever it is stored. @param where in front of the places in it */
export function scanBody(
  body: RecordedBody,
  answer?: AnswerSource,
  where = ''
): readonly DetectedSecret[] {
  const scan = new FileScan(answer)
  if (body.kind === 'json') scan.tree(body.tree, where, 0)
  else if (body.kind === 'binary') scan.bytes(body.bytes, where, 0)
  else
    for (const [at, line] of body.text.split(/(?<=\n)/).entries())
      scan.text(line, `${where} line ${at + 1}`.trim(), 0)
  return [...scan.found.values()]
}

/** Everything that looks like a secret in what is recorded of a request and its answers. @param site of its wiki */
export function scanInteraction(
  {
    request,
    sentValues,
    responses
  }: Pick<Interaction, 'request' | 'sentValues' | 'responses'>,
  site: SiteFacts | undefined
): readonly DetectedSecret[] {
  const scan = new FileScan(undefined)
  for (const [name, value] of request)
    scan.text(value, pathBelow('request', name), 0, 'content')
  for (const [name, value] of sentValues)
    scan.text(value, pathBelow('asked', name), 0, 'content')
  const bodies = responses.flatMap(({ headers, cookies, body }, at) => {
    const where = `responses[${at}]`
    for (const [name, value] of headers) scan.text(value, `${where}.headers.${name}`, 0)
    for (const { name, value } of cookies)
      scan.cookie(`${where}.cookies.${name}`, name, value)
    return scanBody(
      body,
      answerOf(request, headers, site),
      body.kind === 'json' ? `${where}.json` : where
    )
  })
  return [...scan.found.values(), ...bodies]
}

/** Where the text of a recorded answer comes from. */
export const answerOf = (
  request: Interaction['request'],
  headers: ReadonlyMap<string, string>,
  site: SiteFacts | undefined
): AnswerSource => sourceOfAnswer(request, mediaType(headers), site)

class FileScan {
  readonly found: Map<string, DetectedSecret> = new Map()
  /** Of the body; undefined for files of which nothing is known, where names count. */
  readonly #answer: AnswerSource | undefined

  constructor(answer: AnswerSource | undefined) {
    this.#answer = answer
  }

  /** Names are `lgname=A,lgtoken=_token_.<key>.json`, with `_` for characters other than letters, digits and `=,-+`. */
  fileName(name: string) {
    for (const [, param = '', value = ''] of name.matchAll(
      /(?:^|[/,])(\w{1,64})=([^,/.]{1,256})/g
    )) {
      const kind = /^_.*_$/.test(value) ? undefined : fieldSecretKind(param, value)
      if (kind !== undefined) this.#report('file name', kind, value, true)
    }
  }

  cookie(where: string, name: string, value: string) {
    const kind = fieldSecretKindWithin(name, value, 'cookies')
    if (kind !== undefined) this.#report(where, kind, value, true)
  }

  /** @param where undefined at the top of a file, where lines are counted */
  text(spelled: string, where: string | undefined, depth: number, source?: TextSource) {
    const text = withoutNul(spelled)
    if (!mayHoldSecret.test(text)) return
    const reading = /^\ufeff?\s{0,64}[[{]/.test(text) ? readJson(text) : undefined
    if (reading?.ok) {
      if (where === undefined) this.tree(reading.tree, '', depth)
      else this.#nested(reading.tree, where, depth, source ?? this.#answer?.source)
      return
    }
    const isContent = (source ?? this.#answer?.source) === 'content'
    for (const hit of scanText(text)) {
      // Examples in the API's documentation have invented passwords.
      if (hit.kind === 'password' && where !== undefined && /\bexamples\b/.test(where))
        continue
      if (isContent && !isUnlikeWords(hit)) continue
      this.#report(where ?? lineNumberOf(text, hit), hit.kind, hit.value, false)
    }
    if (depth < maxDepth) this.#base64(text, where, depth + 1)
  }

  bytes(bytes: Uint8Array, where: string | undefined, depth: number) {
    const inflated = depth < maxDepth ? decompress(bytes) : undefined
    if (inflated) this.bytes(inflated, where, depth + 1)
    const plain = textOfBytes(bytes)
    this.text(plain, where, depth)
    const decoded = decodeText(bytes)?.text ?? plain
    if (decoded !== plain) this.text(decoded, where, depth)
  }

  tree(tree: JsonTree, where: string, depth: number) {
    mapFields(tree, (value, field) => {
      const kind = this.#kindOf(value, field)
      const isPlain = kind === undefined && field.name !== 'base64'
      if (isPlain && !mayHoldSecret.test(withoutNul(value))) return value
      const place = (field.steps ?? []).reduce(pathBelow, where)
      if (kind !== undefined) this.#report(place, kind, value, true)
      else if (field.name === 'base64')
        this.bytes(Buffer.from(value, 'base64'), place, depth + 1)
      else
        this.text(
          value,
          place,
          depth,
          this.#answer && sourceOfMember(field.path, this.#answer)
        )
      return value
    })
  }

  /** JSON in a string may be content: its names make its values doubtful, not secrets. */
  #nested(tree: JsonTree, where: string, depth: number, source: TextSource | undefined) {
    mapFields(tree, (value, { name, path, steps = [] }) => {
      const place = steps.reduce(pathBelow, where)
      const kind = fieldSecretKindWithin(name, value, path.at(-2) ?? '')
      if (kind !== undefined && (source !== 'content' || looksRandom(value)))
        this.#report(place, kind, value, false)
      else this.text(value, place, depth, source)
      return value
    })
  }

  #kindOf(value: string, field: Field) {
    if (this.#answer) return memberSecretKind(value, field, this.#answer)
    const { name, path } = field
    const isValue = path.at(-1) === 'value'
    return fieldSecretKindWithin(
      name,
      value,
      isValue || name === 'cookies' ? (path.at(isValue ? -2 : -1) ?? '') : ''
    )
  }

  /** Scans runs of base64 that decode to text or to compressed bytes. */
  #base64(text: string, where: string | undefined, depth: number) {
    for (const run of text.matchAll(
      /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32}[A-Za-z0-9+/_-]*={0,2}/g
    )) {
      if (/^[0-9a-f]*$/i.test(run[0])) continue
      const bytes = Buffer.from(run[0], 'base64')
      const place = where ?? lineNumberOf(text, { start: run.index })
      if (isPlainText(bytes)) this.text(bytes.toString('utf8'), place, depth)
      else if (saysCompressed(bytes)) this.bytes(bytes, place, depth)
    }
  }

  #report(where: string, kind: DetectedKind, value: string, named: boolean) {
    const one = detectedSecret(where, kind, value, named)
    this.found.set(`${where}\n${kind}\n${one.digest}`, one)
  }
}

/** Undoes UTF-16 that was taken for UTF-8; other bytes with NUL have more control characters. */
const withoutNul = (text: string) =>
  text.includes('\0') && !/[\u0001-\u0008]/.test(text) ? text.replaceAll('\0', '') : text

/** In what people wrote, examples of passwords and addresses abound. */
const isUnlikeWords = ({ kind, value }: SecretHit) =>
  kind === 'private-key' || kind === 'token' || looksRandom(value)

/** What every rule needs to find something; most strings of an answer have none of it. */
const mayHoldSecret =
  /[=:@]|[A-Za-z0-9_-]{32}|(?:basic|bearer|token)\s|-----BEGIN|[0-9A-Fa-f]{8}(?:\+|%|&|\\u)|eyJ|^\ufeff?\s{0,64}[[{]/i

const lineNumberOf = (text: string, { start }: Pick<SecretHit, 'start'>) =>
  `line ${text.slice(0, start).split('\n').length}`

function fieldSecretKindWithin(name: string, value: string, within: string) {
  if (value === '' || value === 'deleted' || isPlaceholder(value)) return undefined
  if (within === 'cookies' && name === within)
    return isCredential(value) ? 'cookie' : undefined
  if (within === 'cookies')
    return cookieKind(name).startsWith('user') ? undefined : 'cookie'
  return answerSecretKind(name, value)
}
