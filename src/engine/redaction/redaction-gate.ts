/** The gate before the disk: redacts each answer, and refuses writes that contain a secret of this run. */
import { isDeepStrictEqual } from 'node:util'
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { SecretLeak, SecretRegistry } from '../../privacy/known/secret-registry.ts'
import type { RedactedResponse } from '../../privacy/redact/redact-response.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { nextTurn } from '../../upstream/next-turn.ts'
import type { RunSummary } from '../run-summary.ts'
import { isLarge, leaksIn, type PendingWrite, type SecretScan, scanForSecrets } from './pending-write.ts'
import { fromTransfer, redactAnswer, toTransfer } from './scan-job.ts'
import { largeScanSize, runInWorker } from './scan-pool.ts'

/** A scan with its subject, and the number of secrets that were known then. */
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

  /** Learns the secrets of an answer that is not recorded. */
  async learnSecrets(request: WikiRequest, response: RecordedResponse): Promise<void> {
    await this.#redact(request, response)
  }

  /** The answer without its secrets and the client's; what was replaced in its body is counted. */
  async redact(request: WikiRequest, response: RecordedResponse): Promise<RecordedResponse> {
    const { response: clean, bodyCounts } = await this.#redact(request, response)
    for (const [label, count] of bodyCounts) this.#summary.countRedaction(label, count)
    return clean
  }

  /** As `mayWrite`, for what was scanned; reports texts that only look like secrets, so that a person can check them. */
  mayWriteScanned(what: string, { falseAlarms, leaks }: SecretScan): boolean {
    if (falseAlarms.length > 0)
      this.#report(
        `${what}: ${falseAlarms.length === 1 ? 'a text' : `${falseAlarms.length} texts`} of the content that only looks like a secret is unchanged`,
      )
    return this.#checkLeaks(what, leaks)
  }

  /** False, and reported, where the content has a secret in clear. */
  mayWrite(what: string, content: string | Uint8Array): boolean {
    return this.#checkLeaks(what, this.#registry.findLeaks(content))
  }

  get knownSecrets(): number {
    return this.#registry.size
  }

  /** Reports secrets in a recording that became known after it was written. */
  reportLeaksIn(written: PendingWrite, location: string): void {
    const leaks = leaksIn(this.#registry, written)
    if (leaks.length === 0) return
    this.#summary.leaks += 1
    this.#report(
      `${location} contains a secret in plain text that became known after it was written: ${leakSources(leaks)}; delete the file, and record it again after the login`,
    )
  }

  scan(write: PendingWrite): SecretScan {
    return scanForSecrets(this.#registry, write)
  }

  /** Scans a large write while other clients are served. */
  async scanInWorker(write: PendingWrite): Promise<ScannedWrite> {
    const secrets = this.#registry.secrets()
    const { file, request, sentValues } = write
    const responses = write.responses.map((response) => toTransfer(response))
    await nextTurn()
    const scan = await runInWorker({ kind: 'scan', secrets, file, request, sentValues, responses })
    if (scan.kind !== 'scan') throw new Error('the outcome of another job')
    return { ...scan, write, knownSecrets: secrets.length }
  }

  /** True where this very write was scanned, and no secret has become known since. */
  isUpToDate(write: PendingWrite, scanned: ScannedWrite): boolean {
    return scanned.knownSecrets === this.#registry.size && isDeepStrictEqual(write, scanned.write)
  }

  async #redact(request: WikiRequest, response: RecordedResponse): Promise<RedactedResponse> {
    const fromApi = request.kind === 'api'
    if (!isLarge(largeScanSize, [response])) return redactAnswer(this.#registry, response, fromApi)
    // Each of these steps blocks other clients for some milliseconds.
    await nextTurn()
    const transferred = toTransfer(response)
    await nextTurn()
    const secrets = this.#registry.secrets()
    const outcome = await runInWorker({ kind: 'redact', secrets, response: transferred, fromApi })
    if (outcome.kind !== 'redact') throw new Error('the outcome of another job')
    this.#registry.learnFromResponse(outcome.secrets)
    return { ...outcome, response: reuseUnchanged(fromTransfer(outcome.response, response.body), response) }
  }

  #checkLeaks(what: string, leaks: readonly SecretLeak[]): boolean {
    if (leaks.length === 0 && !this.#registry.isFull) return true
    this.#summary.leaks += 1
    this.#report(
      leaks.length === 0
        ? `not recorded: ${what}: this run has too many secrets to check for; start a new run`
        : `not recorded: ${what} contains a secret in plain text: ${leakSources(leaks)}; leave it out of the request, or report its place as a fault of the redaction`,
    )
    return false
  }
}

const leakSources = (leaks: readonly SecretLeak[]): string =>
  [...new Set(leaks.map(({ kind, source }) => `${kind} (met in ${source})`))].join(', ')

/** The same object where nothing was redacted: callers compare by identity. */
const reuseUnchanged = (clean: RecordedResponse, before: RecordedResponse): RecordedResponse =>
  clean.body === before.body && isDeepStrictEqual(clean, before) ? before : clean
