/** Puts an answer into the cassette: redacted, checked, and only where it says something new. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import { sameRecording, type Taking } from '../cassette/record.ts'
import { type Match, refusedOrigin } from '../playback/match.ts'
import { Ledger } from '../privacy/ledger.ts'
import { redactResponse } from '../privacy/redact.ts'
import type { WikiRequest } from '../request/api-request.ts'
import { type Derivation, inOrderSent } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { headerText, type IncomingHeaders } from './exchange.ts'
import type { Summary } from './summary.ts'

/** What was recorded, as the client gets it: what replay will give, its secrets still in clear. */
export interface Recorded {
  readonly key: RequestKey
  readonly response: RecordedResponse
}

export class Recorder {
  readonly #store: CassetteStore
  readonly #summary: Summary
  readonly #report: (line: string) => void
  readonly #ledger = new Ledger()
  /** How many answers of a key this run has seen: a later, different one continues the sequence. */
  readonly #seen = new Map<RequestKey, number>()

  /** @param authorization the credentials of the api-url */
  constructor(
    store: CassetteStore,
    summary: Summary,
    report: (line: string) => void,
    authorization?: string,
  ) {
    if (authorization !== undefined)
      this.#ledger.learnFromRequest(new Map(), [['authorization', authorization]])
    this.#store = store
    this.#summary = summary
    this.#report = report
  }

  /** Undefined where a secret stood in the answer in clear and nothing was written. @throws StoreError */
  record(
    request: WikiRequest,
    derivation: Derivation,
    match: Match,
    taking: Extract<Taking, { kind: 'taken' }>,
    headers: IncomingHeaders,
  ): Recorded | undefined {
    const { key, canonical, asked } = this.#placeFor(request, derivation, match, taking.response)
    const found = this.#store.find(key)
    const old = found.kind === 'found' ? found.interaction : undefined
    const fresh = this.#redact(request, taking.response, headers)
    this.#learnEngine(taking.engine)
    this.#summary.used.add(key)
    const seen = this.#seen.get(key) ?? 0
    const [previous, expected] = [seen > 0 ? old?.responses[seen - 1] : undefined, old?.responses[seen]]
    const repeated = previous !== undefined && sameRecording(previous, fresh)
    const told = expected ?? (repeated ? previous : undefined)
    if (!repeated || expected !== undefined) this.#seen.set(key, seen + 1)
    if (told !== undefined && sameRecording(told, fresh) && sameMap(old?.asked, asked)) {
      this.#summary.unchanged += 1
      return {
        key,
        response: fresh === taking.response ? { ...told, cookies: taking.response.cookies } : taking.response,
      }
    }
    const earlier = old?.responses.slice(0, seen) ?? []
    const [first = fresh, ...more] = [...earlier, fresh]
    const interaction = { key, request: canonical, asked, responses: [first, ...more] } as const
    if (!this.#store.put(interaction, (written) => this.#isClean(key, written))) return undefined
    this.#summary.recorded += 1
    return { key, response: taking.response }
  }

  /** For mode `update`: drops every interaction that is not in use. */
  dropUnused(used: ReadonlySet<RequestKey>): void {
    const unused = [...this.#store.paths()].filter(([key]) => !used.has(key))
    for (const [key] of unused) this.#store.drop(key)
    if (unused.length > 0) this.#report(`dropped ${unused.length} recordings that were not asked for again`)
  }

  #placeFor(
    request: WikiRequest,
    derivation: Derivation,
    match: Match,
    response: RecordedResponse,
  ): Derivation {
    const refused = response.status === 403 ? refusedOrigin(request, derivation) : undefined
    return refused ?? (match.kind === 'other-order' ? inOrderSent(derivation) : derivation)
  }

  /** Learns the secrets of request and answer, so that they are known wherever else they turn up. */
  #redact(request: WikiRequest, response: RecordedResponse, headers: IncomingHeaders): RecordedResponse {
    const sent = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''] as const)
    this.#ledger.learnFromRequest(request.kind === 'api' ? request.params : request.form, sent)
    const redacted = redactResponse(response, this.#ledger.addresses())
    this.#ledger.learnFromResponse(redacted.secrets)
    return redacted.response
  }

  /** False, and told, where a secret stands in clear in what is about to be written. */
  #isClean(key: RequestKey, written: string | Uint8Array): boolean {
    const leaks = this.#ledger.leaks(written)
    if (leaks.length === 0) return true
    this.#summary.leaks += 1
    const met = [...new Set(leaks.map(({ kind, source }) => `${kind} (met in ${source})`))].join(', ')
    this.#report(
      `not recorded: ${key} holds a secret in clear: ${met}; leave it out of the request, or report its place as a fault of the redaction`,
    )
    return false
  }

  #learnEngine(engine: string | undefined): void {
    if (engine !== undefined) this.#store.setManifest({ ...this.#store.manifest, engine })
  }
}

const sameMap = (a: ReadonlyMap<string, string> | undefined, b: ReadonlyMap<string, string>): boolean =>
  a !== undefined && a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)
