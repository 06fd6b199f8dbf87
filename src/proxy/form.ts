/** Parameters of a request body: urlencoded or multipart, whatever its boundary. */
import { Busboy } from '@fastify/busboy'
import type { FilePart } from '../request/api-request.ts'
import { digest } from '../request/key.ts'
import { type Params, parseUrlencoded, phpName } from '../wiki/params.ts'

export interface Form {
  readonly params: Params
  readonly files: readonly FilePart[]
  readonly multipart: boolean
}

const noForm: Form = { params: new Map(), files: [], multipart: false }

/** Any other content type holds no parameters, as in PHP. A broken multipart body gives the parts before the break. */
export async function parseForm(contentType: string, body: Uint8Array): Promise<Form> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    return { ...noForm, params: parseUrlencoded(Buffer.from(body).toString('latin1')) }
  }
  return type === 'multipart/form-data' ? parseMultipart(contentType, body) : noForm
}

/** Parts beyond this many are as good as none; PHP stops at a thousand variables by default. */
const maxParts = 1000

function parseMultipart(contentType: string, body: Uint8Array): Promise<Form> {
  return new Promise((resolve) => {
    const params = new Map<string, string>()
    const files: FilePart[] = []
    const done = (): void => resolve({ params, files, multipart: true })
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { parts: maxParts, fieldSize: body.length + 1, fieldNameSize: 1000 },
      })
      parser.on('field', (name, value) => params.set(phpName(name), value))
      parser.on('file', (name, stream, filename) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          const bytes = Buffer.concat(parts)
          files.push({ name: phpName(name), filename, digest: digest(bytes, 40), bytes: bytes.length })
        })
      })
      parser.on('error', done)
      parser.on('finish', done)
      parser.end(Buffer.from(body))
    } catch {
      // No boundary in the content type: PHP reads no parameters either.
      done()
    }
  })
}
