/** The gate before the disk: redacts each answer, and refuses writes that contain a secret of this run. */
import path from 'node:path'
import {
  bodiesOutsideText,
  type EncodedInteraction,
  encodeInteraction
} from '../../cassette/format/encode-interaction.ts'
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { mapStrings } from '../../json/map-strings.ts'
import { answerOf, scanInteraction } from '../../privacy/detect/scan-file.ts'
import type { SecretLeak } from '../../privacy/known/secret-registry.ts'
import { ownTexts } from '../../privacy/redact/own-texts.ts'
import { redactResponse } from '../../privacy/redact/redact-response.ts'
import {
  emailPlaceholder,
  isFoundInContent,
  type Secret
} from '../../privacy/secrets/secret.ts'
import { thirdPartyModules } from '../../privacy/secrets/third-parties.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import type { LiveContext } from '../engine-options.ts'

/** What is to be written for one interaction. */
type PendingWrite = Omit<Interaction, 'key'>

export class RedactionGate {
  readonly #context: LiveContext

  constructor(context: LiveContext) {
    this.#context = context
  }

  /** Learns the secrets of an answer that is not recorded. */
  learnSecrets(request: CanonicalRequest, response: RecordedResponse): void {
    this.#redact(request, response)
  }

  /** The answer without its secrets and the client's; what was replaced in its body is counted. */
  redact(request: CanonicalRequest, response: RecordedResponse): RecordedResponse {
    const { response: clean, bodyCounts } = this.#redact(request, response)
    const { redactions } = this.#context.summary
    for (const [label, count] of bodyCounts)
      redactions.set(label, (redactions.get(label) ?? 0) + count)
    return clean
  }

  /**
   * The texts of an interaction's files; undefined, and reported, where they have a secret in clear. Texts that only look like a
   * secret are named at the end of the run, so that a person can judge them, as `check` names them.
   * @param file the interaction's, in the cassette
   */
  encode(
    what: string,
    file: string,
    write: PendingWrite
  ): EncodedInteraction | undefined {
    const { store, summary } = this.#context
    const encoded = encodeInteraction(write, path.basename(file, '.json'))
    if (!this.#checkLeaks(what, this.#leaksIn(file, encoded.text, write)))
      return undefined
    const location = `${store.dir}/${file}`
    const isHarmless = this.#context.isHarmless ?? (() => false)
    const doubtful = scanInteraction(write, store.manifest.site).filter(
      ({ where, digest }) => !isHarmless(location, where, digest)
    )
    summary.doubtful.delete(location)
    if (doubtful.length > 0)
      summary.doubtful.set(
        location,
        doubtful.map(({ where, kind }) => `${where} (${kind})`)
      )
    const mailing = encoded.text.includes(emailPlaceholder) ? write.responses : []
    const { page } = answerOf(write.request, new Map(), store.manifest.site)
    for (const module of thirdPartyModules(write.request, page, mailing))
      summary.thirdParties.add(module)
    return encoded
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
    const leaks = this.#leaksIn(
      file,
      encodeInteraction(written, path.basename(file, '.json')).text,
      written
    )
    if (leaks.length === 0) return
    this.#context.summary.leaks += 1
    this.#context.onEvent({
      kind: 'late-secret',
      file: location,
      secrets: leakSources(leaks)
    })
  }

  /** Also redacts known secrets, and learns those that it finds. */
  #redact(request: CanonicalRequest, response: RecordedResponse) {
    const { secrets, store } = this.#context
    const answer = answerOf(request, response.headers, store.manifest.site)
    const callerIdentifiers = secrets.callerIdentifiers()
    const first = redactResponse(response, callerIdentifiers, answer)
    secrets.learnFromResponse(first.secrets)
    if (secrets.size === 0) return first
    // A password may be an ordinary word. It is not replaced: an answer that contains one is not written.
    const repeated = secrets
      .findUnencoded(textOfResponse(first.response))
      .filter(isGenerated)
    if (repeated.length === 0) return first
    const known = [
      ...callerIdentifiers,
      ...repeated,
      ...first.secrets.filter(isGenerated)
    ]
    return redactResponse(response, known, answer)
  }

  /** In what people wrote, and in what the client asked for, only secrets count that no text contains by chance. */
  #leaksIn(file: string, text: string, write: PendingWrite) {
    const { secrets, store } = this.#context
    const { request, responses } = write
    const found = secrets.findSecrets(file, text, ...bodiesOutsideText(responses))
    const certain = found.filter(isFoundInContent)
    if (certain.length === found.length) return certain
    const own = responses.flatMap((one) =>
      ownTexts(one, answerOf(request, one.headers, store.manifest.site))
    )
    const inOwn = secrets.findSecrets(...own)
    return found.filter((one) => certain.includes(one) || inOwn.includes(one))
  }

  #checkLeaks(what: string, leaks: readonly SecretLeak[]) {
    if (leaks.length === 0 && !this.#context.secrets.isFull) return true
    this.#context.summary.leaks += 1
    const why =
      leaks.length === 0
        ? `${what}: this run has too many secrets to check for; start a new run`
        : `${what} contains a secret in plain text: ${leakSources(leaks)}; leave it out of the request; if redaction missed it in an answer, report that as a bug`
    this.#context.onEvent({ kind: 'not-written', why })
    return false
  }
}

const leakSources = (leaks: readonly SecretLeak[]) =>
  [...new Set(leaks.map(({ kind, source }) => `${kind} (found in ${source})`))].join(', ')

const isGenerated = ({ kind }: Secret) => kind !== 'password'

function textOfResponse({ headers, body }: RecordedResponse) {
  const texts = [...headers.values()]
  if (body.kind === 'text') texts.push(body.text)
  if (body.kind === 'json')
    mapStrings(body.tree, (value) => {
      texts.push(value)
      return value
    })
  return texts.join('\n')
}
