/** Keeps the secrets of one run off the disk: each answer is redacted, and what is about to be written is looked through. */
import { type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import type { SecretLeak, SecretRegistry } from '../../privacy/known/secret-registry.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { nextTurn } from '../../upstream/next-turn.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { RunSummary } from '../run-summary.ts'
import { largeScanSize, runInWorker } from './scan-pool.ts'
import {
  falseAlarmsOf,
  fromTransfer,
  isLarge,
  isSameWrite,
  leaksIn,
  type PendingWrite,
  type RedactionResult,
  redactBy,
  type SecretScan,
  toTransfer,
} from './secret-scan.ts'

/** A draft that was looked through, and how many secrets were known then. */
export interface ScannedWrite extends SecretScan {
  readonly write: PendingWrite
  readonly knownSecrets: number
}

export class RedactionGate {
  readonly #summary: RunSummary
  readonly #report: (line: string) => void
  readonly #registry: SecretRegistry

  constructor(registry: SecretRegistry, summary: RunSummary, report: (line: string) => void) {
    this.#summary = summary
    this.#report = report
    this.#registry = registry
  }

  /** Learns the secrets of an answer that is not going to be recorded. */
  async learnSecrets(request: WikiRequest, response: RecordedResponse): Promise<void> {
    await this.#redact(request, response)
  }

  /** The answer less its secrets and those that the client sent; what was replaced in its body is counted. */
  async redact(request: WikiRequest, response: RecordedResponse): Promise<RecordedResponse> {
    const { response: clean, bodyCounts } = await this.#redact(request, response)
    for (const [label, count] of bodyCounts) this.#summary.countRedaction(label, count)
    return clean
  }

  /** True where a secret stands in what a message would quote of an answer. */
  containsSecret({ headers, body }: WikiAnswer): boolean {
    const head = Buffer.from(body.subarray(0, maxQuotedBytes)).toString('utf8')
    return this.#registry.findLeaks(head, ...headers.values()).length > 0
  }

  /** What of an answer only looks like a secret. */
  falseAlarmsIn(responses: readonly RecordedResponse[]): readonly string[] {
    return falseAlarmsOf(responses)
  }

  /** Tells what only looks like a secret and is written nevertheless, so that a person can look. */
  reportFalseAlarms(what: string, falseAlarms: readonly string[]): void {
    if (falseAlarms.length > 0)
      this.#report(
        `${what}: ${falseAlarms.length === 1 ? 'a text' : `${falseAlarms.length} texts`} of the content that only looks like a secret is kept as it is`,
      )
  }

  /** False, and told, where a secret stands in clear in what is about to be written. */
  mayWrite(what: string, content: string | Uint8Array): boolean {
    return this.#checkLeaks(what, this.#registry.findLeaks(content))
  }

  /** How many secrets are known. */
  get knownSecrets(): number {
    return this.#registry.size
  }

  /** Tells of a recording that was written before a secret in it became known. */
  reportLeaksIn(content: PendingWrite, location: string): void {
    const leaks = leaksIn(this.#registry, content)
    if (leaks.length === 0) return
    this.#summary.leaks += 1
    this.#report(
      `${location} holds a secret in clear that became known after it was written: ${leakSources(leaks)}; delete the file, and record it again after the login`,
    )
  }

  /** Looks through what is to be written of a large answer. */
  async scan(write: PendingWrite): Promise<ScannedWrite> {
    const secrets = this.#registry.secrets()
    const { file, request, sentValues } = write
    const responses = write.responses.map((response) => toTransfer(response))
    await nextTurn()
    const scan = await runInWorker({ kind: 'look', secrets, file, request, sentValues, responses })
    if (scan.kind !== 'look') throw new Error('another job was done')
    return { ...scan, write, knownSecrets: secrets.length }
  }

  /** True where that look was at this very draft, and no secret has become known since. */
  isUpToDate(write: PendingWrite, scanned: ScannedWrite): boolean {
    return scanned.knownSecrets === this.#registry.size && isSameWrite(write, scanned.write)
  }

  /** As `passes`, for what was looked through before. */
  mayWriteScanned(what: string, { leaks }: ScannedWrite): boolean {
    return this.#checkLeaks(what, leaks)
  }

  async #redact(request: WikiRequest, response: RecordedResponse): Promise<RedactionResult> {
    const fromApi = request.kind === 'api'
    if (!isLarge(largeScanSize, [response])) return redactBy(this.#registry, response, fromApi)
    // Each of these takes a good part of what one client may hold up the others.
    await nextTurn()
    const transferred = toTransfer(response)
    await nextTurn()
    const secrets = this.#registry.secrets()
    const outcome = await runInWorker({ kind: 'redact', secrets, response: transferred, fromApi })
    if (outcome.kind !== 'redact') throw new Error('another job was done')
    this.#registry.learnFromResponse(outcome.secrets)
    const clean = outcome.response
    return {
      ...outcome,
      response:
        clean.body === undefined ? reuseUnchanged(clean, response) : fromTransfer(clean, response.body),
    }
  }

  #checkLeaks(what: string, leaks: readonly SecretLeak[]): boolean {
    if (leaks.length === 0 && !this.#registry.isFull) return true
    this.#summary.leaks += 1
    this.#report(
      leaks.length === 0
        ? `not recorded: ${what}: this run has seen more secrets than can be watched for; start a new one`
        : `not recorded: ${what} holds a secret in clear: ${leakSources(leaks)}; leave it out of the request, or report its place as a fault of the redaction`,
    )
    return false
  }
}

const leakSources = (leaks: readonly SecretLeak[]): string =>
  [...new Set(leaks.map(({ kind, source }) => `${kind} (met in ${source})`))].join(', ')

/** The very answer where nothing of it was changed, so that it is known again. */
const reuseUnchanged = (clean: Omit<RecordedResponse, 'body'>, before: RecordedResponse): RecordedResponse =>
  sameTexts(clean.headers, before.headers) && JSON.stringify(clean.cookies) === JSON.stringify(before.cookies)
    ? before
    : { ...clean, body: before.body }

/** Bytes of an answer that messages are made of at most. */
const maxQuotedBytes = 64 * 1024
