/** Bodies of requests: parameters as PHP reads them, urlencoded or multipart; of any other body a digest for the key, from which no secret can be guessed. */
import { readTree } from '../json/read-json.ts'
import { queryPair } from '../privacy/secrets/secret.ts'
import { requestSecretKind, secretPairs } from '../privacy/secrets/secret-names.ts'
import type { FilePart, UnreadBody } from '../request/api-request.ts'
import { cleanValue } from '../request/inner-secrets.ts'
import { digest } from '../request/request-key.ts'
import { isSecretPair } from '../request/secret-params.ts'
import { parseMultipart } from '../wiki/parameters/multipart.ts'
import {
  collectLikePhp,
  decodeBytes,
  hasTooManyVariables,
  type Params,
  parseUrlencoded,
  phpName,
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
    coding === 'identity' ? parseByContentType(headerText(headers, 'content-type') ?? '', body) : undefined
  if (form === undefined) return unreadForm(`it is encoded as ${coding}`, body)
  if (typeof form === 'string') return unreadForm(form, body)
  if (form.params.size === 0 && form.files.length === 0) return unreadForm('it has no parameters', body)
  return form
}

const digestLength = 40

/** A query string with more parameters than the wiki is certain to read. */
export const unreadQuery = (query: string): UnreadBody | undefined =>
  hasTooManyVariables(query) ? { why: tooManyParameters, digest: digest(query, digestLength) } : undefined

const tooManyParameters = 'it has more parameters than PHP reads'

export const emptyForm: FormBody = { params: new Map(), files: [], multipart: false }

const unreadForm = (why: string, body: Uint8Array): FormBody => ({
  ...emptyForm,
  unread: { why, digest: digest(body, digestLength) },
})

/** The form, or why the body is not one. */
function parseByContentType(contentType: string, body: Uint8Array): FormBody | string {
  const type = contentType.split(/[;, ]/, 1)[0]?.toLowerCase() ?? ''
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
  if (type === 'application/x-www-form-urlencoded')
    return hasTooManyVariables(text) ? tooManyParameters : { ...emptyForm, params: parseUrlencoded(text) }
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
        bytes: content.length,
      })
  }
  return { params: collectLikePhp(fields), files, multipart: true }
}

interface RawBody {
  /** Of the body as sent; of the parts of a multipart body, and of a body with secrets, with a mark in their place. */
  readonly digest: string
  /** Its fields; of a body that is no form, the secrets among them. Recorded nowhere. */
  readonly fields: Params
}

const secretMark = '(secret)'

export function readRawBody(form: FormBody, body: Uint8Array): RawBody {
  if (form.params.size > 0 || form.files.length > 0) return fromForm(form, body)
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  return fromJson(text.replace(/^\ufeff/, ''), body) ?? fromPairs(text, body)
}

/** Of a multipart body the parts count: its boundary is another each time. */
function fromForm({ params, files, multipart }: FormBody, body: Uint8Array): RawBody {
  const nameSecret = (name: string, value: string): string =>
    isSecretPair(name, value) ? secretMark : cleanValue(name, value).clean
  const clean = [...params].map(([name, value]) => [name, nameSecret(name, value)])
  const parts = files.map((file) => [
    file.name,
    file.filename,
    nameSecret(file.name, `${file.digest} ${file.bytes}`),
  ])
  const isUnchanged =
    !multipart &&
    clean.every(([name = '', value]) => params.get(name) === value) &&
    !parts.some(([, , value]) => value === secretMark)
  return { digest: digest(isUnchanged ? body : JSON.stringify([clean, parts]), digestLength), fields: params }
}

function fromJson(text: string, body: Uint8Array): RawBody | undefined {
  if (!/^\s{0,64}[[{]/.test(text) || readTree(text) === undefined) return undefined
  const { clean, secrets } = cleanValue('', text)
  const fields = new Map(secrets.map(([name, value], at) => [`${at}.${name}`, value]))
  return { digest: digest(fields.size === 0 ? body : clean, digestLength), fields }
}

/** A form under another type, or text with pairs in it. */
function fromPairs(text: string, body: Uint8Array): RawBody {
  const fields = new Map<string, string>()
  const form = /^[\w.%[\]-]{1,64}=[^\s]*$/.test(text) ? parseUrlencoded(text) : new Map<string, string>()
  if ([...form].some(([name, value]) => isSecretPair(name, value)))
    return fromForm({ params: form, files: [], multipart: false }, body)
  let clean = ''
  let at = 0
  for (const { value, source, start, end } of secretPairs(text, requestSecretKind)) {
    fields.set(`${fields.size}.${source}`, value)
    clean += `${text.slice(at, start)}${secretMark}`
    at = end
  }
  clean = (clean + text.slice(at)).replace(queryPair, (pair, name: string, value: string) => {
    if (value === secretMark || !isSecretPair(name, value)) return pair
    fields.set(`${fields.size}.${name}`, value)
    return `${name}=${secretMark}`
  })
  return { digest: digest(fields.size === 0 ? body : clean, digestLength), fields }
}
