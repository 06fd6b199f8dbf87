/** Registers the secrets of every request and answer, whether it is recorded or not. */
import { networkInterfaces } from 'node:os'
import {
  headerText,
  type IncomingHeaders,
  type IncomingRequest,
  splitTarget,
} from '../../http/incoming-request.ts'
import { emptyForm, readRawBody } from '../../http/request-body.ts'
import type { CooperativeTask } from '../../json/cooperative-task.ts'
import { secretsOfHeaders, secretsOfParams } from '../../privacy/known/request-secrets.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { Secret } from '../../privacy/secrets/secret.ts'
import { cookieKind } from '../../privacy/secrets/secret-names.ts'
import { isLoopback } from '../../privacy/secrets/secret-shapes.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { parseSetCookie } from '../../wiki/cookies/set-cookie.ts'
import { queryParams } from '../../wiki/parameters/request-params.ts'

/** The head of a request, before it is checked. */
export function observeHead(registry: SecretRegistry, target: string, headers: IncomingHeaders): void {
  const [path, query] = splitTarget(target)
  const sent = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''] as const)
  registry.learn(secretsOfParams(new Map([['title', path]])))
  registry.learnFromRequest(queryParams(query), sent)
}

/** The parameters of a parsed request, and a body that could not be parsed. */
export function* observeRequest(
  registry: SecretRegistry,
  request: WikiRequest,
  { body }: Pick<IncomingRequest, 'body'>,
): CooperativeTask<void> {
  registry.learn(secretsOfParams(request.kind === 'api' ? request.params : request.form))
  if (request.kind !== 'api' || request.unread === undefined) return
  for (const part of formParts(Buffer.from(body.buffer, body.byteOffset, body.byteLength))) {
    registry.learn(secretsOfParams(readRawBody(emptyForm, part).fields))
    yield
  }
}

const partBytes = 65_536
const ampersand = 0x26

/** A long form in parts, since it may have a million parameters; any other body as a whole. */
function* formParts(body: Buffer): Generator<Buffer> {
  const isForm = /^[\w.%[\]-]{1,64}=[^\s"'<>;]*$/.test(body.toString('latin1'))
  for (let at = 0; at < body.length; ) {
    const cut = isForm ? body.indexOf(ampersand, at + partBytes) : -1
    const end = cut < 0 ? body.length : cut
    yield body.subarray(at, end)
    at = end + 1
  }
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
        if (error instanceof UpstreamError) error.message = redactMessage(error.message, registry)
        throw error
      }
    },
    close: () => upstream.close(),
  }
}

function answerHeadSecrets({ headers, setCookies }: WikiAnswer): readonly Secret[] {
  const cookies = setCookies.flatMap((header): readonly Secret[] => {
    const { name, value } = parseSetCookie(header, 0)
    const kind = cookieKind(name)
    return kind === 'session' || kind === 'cookie' ? secretsOfHeaders([['cookie', `${name}=${value}`]]) : []
  })
  return [...secretsOfHeaders(headers), ...cookies]
}

/** This machine's addresses, without loopback and link-local ones. */
export const ownAddresses = (): readonly Secret[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !isLoopback(address) && !address.startsWith('fe80:'))
    .map(({ address }) => ({ kind: 'address', value: address, source: 'this machine' }))
