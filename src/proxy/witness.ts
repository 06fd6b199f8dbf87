/** Tells the ledger what is secret in a request or an answer, whatever becomes of it. */
import { networkInterfaces } from 'node:os'
import type { Steps } from '../json/steps.ts'
import type { Ledger } from '../privacy/ledger.ts'
import { cookieKind } from '../privacy/names.ts'
import type { Secret } from '../privacy/secret.ts'
import { secretsOfHeaders, secretsOfParams } from '../privacy/sent.ts'
import { isLoopback } from '../privacy/shapes.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { WikiAnswer } from '../wiki/answer.ts'
import { parseSetCookie } from '../wiki/cookies.ts'
import { parseUrlencoded } from '../wiki/params.ts'
import { headerText, type IncomingHeaders } from './exchange.ts'
import { emptyForm } from './form.ts'
import { plainBody } from './plain-body.ts'

/** The head of a request, before anything of it is judged. */
export function witnessHead(ledger: Ledger, target: string, headers: IncomingHeaders): void {
  const cut = target.indexOf('?')
  const sent = Object.keys(headers).map((name) => [name, headerText(headers, name) ?? ''] as const)
  ledger.learnFromRequest(cut < 0 ? new Map() : parseUrlencoded(target.slice(cut + 1)), sent)
}

/** What a request says once it is understood: its body as well, whether it is a form or not. */
export function* witnessRequest(ledger: Ledger, request: WikiRequest, body: Uint8Array): Steps<void> {
  ledger.learn(secretsOfParams(request.kind === 'api' ? request.params : request.form))
  if (request.kind !== 'api' || request.unread === undefined) return
  for (const part of formParts(Buffer.from(body.buffer, body.byteOffset, body.byteLength))) {
    ledger.learn(secretsOfParams(plainBody(emptyForm, part).fields))
    yield
  }
}

/** Bytes of a form that are read in one step. */
const partBytes = 65_536
const ampersand = 0x26

/** A form of a million parameters in parts; whatever else, and what is short, as a whole. */
function* formParts(body: Buffer): Generator<Buffer> {
  const isForm = /^[\w.%[\]-]{1,64}=[^\s"'<>;]*$/.test(body.toString('latin1'))
  for (let at = 0; at < body.length; ) {
    const cut = isForm ? body.indexOf(ampersand, at + partBytes) : -1
    const end = cut < 0 ? body.length : cut
    yield body.subarray(at, end)
    at = end + 1
  }
}

/** An upstream of which every answer is witnessed before anybody sees it. */
export function witnessed(upstream: Upstream, ledger: Ledger): Upstream {
  return {
    async ask(request, signal) {
      const answer = await upstream.ask(request, signal)
      ledger.learn(secretsOfHead(answer))
      return answer
    },
    close: () => upstream.close(),
  }
}

function secretsOfHead({ headers, setCookies }: WikiAnswer): readonly Secret[] {
  const cookies = setCookies.flatMap((header): readonly Secret[] => {
    const { name, value } = parseSetCookie(header, 0)
    const kind = cookieKind(name)
    return kind === 'session' || kind === 'cookie' ? secretsOfHeaders([['cookie', `${name}=${value}`]]) : []
  })
  return [...secretsOfHeaders(headers), ...cookies]
}

/** This machine's own addresses, as far as they can tell anybody anything. */
export const ownAddresses = (): readonly Secret[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !isLoopback(address) && !address.startsWith('fe80:'))
    .map(({ address }) => ({ kind: 'address', value: address, source: 'this machine' }))
