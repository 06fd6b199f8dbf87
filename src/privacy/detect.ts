/** The gate behind the redaction: looks for secrets in the files of a cassette, whoever wrote them (`wikitape check`). */
import { readJson } from '../json/read.ts'
import type { JsonTree } from '../json/tree.ts'
import { cookieKind, credentialHeaders, secretField } from './names.ts'
import { type ExposureKind, type Hit, scanText } from './scan-text.ts'
import { isPlaceholder, looksRandom } from './secret.ts'

/** A secret that stands in a file. */
export interface Exposure {
  /** Path of JSON members (`responses[0].json.query.tokens.csrftoken`), `line 12` of other text, or `file name`. */
  readonly where: string
  readonly kind: ExposureKind
  /** The value with its middle masked: enough to find it, too little to use it. */
  readonly excerpt: string
}

/** What the scan cannot do by itself. */
export interface ScanTools {
  /** Undoes gzip, deflate or br, with a limit on the size; undefined where the bytes are none of these. */
  inflate(bytes: Uint8Array): Uint8Array | undefined
}

/** Base64 inside of gzip inside of base64 is deep enough. */
const deepest = 4

/**
 * Finds secrets by structure (names of headers, cookies, members, parameters) and by entropy.
 * @param name path of the file inside the cassette: names tell parameters, so they are looked at too
 */
export function scanFile(name: string, content: string | Uint8Array, tools: ScanTools): readonly Exposure[] {
  const scan = new Scan(tools)
  scan.fileName(name)
  if (typeof content === 'string') scan.text(content, undefined, 0)
  else scan.bytes(content, undefined, 0)
  return scan.found()
}

/** One value that is still to be looked at: `name` is what the value is called, `within` what its list is called. */
interface Pending {
  readonly tree: JsonTree
  readonly where: string
  readonly name: string
  readonly within: string
}

class Scan {
  readonly #tools: ScanTools
  readonly #found: Map<string, Exposure> = new Map()

  constructor(tools: ScanTools) {
    this.#tools = tools
  }

  found(): readonly Exposure[] {
    return [...this.#found.values()]
  }

  /** Names of files are `lgname=A,lgtoken=_token_.<key>.json`: signs other than `=,-+` are `_` there. */
  fileName(name: string): void {
    for (const [, param = '', value = ''] of name.matchAll(/(?:^|[/,])(\w{1,64})=([^,/.]{1,256})/g)) {
      const kind = /^_.*_$/.test(value) ? undefined : secretField(param, value)
      if (kind !== undefined) this.#report('file name', kind, value)
    }
  }

  /** @param where undefined at the top of a file, where lines are counted */
  text(text: string, where: string | undefined, depth: number): void {
    const reading = /^\ufeff?\s{0,64}[[{]/.test(text) ? readJson(text) : undefined
    if (reading?.ok === true) {
      this.#tree(reading.tree, where ?? '', depth)
      return
    }
    for (const hit of scanText(text)) {
      // Examples of the API's own documentation show parameters with made-up values.
      if (hit.kind === 'password' && where !== undefined && /\bexamples\b/.test(where)) continue
      this.#report(where ?? lineOf(text, hit), hit.kind, hit.value)
    }
    if (depth < deepest) this.#base64(text, where, depth + 1)
  }

  bytes(bytes: Uint8Array, where: string | undefined, depth: number): void {
    const inflated = depth < deepest ? this.#tools.inflate(bytes) : undefined
    if (inflated !== undefined) this.bytes(inflated, where, depth + 1)
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.text(isUtf8(bytes) ? text.toString('utf8') : text.toString('latin1'), where, depth)
  }

  #tree(root: JsonTree, where: string, depth: number): void {
    const pending: Pending[] = [{ tree: root, where, name: '', within: '' }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const at = next
      switch (at.tree.kind) {
        case 'literal':
          break
        case 'string':
          this.#string(at.tree.value, at, depth)
          break
        case 'array':
          at.tree.items.forEach((tree, index) => {
            pending.push({ tree, where: `${at.where}[${index}]`, name: at.name, within: at.name })
          })
          break
        case 'object':
          pending.push(...membersToScan(at))
      }
    }
  }

  #string(value: string, { where, name, within }: Pending, depth: number): void {
    const kind = fieldKind(name, value, within)
    if (kind !== undefined) this.#report(where, kind, value)
    else if (name !== 'base64') this.text(value, where, depth)
    else this.bytes(Buffer.from(value, 'base64'), where, depth + 1)
  }

  /** Runs of base64 that decode to text or to something compressed; images and hex numbers decode to neither. */
  #base64(text: string, where: string | undefined, depth: number): void {
    for (const run of text.matchAll(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}={0,2}/g)) {
      if (/^[0-9a-f]*$/i.test(run[0])) continue
      const bytes = Buffer.from(run[0], 'base64')
      const place = where ?? lineOf(text, { start: run.index })
      if (isPlainText(bytes)) this.text(bytes.toString('utf8'), place, depth)
      else if (isCompressed(bytes)) this.bytes(bytes, place, depth)
    }
  }

  #report(where: string, kind: ExposureKind, value: string): void {
    const excerpt = masked(value)
    this.#found.set(`${where}\n${kind}\n${excerpt}`, { where, kind, excerpt })
  }
}

/** Members, the last first since they are taken from the end; `{name, value}` objects name their value themselves. */
function membersToScan({ tree, where, within }: Pending): readonly Pending[] {
  if (tree.kind !== 'object') return []
  const own = tree.members.find(({ key, value }) => key === 'name' && value.kind === 'string')?.value
  return tree.members
    .map(({ key, value }) => ({
      tree: value,
      where: /^[\w-]+$/.test(key)
        ? `${where}${where === '' ? '' : '.'}${key}`
        : `${where}[${JSON.stringify(key)}]`,
      name: key === 'value' && own?.kind === 'string' ? own.value : key,
      within: key === 'value' ? within : '',
    }))
    .reverse()
}

function fieldKind(name: string, value: string, within: string): ExposureKind | undefined {
  if (value === '' || value === 'deleted' || isPlaceholder(value)) return undefined
  if (within === 'cookies' && name === within) return isCredential(value) ? 'cookie' : undefined
  if (within === 'cookies') return cookieKind(name).startsWith('user') ? undefined : 'cookie'
  if (credentialHeaders.has(name.toLowerCase())) return isCredential(value) ? 'credentials' : undefined
  const hinted = /secret|api_?key|private_?key|credential|(?:^|[_-])auth(?:$|[_-])/i.test(name)
  return secretField(name, value) ?? (hinted && looksRandom(value) ? 'oauth' : undefined)
}

/** `scheme credentials`, `name=value`, or something random; a message that is called `cookie` is none of these. */
const isCredential = (value: string): boolean =>
  /^(?:basic|bearer|oauth|digest|negotiate)\s+\S{4}/i.test(value) ||
  /^[\w.-]+=(?!deleted\b|redacted-|\(now\))[^;\s]{4}/.test(value) ||
  looksRandom(value)

const lineOf = (text: string, { start }: Pick<Hit, 'start'>): string =>
  `line ${text.slice(0, start).split('\n').length}`

/** At most an eighth on either side, and never more than four characters. */
function masked(value: string): string {
  const shown = Math.min(4, Math.floor(value.length / 8))
  return `${value.slice(0, shown)}…${value.slice(value.length - shown)}`
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** True for bytes that are whole UTF-8 without control characters. */
const isPlainText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) && isUtf8(bytes)

/** gzip and zlib say what they are; br does not, and is looked for only where a whole body is in base64. */
const isCompressed = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b) ||
  (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0))
