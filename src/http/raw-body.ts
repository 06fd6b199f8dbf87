/** Posted bodies that are no API parameters: a digest for the key, from which no secret can be guessed. */
import { type JsonTree, jsonArray, jsonString, mapMembers } from '../json/json-tree.ts'
import { readJson } from '../json/read-json.ts'
import { writeCompact } from '../json/write-json.ts'
import { requestSecretKind } from '../privacy/secrets/secret-names.ts'
import { secretPairs } from '../privacy/secrets/secret-pairs.ts'
import { queryPair } from '../privacy/secrets/secret-shapes.ts'
import { cleanValue } from '../request/inner-secrets.ts'
import { digest } from '../request/request-key.ts'
import { isSecretPair } from '../request/secret-params.ts'
import { type Params, parseUrlencoded } from '../wiki/parameters/request-params.ts'
import type { FormBody } from './form-body.ts'

export interface RawBody {
  /** Of the body as sent, or, where it holds secrets, of the body with a mark in their place. */
  readonly digest: string
  /** Its fields; of a body that is no form, the secrets among them. Recorded nowhere. */
  readonly fields: Params
}

const digestLength = 40
const secretMark = '(secret)'

export function readRawBody(form: FormBody, body: Uint8Array): RawBody {
  if (form.params.size > 0 || form.files.length > 0) return fromForm(form, body)
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  return fromJson(text, body) ?? fromPairs(text, body)
}

function fromForm({ params, files }: FormBody, body: Uint8Array): RawBody {
  const nameSecret = (name: string, value: string): string =>
    isSecretPair(name, value) ? secretMark : cleanValue(name, value).clean
  const clean = [...params].map(([name, value]) => [name, nameSecret(name, value)])
  const parts = files.map((file) => [
    file.name,
    file.filename,
    nameSecret(file.name, `${file.digest} ${file.bytes}`),
  ])
  const isUnchanged =
    clean.every(([name = '', value]) => params.get(name) === value) &&
    !parts.some(([, , value]) => value === secretMark)
  return { digest: digest(isUnchanged ? body : JSON.stringify([clean, parts]), digestLength), fields: params }
}

function fromJson(text: string, body: Uint8Array): RawBody | undefined {
  const reading = /^\ufeff?\s{0,64}[[{]/.test(text) ? readJson(text) : undefined
  if (reading?.ok !== true) return undefined
  const fields = new Map<string, string>()
  const clean = replaceSecrets(reading.tree, '', fields)
  return { digest: digest(fields.size === 0 ? body : writeCompact(clean, 'utf8'), digestLength), fields }
}

function replaceSecrets(tree: JsonTree, path: string, fields: Map<string, string>): JsonTree {
  switch (tree.kind) {
    case 'object':
      return mapMembers(tree, (value, key) =>
        replaceSecrets(value, path === '' ? key : `${path}.${key}`, fields),
      )
    case 'array':
      return jsonArray(tree.items.map((item) => replaceSecrets(item, path, fields)))
    case 'string':
    case 'literal': {
      const name = path.slice(path.lastIndexOf('.') + 1)
      const value = tree.kind === 'string' ? tree.value : tree.text
      const { clean, secrets } = cleanValue(name, value)
      const isSecret = isSecretPair(name, value)
      if (!isSecret && secrets.length === 0) return tree
      fields.set(`${fields.size}.${name}`, value)
      return jsonString(isSecret ? secretMark : clean)
    }
  }
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
