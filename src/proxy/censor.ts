/** Keeps the secrets of one run off the disk: each answer is redacted, and what is about to be written is looked through. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import { mapStrings } from '../json/tree.ts'
import { judgedIn } from '../privacy/detect.ts'
import type { Ledger } from '../privacy/ledger.ts'
import { redactResponse } from '../privacy/redact.ts'
import type { Secret } from '../privacy/secret.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { WikiAnswer } from '../wiki/answer.ts'
import { inflate } from './inflate.ts'
import type { Summary } from './summary.ts'

export class Censor {
  readonly #summary: Summary
  readonly #report: (line: string) => void
  readonly #ledger: Ledger

  constructor(ledger: Ledger, summary: Summary, report: (line: string) => void) {
    this.#ledger = ledger
    this.#summary = summary
    this.#report = report
  }

  /** Learns the secrets of an answer that is not going to be recorded. */
  learn(request: WikiRequest, response: RecordedResponse): void {
    this.#ledger.learnFromResponse(redactResponse(response, { fromApi: request.kind === 'api' }).secrets)
  }

  /** The answer less its secrets and those that the client sent; what was replaced in its body is counted. */
  redact(request: WikiRequest, response: RecordedResponse): RecordedResponse {
    const fromApi = request.kind === 'api'
    const own = this.#ledger.own()
    const first = redactResponse(response, { secrets: own, fromApi })
    this.#ledger.learnFromResponse(first.secrets)
    // What people chose may be a word of the text: where such a value stands, nothing is written at all.
    const echoed = this.#ledger.plainIn(textOf(first.response)).filter(isMade)
    const { response: clean, inBody } =
      echoed.length === 0
        ? first
        : redactResponse(response, { secrets: [...own, ...echoed, ...first.secrets.filter(isMade)], fromApi })
    for (const [label, count] of inBody) this.#summary.countRedaction(label, count)
    return clean
  }

  /** True where a secret stands in what a message would quote of an answer. */
  standsIn({ headers, body }: WikiAnswer): boolean {
    const head = Buffer.from(body.subarray(0, mostQuoted)).toString('utf8')
    return this.#ledger.leaks(head, ...headers.values()).length > 0
  }

  /** What of an answer only looks like a secret; told, so that a person can look. */
  judge(what: string, responses: readonly RecordedResponse[]): readonly string[] {
    const judged = [...new Set(responses.flatMap(({ body }) => judgedIn(body, { inflate })))].sort()
    if (judged.length > 0)
      this.#report(
        `${what}: ${judged.length === 1 ? 'a text' : `${judged.length} texts`} of the content that only looks like a secret is kept as it is`,
      )
    return judged
  }

  /** False, and told, where a secret stands in clear in what is about to be written. */
  passes(what: string, written: string | Uint8Array): boolean {
    const leaks = this.#ledger.leaks(written)
    if (leaks.length === 0 && !this.#ledger.isFull) return true
    this.#summary.leaks += 1
    const met = [...new Set(leaks.map(({ kind, source }) => `${kind} (met in ${source})`))].join(', ')
    this.#report(
      leaks.length === 0
        ? `not recorded: ${what}: this run has seen more secrets than can be watched for; start a new one`
        : `not recorded: ${what} holds a secret in clear: ${met}; leave it out of the request, or report its place as a fault of the redaction`,
    )
    return false
  }
}

/** Bytes of an answer that messages are made of at most. */
const mostQuoted = 64 * 1024

const isMade = ({ kind }: Secret): boolean => kind !== 'password'

/** All that an answer says, apart from its bytes. */
function textOf({ headers, body }: RecordedResponse): string {
  const texts = [...headers.values()]
  if (body.kind === 'text') texts.push(body.text)
  if (body.kind === 'json')
    mapStrings(body.tree, (value) => {
      texts.push(value)
      return value
    })
  return texts.join('\n')
}
