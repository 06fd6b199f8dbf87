/**
 * Bodies of requests: parameters as PHP reads them, urlencoded or multipart; of any other body a digest for the key, from
 * which no secret can be guessed. A body that cannot be read has a digest by a key of this run alone.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readTree } from '../json/read-json.ts'
import { decodeLayers, decompress } from '../privacy/encodings/decode-layers.ts'
import { decodeText } from '../privacy/encodings/decode-text.ts'
import { unescapeHtml } from '../privacy/encodings/spellings.ts'
import { queryPair } from '../privacy/secrets/secret.ts'
import { requestSecretKind, secretPairs } from '../privacy/secrets/secret-names.ts'
import type { FilePart, UnreadBody } from '../request/api-request.ts'
import { cleanListed, cleanValue } from '../request/inner-secrets.ts'
import { digest } from '../request/request-key.ts'
import { isSecretPair } from '../request/secret-params.ts'
import { parseMultipart } from '../wiki/parameters/multipart.ts'
import {
  collectLikePhp,
  decodeBytes,
  hasTooManyVariables,
  type Params,
  parseUrlencoded,
  phpName
} from '../wiki/parameters/request-params.ts'
import { headerText, type IncomingHeaders } from './incoming-request.ts'

interface FormBody {
  readonly params: Params
  readonly files: readonly FilePart[]
  readonly multipart: boolean
  /** Why it is uncertain what the wiki reads from the body. */
  readonly unread?: UnreadBody
}

export function parseFormBody(headers: IncomingHeaders, body: Uint8Array): FormBody {
  if (body.length === 0) return emptyForm
  const coding = headerText(headers, 'content-encoding') ?? 'identity'
  const form =
    coding === 'identity'
      ? parseByContentType(headerText(headers, 'content-type') ?? '', body)
      : undefined
  if (form === undefined) return unreadForm(`it is encoded as ${coding}`, body)
  if (typeof form === 'string') return unreadForm(form, body)
  if (form.params.size === 0 && form.files.length === 0)
    return unreadForm('it has no parameters', body)
  return form
}

const digestLength = 40

/** A query string with more parameters than the wiki is certain to read. */
export const unreadQuery = (query: string): UnreadBody | undefined =>
  hasTooManyVariables(query)
    ? { why: tooManyParameters, digest: runDigest(query) }
    : undefined

const runKey = randomBytes(32)

/** Equal for equal contents in this run, and of no use to anybody who reads it on a disk. */
const runDigest = (content: string | Uint8Array) =>
  createHmac('sha256', runKey).update(content).digest('hex').slice(0, digestLength)

const tooManyParameters = 'it has more parameters than PHP reads'

export const emptyForm: FormBody = { params: new Map(), files: [], multipart: false }

const unreadForm = (why: string, body: Uint8Array) => ({
  ...emptyForm,
  unread: { why, digest: runDigest(body) }
})

/** The form, or why the body is not one. */
function parseByContentType(contentType: string, body: Uint8Array) {
  const type = contentType.split(/[;, ]/, 1)[0]?.toLowerCase() ?? ''
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  if (type === 'application/x-www-form-urlencoded')
    return hasTooManyVariables(text)
      ? tooManyParameters
      : { ...emptyForm, params: parseUrlencoded(text) }
  if (type !== 'multipart/form-data')
    return `its content type is ${type || 'not named'}, which PHP does not parse into parameters`
  const parts = parseMultipart(contentType, text)
  if (typeof parts === 'string') return parts
  const fields: (readonly [string, string])[] = []
  const files: FilePart[] = []
  for (const { name, filename, content } of parts) {
    if (filename === undefined) fields.push([decodeBytes(name), decodeBytes(content)])
    else
      files.push({
        name: phpName(decodeBytes(name)),
        filename: decodeBytes(filename),
        digest: digest(Buffer.from(content, 'latin1'), digestLength),
        bytes: content.length
      })
  }
  return { params: collectLikePhp(fields), files, multipart: true }
}

interface RawBody {
  /** Of the body as sent; of the parts of a multipart body, and of a body with secrets, with a mark in their place. */
  readonly digest: string
  /** Its fields; of a body that is no form, the secrets among them. Recorded nowhere. */
  readonly fields: Params
  /** The secrets that the digest leaves out. */
  readonly secrets: readonly string[]
  readonly unread?: UnreadBody
}

const secretMark = '(secret)'

