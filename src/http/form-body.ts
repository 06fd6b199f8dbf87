/** Parameters of a request body, as PHP reads them: urlencoded or multipart, whatever its boundary. */
import type { FilePart, UnreadBody } from '../request/api-request.ts'
import { digest } from '../request/request-key.ts'
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

export interface FormBody {
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

/** A query string with more parameters than the wiki is certain to read. */
export const unreadQuery = (query: string): UnreadBody | undefined =>
  hasTooManyVariables(query) ? { why: tooManyParameters, digest: digest(query, 40) } : undefined

const tooManyParameters = 'it has more parameters than PHP reads'

export const emptyForm: FormBody = { params: new Map(), files: [], multipart: false }

const unreadForm = (why: string, body: Uint8Array): FormBody => ({
  ...emptyForm,
  unread: { why, digest: digest(body, 40) },
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
  const fields = parts.flatMap(({ name, filename, content }) =>
    filename === undefined ? [[decodeBytes(name), decodeBytes(content)] as const] : [],
  )
  const files = parts.flatMap(({ name, filename, content }) =>
    filename === undefined ? [] : [filePart(phpName(decodeBytes(name)), filename, content)],
  )
  return { params: collectLikePhp(fields), files, multipart: true }
}

const filePart = (name: string, filename: string, content: string): FilePart => ({
  name,
  filename: decodeBytes(filename),
  digest: digest(Buffer.from(content, 'latin1'), 40),
  bytes: content.length,
})
