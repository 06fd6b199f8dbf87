/** Redactions and scans of answers, also as jobs for another thread: values in, values out, all known secrets included. */
import type { RecordedBody, RecordedResponse } from '../../cassette/interaction.ts'
import { type JsonTree, mapStrings } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { type Spelling, writeCompact } from '../../json/write-json.ts'
import { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { type RedactedResponse, redactResponse } from '../../privacy/redact/redact-response.ts'
import type { Secret } from '../../privacy/secrets/secret.ts'
import { decompress } from './decompress.ts'
import { type PendingWrite, type SecretScan, scanForSecrets } from './pending-write.ts'

/** A body for another thread: copying a tree costs more than copying its text and reading it again. */
type TransferBody =
  | Exclude<RecordedBody, { kind: 'json' }>
  | { readonly kind: 'compact'; readonly text: string; readonly spelling: Spelling }

type TransferResponse = Omit<RecordedResponse, 'body'> & {
  /** Undefined in an outcome that did not change it. */
  readonly body: TransferBody | undefined
}

export type ScanJob =
  | {
      readonly kind: 'redact'
      readonly secrets: readonly Secret[]
      readonly response: TransferResponse
      readonly fromApi: boolean
    }
  | ({
      readonly kind: 'scan'
      readonly secrets: readonly Secret[]
      readonly responses: readonly TransferResponse[]
    } & Omit<PendingWrite, 'responses'>)

export type ScanOutcome =
  | ({ readonly kind: 'redact'; readonly response: TransferResponse } & Omit<RedactedResponse, 'response'>)
  | ({ readonly kind: 'scan' } & SecretScan)

export function runScanJob(job: ScanJob): ScanOutcome {
  const registry = new SecretRegistry({ inflate: decompress })
  registry.learn(job.secrets)
  if (job.kind === 'scan') {
    const [first, ...more] = job.responses.map((response) => fromTransfer(response, undefined))
    if (first === undefined) throw new Error('a scan job has no answers')
    const { file, request, sentValues } = job
    const write = { file, request, sentValues, responses: [first, ...more] } as const
    return { kind: 'scan', ...scanForSecrets(registry, write) }
  }
  const response = fromTransfer(job.response, undefined)
  const { secrets, bodyCounts, response: clean } = redactAnswer(registry, response, job.fromApi)
  return { kind: 'redact', secrets, bodyCounts, response: toTransfer(clean, response.body) }
}

/** @param known a body that the other thread has already */
export const toTransfer = (response: RecordedResponse, known?: RecordedBody): TransferResponse => ({
  ...response,
  body: response.body === known ? undefined : toTransferBody(response.body),
})

/** A tree is transferred twice: to be redacted, and to be scanned. */
const transferTexts = new WeakMap<JsonTree, string>()

function toTransferBody(body: RecordedBody): TransferBody {
  if (body.kind !== 'json') return body
  const text = transferTexts.get(body.tree) ?? writeCompact(body.tree, 'utf8')
  transferTexts.set(body.tree, text)
  return { kind: 'compact', text, spelling: body.spelling }
}

/** @param known the body where none was transferred */
export function fromTransfer(response: TransferResponse, known: RecordedBody | undefined): RecordedResponse {
  const { body = known, ...head } = response
  if (body === undefined) throw new Error('a scan job has an answer without its body')
  if (body.kind !== 'compact') return { ...head, body }
  const reading = readJson(body.text)
  if (!reading.ok) throw new Error(`a scan job has broken JSON: ${reading.fault.message}`)
  return { ...head, body: { kind: 'json', tree: reading.tree, spelling: body.spelling } }
}

/** An answer without its secrets, and without those that the registry knows. @param registry learns what is found */
export function redactAnswer(
  registry: SecretRegistry,
  response: RecordedResponse,
  fromApi: boolean,
): RedactedResponse {
  const callerIdentifiers = registry.callerIdentifiers()
  const first = redactResponse(response, { secrets: callerIdentifiers, fromApi })
  registry.learnFromResponse(first.secrets)
  // A password may be an ordinary word. It is not replaced: an answer that contains one is not written.
  const repeated = registry.findUnencoded(textOfResponse(first.response)).filter(isGenerated)
  if (repeated.length === 0) return first
  const secrets = [...callerIdentifiers, ...repeated, ...first.secrets.filter(isGenerated)]
  return { ...redactResponse(response, { secrets, fromApi }), secrets: first.secrets }
}

const isGenerated = ({ kind }: Secret): boolean => kind !== 'password'

function textOfResponse({ headers, body }: RecordedResponse): string {
  const texts = [...headers.values()]
  if (body.kind === 'text') texts.push(body.text)
  if (body.kind === 'json')
    mapStrings(body.tree, (value) => {
      texts.push(value)
      return value
    })
  return texts.join('\n')
}
