/** Posted bodies of plain requests: what stands for them in a key, from which no secret can be guessed. */

import { type JsonTree, jsonString } from '../json/json-tree.ts'
import { readJson } from '../json/read-json.ts'
import { writeCompact } from '../json/write-json.ts'
import { sentSecret } from '../privacy/secrets/secret-names.ts'
import { secretPairs } from '../privacy/secrets/secret-pairs.ts'
import { queryPair } from '../privacy/secrets/secret-shapes.ts'
import { cleanValue } from '../request/inner-secrets.ts'
import { digest } from '../request/request-key.ts'
import { isSecretPair } from '../request/secret-params.ts'
import { type Params, parseUrlencoded } from '../wiki/parameters/request-params.ts'
import type { Form } from './form-body.ts'

/** A body as far as a key may know it. */
export interface PlainBody {
  /** Digest of the body as sent, or, where it holds secrets, of the body with their kind in their place. */
  readonly digest: string
  /** Its fields, or the secrets among them where it is no form: to be watched for, and kept nowhere. */
  readonly fields: Params
}

const digits = 40
const hidden = '(secret)'

export function plainBody(form: Form, body: Uint8Array): PlainBody {
  if (form.params.size > 0 || form.files.length > 0) return ofForm(form, body)
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  return ofJson(text, body) ?? ofPairs(text, body)
}

function ofForm({ params, files }: Form, body: Uint8Array): PlainBody {
  const named = (name: string, value: string): string =>
    isSecretPair(name, value) ? hidden : cleanValue(name, value).clean
  const clean = [...params].map(([name, value]) => [name, named(name, value)])
  const parts = files.map((file) => [
    file.name,
    file.filename,
    named(file.name, `${file.digest} ${file.bytes}`),
  ])
  const same =
    clean.every(([name = '', value]) => params.get(name) === value) &&
    !parts.some(([, , is]) => is === hidden)
  return { digest: digest(same ? body : JSON.stringify([clean, parts]), digits), fields: params }
}

function ofJson(text: string, body: Uint8Array): PlainBody | undefined {
  const reading = /^\ufeff?\s{0,64}[[{]/.test(text) ? readJson(text) : undefined
  if (reading?.ok !== true) return undefined
  const fields = new Map<string, string>()
  const clean = withoutSecrets(reading.tree, '', fields)
  return { digest: digest(fields.size === 0 ? body : writeCompact(clean, 'utf8'), digits), fields }
}

function withoutSecrets(tree: JsonTree, path: string, fields: Map<string, string>): JsonTree {
  switch (tree.kind) {
    case 'object':
      return {
        kind: 'object',
        members: tree.members.map(({ key, value }) => ({
          key,
          value: withoutSecrets(value, path === '' ? key : `${path}.${key}`, fields),
        })),
      }
    case 'array':
      return { kind: 'array', items: tree.items.map((item) => withoutSecrets(item, path, fields)) }
    case 'string':
    case 'literal': {
      const name = path.slice(path.lastIndexOf('.') + 1)
      const value = tree.kind === 'string' ? tree.value : tree.text
      const { clean, secrets } = cleanValue(name, value)
      const isSecret = isSecretPair(name, value)
      if (!isSecret && secrets.length === 0) return tree
      fields.set(`${fields.size}.${name}`, value)
      return jsonString(isSecret ? hidden : clean)
    }
  }
}

/** A form under another type, or text with pairs in it. */
function ofPairs(text: string, body: Uint8Array): PlainBody {
  const fields = new Map<string, string>()
  const form = /^[\w.%[\]-]{1,64}=[^\s]*$/.test(text) ? parseUrlencoded(text) : new Map<string, string>()
  if ([...form].some(([name, value]) => isSecretPair(name, value)))
    return ofForm({ params: form, files: [], multipart: false }, body)
  let clean = ''
  let at = 0
  for (const { value, source, start, end } of secretPairs(text, sentSecret)) {
    fields.set(`${fields.size}.${source}`, value)
    clean += `${text.slice(at, start)}${hidden}`
    at = end
  }
  clean = (clean + text.slice(at)).replace(queryPair, (pair, name: string, value: string) => {
    if (value === hidden || !isSecretPair(name, value)) return pair
    fields.set(`${fields.size}.${name}`, value)
    return `${name}=${hidden}`
  })
  return { digest: digest(fields.size === 0 ? body : clean, digits), fields }
}