export function readRawBody(
  headers: IncomingHeaders,
  form: FormBody,
  body: Uint8Array
): RawBody {
  if (form.params.size > 0 || form.files.length > 0) return fromForm(form, body)
  const decoded = decodeBody(headers, body)
  if (decoded.text === undefined) return unreadBody(decoded.why, new Map(), body)
  const { text } = decoded
  const read = fromJson(text, body) ?? fromPairs(text, body)
  // What is packed in the body is compared with the rest, so it must hold no secret.
  const packed = decodeLayers(text)
    .slice(1)
    .flatMap((layer) => [...secretPairs(layer, requestSecretKind)])
  const open = new Set([...read.fields.values(), secretMark])
  const hidden = packed.filter(({ value }) => !open.has(value))
  if (hidden.length === 0) return read
  const found = hidden.map(
    ({ source, value }, at) => [`packed ${at}.${source}`, value] as const
  )
  return unreadBody(
    'something like a secret is packed in it',
    new Map([...read.fields, ...found]),
    body
  )
}

const unreadBody = (why: string, fields: Params, body: Uint8Array) => ({
  digest: '',
  fields,
  secrets: [],
  unread: { why, digest: runDigest(body) }
})

/** The text of a body, uncompressed and in whatever encoding; or why it has none. */
function decodeBody(headers: IncomingHeaders, body: Uint8Array) {
  const coding = headerText(headers, 'content-encoding') ?? 'identity'
  const plain = coding === 'identity' ? body : decompress(body)
  if (!plain) return { text: undefined, why: `it is encoded as ${coding}` }
  const text = decodeText(plain)?.text
  if (text === undefined) return { text, why: 'it is no text' }
  return { text: text.replace(/^\ufeff/, '') }
}

/** Of a multipart body the parts count: its boundary is another each time. */
function fromForm({ params, files, multipart }: FormBody, body: Uint8Array) {
  const secrets: string[] = []
  const nameSecret = (name: string, value: string) => {
    if (isSecretPair(name, value)) {
      secrets.push(value)
      return secretMark
    }
    const { clean, secrets: inner } = cleanListed(name, value)
    for (const [, secret] of inner) secrets.push(secret)
    return clean
  }
  const clean = [...params].map(([name, value]) => [name, nameSecret(name, value)])
  const parts = files.map((file) => [
    file.name,
    file.filename,
    nameSecret(file.name, `${file.digest} ${file.bytes}`)
  ])
  const isUnchanged = !multipart && secrets.length === 0
  return {
    digest: digest(isUnchanged ? body : JSON.stringify([clean, parts]), digestLength),
    fields: params,
    secrets
  }
}

function fromJson(text: string, body: Uint8Array) {
  if (!/^\s{0,64}[[{]/.test(text) || !readTree(text)) return undefined
  const { clean, secrets } = cleanValue('', text)
  const fields = new Map(secrets.map(([name, value], at) => [`${at}.${name}`, value]))
  return rawBody(fields, clean, body)
}

/** `<password>x</password>`: elements named like secrets. */
const element = /<([\w:.-]{1,64})(?:\s[^<>]{0,1024})?>([^<>]{1,8192})<\//g

/** A form under another type, XML, or text with pairs in it. */
function fromPairs(text: string, body: Uint8Array) {
  const fields = new Map<string, string>()
  const form = /^[\w.%[\]-]{1,64}=[^\s]*$/.test(text)
    ? parseUrlencoded(text)
    : new Map<string, string>()
  if ([...form].some(([name, value]) => isSecretPair(name, value)))
    return fromForm({ params: form, files: [], multipart: false }, body)
  let clean = ''
  let at = 0
  for (const { value, source, start, end } of secretPairs(text, requestSecretKind)) {
    fields.set(`${fields.size}.${source}`, value)
    clean += `${text.slice(at, start)}${secretMark}`
    at = end
  }
  const mark = (whole: string, name: string, value: string, marked: string) => {
    if (value === secretMark || !isSecretPair(name, value)) return whole
    fields.set(`${fields.size}.${name}`, value)
    return marked
  }
  clean = (clean + text.slice(at))
    .replace(queryPair, (pair, name: string, value: string) =>
      mark(pair, name, value, `${name}=${secretMark}`)
    )
    .replace(element, (whole, name: string, value: string) =>
      mark(
        whole,
        name.replace(/^.*:/, ''),
        unescapeHtml(value),
        `<${name}>${secretMark}</`
      )
    )
  return rawBody(fields, clean, body)
}

const rawBody = (fields: Params, clean: string, body: Uint8Array) => ({
  digest: digest(fields.size === 0 ? body : clean, digestLength),
  fields,
  secrets: [...fields.values()]
})
