/** Registers the secrets of every request and answer, whether it is recorded or not. */
import { networkInterfaces } from 'node:os'
import {
  headerText,
  type IncomingHeaders,
  type IncomingRequest,
  splitTarget
} from '../../http/incoming-request.ts'
import { emptyForm, readRawBody } from '../../http/request-body.ts'
import {
  secretInside,
  secretsOfHeaders,
  secretsOfParams
} from '../../privacy/known/request-secrets.ts'
import { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import { isLocalAddress, ownMachine, type Secret } from '../../privacy/secrets/secret.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { parseUrlencoded } from '../../wiki/parameters/request-params.ts'

/** The head of a request, before it is checked. */
export function observeHead(
  registry: SecretRegistry,
  target: string,
  headers: IncomingHeaders
): void {
  const [path, query] = splitTarget(target)
  const sent = Object.keys(headers).map(
    (name) => [name, headerText(headers, name) ?? ''] as const
  )
  registry.learn(secretsOfParams(new Map([['title', path]])))
  registry.learnFromRequest(parseUrlencoded(query), sent)
}

/** The parameters of a parsed request, and a body that could not be parsed. */
export function observeRequest(
  registry: SecretRegistry,
  request: WikiRequest,
  { headers, body }: Pick<IncomingRequest, 'headers' | 'body'>
): void {
  registry.learn(secretsOfParams(request.kind === 'api' ? request.params : request.form))
  if (request.kind === 'api' && request.unread)
    registry.learn(secretsOfParams(readRawBody(headers, emptyForm, body).fields))
}

/** Those in values of parameters that no module has described. */
export const innerSecretsOf = ({ innerSecrets = [] }: Derivation): readonly Secret[] =>
  innerSecrets.flatMap(([name, value]) => secretInside(name, value))

/** Those of one request: replay collects none, but must not quote them. */
export function secretsOf(
  incoming: IncomingRequest,
  request: WikiRequest
): SecretRegistry {
  const registry = new SecretRegistry()
  observeHead(registry, incoming.target, incoming.headers)
  observeRequest(registry, request, incoming)
  return registry
}

/** The upstream, with the secrets of each answer registered before it is returned, and removed from errors. */
export function observedUpstream(upstream: Upstream, registry: SecretRegistry): Upstream {
  return {
    async ask(request, signal) {
      try {
        const answer = await upstream.ask(request, signal)
        registry.learn(answerHeadSecrets(answer))
        return answer
      } catch (error) {
        if (error instanceof UpstreamError)
          error.message = redactMessage(error.message, registry)
        throw error
      }
    },
    close: () => upstream.close()
  }
}

/** A cookie that the wiki sets is a secret where one that a client sends is. */
function answerHeadSecrets({ headers, setCookies }: WikiAnswer) {
  const cookies = setCookies.map(
    (header) => ['cookie', header.split(';', 1)[0] ?? ''] as const
  )
  return secretsOfHeaders([...headers, ...cookies])
}

/** This machine's addresses, without loopback and link-local ones. */
export const ownAddresses = (): readonly Secret[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(
      ({ internal, address }) =>
        !internal && !isLocalAddress(address) && !address.startsWith('fe80:')
    )
    .map(({ address }) => ({ kind: 'address', value: address, source: ownMachine }))

/** Why an answer is not recorded; in other words where it holds a secret, since messages end up in the logs of CI. */
export function quotingNoSecret(
  secrets: SecretRegistry,
  { status, headers, body }: WikiAnswer,
  why: string | undefined
): string | undefined {
  if (why === undefined) return undefined
  const head = Buffer.from(body.subarray(0, 65_536)).toString('utf8')
  // Of headers, a reason quotes this one alone.
  if (secrets.findLeaks(head, why, headers.get('location') ?? '').length === 0) return why
  return `HTTP status ${status}; the answer is not quoted, since it holds a secret`
}
