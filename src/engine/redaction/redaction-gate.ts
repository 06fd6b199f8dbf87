/** Keeps the secrets of one run off the disk: each answer is redacted, and what is about to be written is looked through. */
import { type RecordedResponse, sameTexts } from '../../cassette/interaction.ts'
import type { Leak, Ledger } from '../../privacy/known/secret-registry.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { nextTurn } from '../../upstream/next-turn.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Summary } from '../run-summary.ts'
import { aside, largeFrom } from './scan-pool.ts'
import {
  type Draft,
  holds,
  judgedOf,
  type Look,
  leaksIn,
  type Redaction,
  received,
  redactedBy,
  sameDraft,
  sent,
} from './secret-scan.ts'

/** A draft that was looked through, and how many secrets were known then. */
export interface Looked extends Look {
  readonly draft: Draft
  readonly known: number
}

export class Censor {
  readonly #summary: Summary
  readonly #report: (line: string) => void
  readonly #ledger: Ledger

  constructor(ledger: Ledger, summary: Summary, report: (line: string) => void) {
    this.#summary = summary
    this.#report = report
    this.#ledger = ledger
  }

  /** Learns the secrets of an answer that is not going to be recorded. */
  async learn(request: WikiRequest, response: RecordedResponse): Promise<void> {
    await this.#redacted(request, response)
  }

  /** The answer less its secrets and those that the client sent; what was replaced in its body is counted. */
  async redact(request: WikiRequest, response: RecordedResponse): Promise<RecordedResponse> {
    const { response: clean, inBody } = await this.#redacted(request, response)
    for (const [label, count] of inBody) this.#summary.countRedaction(label, count)
    return clean
  }

  /** True where a secret stands in what a message would quote of an answer. */
  standsIn({ headers, body }: WikiAnswer): boolean {
    const head = Buffer.from(body.subarray(0, mostQuoted)).toString('utf8')
    return this.#ledger.leaks(head, ...headers.values()).length > 0
  }

  /** What of an answer only looks like a secret. */
  judge(responses: readonly RecordedResponse[]): readonly string[] {
    return judgedOf(responses)
  }

  /** Tells what only looks like a secret and is written nevertheless, so that a person can look. */
  tellJudged(what: string, judged: readonly string[]): void {
    if (judged.length > 0)
      this.#report(
        `${what}: ${judged.length === 1 ? 'a text' : `${judged.length} texts`} of the content that only looks like a secret is kept as it is`,
      )
  }

  /** False, and told, where a secret stands in clear in what is about to be written. */
  passes(what: string, written: string | Uint8Array): boolean {
    return this.#mayWrite(what, this.#ledger.leaks(written))
  }

  /** How many secrets are known. */
  get known(): number {
    return this.#ledger.size
  }

  /** Tells of a recording that was written before a secret in it became known. */
  search(written: Draft, place: string): void {
    const leaks = leaksIn(this.#ledger, written)
    if (leaks.length === 0) return
    this.#summary.leaks += 1
    this.#report(
      `${place} holds a secret in clear that became known after it was written: ${metIn(leaks)}; delete the file, and record it again after the login`,
    )
  }

  /** Looks through what is to be written of a large answer. */
  async look(draft: Draft): Promise<Looked> {
    const secrets = this.#ledger.all()
    const { file, request, asked } = draft
    const responses = draft.responses.map((response) => sent(response))
    await nextTurn()
    const look = await aside({ kind: 'look', secrets, file, request, asked, responses })
    if (look.kind !== 'look') throw new Error('another job was done')
    return { ...look, draft, known: secrets.length }
  }

  /** True where that look was at this very draft, and no secret has become known since. */
  hasSeen(draft: Draft, looked: Looked): boolean {
    return looked.known === this.#ledger.size && sameDraft(draft, looked.draft)
  }

  /** As `passes`, for what was looked through before. */
  passesLooked(what: string, { leaks }: Looked): boolean {
    return this.#mayWrite(what, leaks)
  }

  async #redacted(request: WikiRequest, response: RecordedResponse): Promise<Redaction> {
    const fromApi = request.kind === 'api'
    if (!holds(largeFrom, [response])) return redactedBy(this.#ledger, response, fromApi)
    // Each of these takes a good part of what one client may hold up the others.
    await nextTurn()
    const sending = sent(response)
    await nextTurn()
    const secrets = this.#ledger.all()
    const outcome = await aside({ kind: 'redact', secrets, response: sending, fromApi })
    if (outcome.kind !== 'redact') throw new Error('another job was done')
    this.#ledger.learnFromResponse(outcome.secrets)
    const clean = outcome.response
    return {
      ...outcome,
      response: clean.body === undefined ? asBefore(clean, response) : received(clean, response.body),
    }
  }

  #mayWrite(what: string, leaks: readonly Leak[]): boolean {
    if (leaks.length === 0 && !this.#ledger.isFull) return true
    this.#summary.leaks += 1
    this.#report(
      leaks.length === 0
        ? `not recorded: ${what}: this run has seen more secrets than can be watched for; start a new one`
        : `not recorded: ${what} holds a secret in clear: ${metIn(leaks)}; leave it out of the request, or report its place as a fault of the redaction`,
    )
    return false
  }
}

const metIn = (leaks: readonly Leak[]): string =>
  [...new Set(leaks.map(({ kind, source }) => `${kind} (met in ${source})`))].join(', ')

/** The very answer where nothing of it was changed, so that it is known again. */
const asBefore = (clean: Omit<RecordedResponse, 'body'>, before: RecordedResponse): RecordedResponse =>
  sameTexts(clean.headers, before.headers) && JSON.stringify(clean.cookies) === JSON.stringify(before.cookies)
    ? before
    : { ...clean, body: before.body }

/** Bytes of an answer that messages are made of at most. */
const mostQuoted = 64 * 1024
