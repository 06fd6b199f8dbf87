/** Detection of secrets in the files of a cassette, whoever wrote them (`wikitape check`). */
import type { RecordedBody } from '../../cassette/interaction.ts'
import { type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { digest } from '../../request/request-key.ts'
import { decompress, isPlainText, maxDepth, saysCompressed, textOfBytes } from '../encodings/decode-layers.ts'
import { isPlaceholder } from '../secrets/secret.ts'
import { answerSecretKind, cookieKind, fieldSecretKind, isCredential } from '../secrets/secret-names.ts'
import { type DetectedKind, type SecretHit, scanText } from './scan-text.ts'

/** A secret detected in a file: its location, and as much of it as may be shown. */
export interface DetectedSecret {
  /** Path of JSON members (`responses[0].json.query.tokens.csrftoken`), `line 12` of other text, or `file name`. */
  readonly where: string
  readonly kind: DetectedKind
  /** The value with its middle masked: enough to find it, too little to use it. */
  readonly excerpt: string
  /** Of the value, to recognise it. */
  readonly digest: string
  /** True where a field is named like a secret; false where a text only looks like one. */
  readonly named: boolean
}

export const detectedSecret = (
  where: string,
  kind: DetectedKind,
  value: string,
  named = true,
): DetectedSecret => ({ where, kind, excerpt: maskMiddle(value), digest: digest(value, 12), named })

/** At most an eighth on either side, and never more than four characters. */
function maskMiddle(value: string): string {
  const shown = Math.min(4, Math.floor(value.length / 8))
  return `${value.slice(0, shown)}…${value.slice(value.length - shown)}`
}

/** Secrets by structure (names) and by entropy. @param name of the file inside the cassette, which contains parameters */
export function scanFile(name: string, content: string | Uint8Array): readonly DetectedSecret[] {
  const scan = new FileScan()
  scan.fileName(name)
  if (typeof content === 'string') scan.text(content, undefined, 0)
  else scan.bytes(content, undefined, 0)
  return [...scan.found.values()]
}

/** Sorted digests of texts in a redacted answer that look like secrets, but are content: no field is named like a secret. */
export const falseAlarmsIn = (body: RecordedBody): readonly string[] =>
  [...new Set(scanBody(body).flatMap((one) => (one.named ? [] : [one.digest])))].sort()

/** Finds secrets in a body, with the same result wherever it is stored. */
export function scanBody(body: RecordedBody): readonly DetectedSecret[] {
  const scan = new FileScan()
  if (body.kind === 'json') scan.tree(body.tree, '', 0, true)
  else if (body.kind === 'binary') scan.bytes(body.bytes, '', 0)
  else for (const [at, line] of body.text.split(/(?<=\n)/).entries()) scan.text(line, `line ${at + 1}`, 0)
  return [...scan.found.values()]
}

class FileScan {
  readonly found: Map<string, DetectedSecret> = new Map()

  /** Names are `lgname=A,lgtoken=_token_.<key>.json`, with `_` for characters other than letters, digits and `=,-+`. */
  fileName(name: string): void {
    for (const [, param = '', value = ''] of name.matchAll(/(?:^|[/,])(\w{1,64})=([^,/.]{1,256})/g)) {
      const kind = /^_.*_$/.test(value) ? undefined : fieldSecretKind(param, value)
      if (kind !== undefined) this.#report('file name', kind, value, true)
    }
  }

  /** @param where undefined at the top of a file, where lines are counted */
  text(text: string, where: string | undefined, depth: number): void {
    if (!mayHoldSecret.test(text)) return
    const reading = /^\ufeff?\s{0,64}[[{]/.test(text) ? readJson(text) : undefined
    if (reading?.ok === true) {
      this.tree(reading.tree, where ?? '', depth, where === undefined)
      return
    }
    for (const hit of scanText(text)) {
      // Examples in the API's documentation have invented passwords.
      if (hit.kind === 'password' && where !== undefined && /\bexamples\b/.test(where)) continue
      this.#report(where ?? lineNumberOf(text, hit), hit.kind, hit.value, false)
    }
    if (depth < maxDepth) this.#base64(text, where, depth + 1)
  }

  bytes(bytes: Uint8Array, where: string | undefined, depth: number): void {
    const inflated = depth < maxDepth ? decompress(bytes) : undefined
    if (inflated !== undefined) this.bytes(inflated, where, depth + 1)
    this.text(textOfBytes(bytes), where, depth)
  }

  /** @param named names of members count (in JSON in a string they are content). @param within name of the value's list */
  tree(tree: JsonTree, where: string, depth: number, named: boolean, name = '', within = ''): void {
    if (tree.kind === 'string') this.#string(tree.value, where, depth, named, name, within)
    if (tree.kind === 'array')
      for (const [index, item] of tree.items.entries())
        if (item.kind !== 'literal') this.tree(item, pathBelow(where, index), depth, named, name, name)
    if (tree.kind !== 'object') return
    // `{name, value}` objects name their value themselves.
    const ownName = textOf(memberOf(tree, 'name'))
    for (const { key, value } of tree.members) {
      const isValue = key === 'value'
      const valueName = isValue ? (ownName ?? key) : key
      if (value.kind !== 'literal')
        this.tree(value, pathBelow(where, key), depth, named, valueName, isValue ? within : '')
    }
  }

  #string(value: string, where: string, depth: number, named: boolean, name: string, within: string): void {
    const kind = fieldSecretKindWithin(name, value, within)
    if (kind !== undefined) this.#report(where, kind, value, named)
    else if (name === 'base64') this.bytes(Buffer.from(value, 'base64'), where, depth + 1)
    else this.text(value, where, depth)
  }

  /** Scans runs of base64 that decode to text or to compressed bytes. */
  #base64(text: string, where: string | undefined, depth: number): void {
    for (const run of text.matchAll(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32}[A-Za-z0-9+/_-]*={0,2}/g)) {
      if (/^[0-9a-f]*$/i.test(run[0])) continue
      const bytes = Buffer.from(run[0], 'base64')
      const place = where ?? lineNumberOf(text, { start: run.index })
      if (isPlainText(bytes)) this.text(bytes.toString('utf8'), place, depth)
      else if (saysCompressed(bytes)) this.bytes(bytes, place, depth)
    }
  }

  #report(where: string, kind: DetectedKind, value: string, named: boolean): void {
    const one = detectedSecret(where, kind, value, named)
    this.found.set(`${where}\n${kind}\n${one.digest}`, one)
  }
}

/** The path of a member or an item, for `jq`. */
function pathBelow(parent: string, step: number | string): string {
  if (typeof step === 'number') return `${parent}[${step}]`
  if (!/^[\w-]+$/.test(step)) return `${parent}[${JSON.stringify(step)}]`
  return parent === '' ? step : `${parent}.${step}`
}

function fieldSecretKindWithin(name: string, value: string, within: string): DetectedKind | undefined {
  if (value === '' || value === 'deleted' || isPlaceholder(value)) return undefined
  if (within === 'cookies' && name === within) return isCredential(value) ? 'cookie' : undefined
  if (within === 'cookies') return cookieKind(name).startsWith('user') ? undefined : 'cookie'
  return answerSecretKind(name, value)
}

/** What every rule needs to find something; most strings of an answer have none of it. */
const mayHoldSecret =
  /[=:@]|[A-Za-z0-9_-]{32}|(?:basic|bearer|token)\s|-----BEGIN|[0-9A-Fa-f]{8}(?:\+|%|&|\\u)|eyJ|^\ufeff?\s{0,64}[[{]/i

const lineNumberOf = (text: string, { start }: Pick<SecretHit, 'start'>): string =>
  `line ${text.slice(0, start).split('\n').length}`
