/** An answer without its secrets, and without those that the registry knows. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { mapStrings } from '../../json/json-tree.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactResponse } from '../../privacy/redact/redact-response.ts'
import type { RedactionCounts } from '../../privacy/redact/secret-replacer.ts'
import type { Secret } from '../../privacy/secrets/secret.ts'

export interface RedactionResult {
  readonly response: RecordedResponse
  /** Those found in the answer. */
  readonly secrets: readonly Secret[]
  /** How many were replaced in its body. */
  readonly bodyCounts: RedactionCounts
}

/** @param registry learns what is found */
export function redactAnswer(
  registry: SecretRegistry,
  response: RecordedResponse,
  fromApi: boolean,
): RedactionResult {
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
