/** The gate before the disk: redacts each answer, and refuses writes that contain a secret of this run. */
import path from 'node:path'
import {
  bodiesOutsideText,
  type EncodedInteraction,
  encodeInteraction,
} from '../../cassette/format/encode-interaction.ts'
import type { Interaction, RecordedBody, RecordedResponse } from '../../cassette/interaction.ts'
import { jsonObject, jsonString, mapStrings } from '../../json/json-tree.ts'
import { falseAlarmsIn } from '../../privacy/detect/scan-file.ts'
import type { SecretLeak } from '../../privacy/known/secret-registry.ts'
import { type RedactedResponse, redactResponse } from '../../privacy/redact/redact-response.ts'
import type { Secret } from '../../privacy/secrets/secret.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { LiveContext } from '../engine-options.ts'

/** What is to be written for one interaction, without its false alarms. */
type PendingWrite = Omit<Interaction, 'key' | 'falseAlarms'>

export class RedactionGate {
  readonly #context: LiveContext

  constructor(context: LiveContext) {
    this.#context = context
  }

  /** Learns the secrets of an answer that is not recorded. */
  learnSecrets(request: WikiRequest, response: RecordedResponse): void {
    this.#redact(request, response)
  }

  /** The answer without its secrets and the client's; what was replaced in its body is counted. */
  redact(request: WikiRequest, response: RecordedResponse): RecordedResponse {
    const { response: clean, bodyCounts } = this.#redact(request, response)
    const { redactions } = this.#context.summary
    for (const [label, count] of bodyCounts) redactions.set(label, (redactions.get(label) ?? 0) + count)
    return clean
  }

  /**
   * The texts of an interaction's files; undefined, and reported, where they have a secret in clear. Texts that only look like a
   * secret are reported too, so that a person can check them.
   * @param file the interaction's, in the cassette
   */
  encode(what: string, file: string, write: PendingWrite): EncodedInteraction | undefined {
    const falseAlarms = falseAlarmsOf(write)
    if (falseAlarms.length > 0)
      this.#context.report(
        `${what}: ${falseAlarms.length === 1 ? 'a text' : `${falseAlarms.length} texts`} of the content that only looks like a secret is unchanged`,
      )
    const encoded = encodeInteraction({ ...write, falseAlarms }, path.basename(file, '.json'))
    const leaks = this.#leaksIn(file, encoded.text, write)
    return this.#checkLeaks(what, leaks) ? encoded : undefined
  }

  /** False, and reported, where the content has a secret in clear. */
  mayWrite(what: string, content: string | Uint8Array): boolean {
    return this.#checkLeaks(what, this.#context.secrets.findLeaks(content))
  }

  get knownSecrets(): number {
    return this.#context.secrets.size
  }

  /** Reports secrets in a recording that became known after it was written. */
  reportLeaksIn(written: Interaction, file: string, location: string): void {
    const leaks = this.#leaksIn(file, encodeInteraction(written, path.basename(file, '.json')).text, written)
    if (leaks.length === 0) return
    this.#context.summary.leaks += 1
    this.#context.report(
      `${location} contains a secret in plain text that became known after it was written: ${leakSources(leaks)}; delete the file, and record it again after the login`,
    )
  }

  /** Also redacts known secrets, and learns those that it finds. */
  #redact({ kind }: WikiRequest, response: RecordedResponse): RedactedResponse {
    const fromApi = kind === 'api'
    const { secrets } = this.#context
    const callerIdentifiers = secrets.callerIdentifiers()
    const first = redactResponse(response, callerIdentifiers, fromApi)
    secrets.learnFromResponse(first.secrets)
    // A password may be an ordinary word. It is not replaced: an answer that contains one is not written.
    const repeated = secrets.findUnencoded(textOfResponse(first.response)).filter(isGenerated)
    if (repeated.length === 0) return first
    const known = [...callerIdentifiers, ...repeated, ...first.secrets.filter(isGenerated)]
    return redactResponse(response, known, fromApi)
  }

  #leaksIn(file: string, text: string, { responses }: PendingWrite): readonly SecretLeak[] {
    return this.#context.secrets.findLeaks(file, text, ...bodiesOutsideText(responses))
  }

  #checkLeaks(what: string, leaks: readonly SecretLeak[]): boolean {
    if (leaks.length === 0 && !this.#context.secrets.isFull) return true
    this.#context.summary.leaks += 1
    this.#context.report(
      leaks.length === 0
        ? `not recorded: ${what}: this run has too many secrets to check for; start a new run`
        : `not recorded: ${what} contains a secret in plain text: ${leakSources(leaks)}; leave it out of the request; if redaction missed it in an answer, report that as a bug`,
    )
    return false
  }
}

const leakSources = (leaks: readonly SecretLeak[]): string =>
  [...new Set(leaks.map(({ kind, source }) => `${kind} (found in ${source})`))].join(', ')

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

/** Digests of texts in the request and the bodies that only look like a secret, sorted. */
function falseAlarmsOf({ request, sentValues, responses }: PendingWrite): readonly string[] {
  const sent = [request, sentValues].map(
    (params): RecordedBody => ({
      kind: 'json',
      tree: jsonObject([...params].map(([name, value]) => [name, jsonString(value)])),
      spelling: 'utf8',
    }),
  )
  const bodies = [...sent, ...responses.map(({ body }) => body)]
  return [...new Set(bodies.flatMap(falseAlarmsIn))].sort()
}
