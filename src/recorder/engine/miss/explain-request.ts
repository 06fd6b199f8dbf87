/** A request explained: how its key is derived, what replay answers, and what is missing. */
import {
  type IncomingRequest,
  type Reply,
  splitTarget
} from '../../http/incoming-request.ts'
import { parseRequest } from '../../http/parse-request.ts'
import type { SynthesisBasis } from '../../paging/synthesis.ts'
import type { Identity } from '../../request/api-request.ts'
import { type Derivation, derive } from '../../request/derive.ts'
import type { KeyStep, KeyStepRule } from '../../request/key-step.ts'
import { keyForUnposted } from '../../request/scoped-keys.ts'
import { wikiFactsOf } from '../call.ts'
import type { Engine } from '../engine.ts'
import texts from './explanations.json' with { type: 'json' }
import type { Miss } from './miss-reply.ts'

export interface RequestExplanation {
  readonly derivation: Derivation
  readonly reply: Reply
  readonly miss: Miss | undefined
}

/** @param engine that has answered nothing else, and reports nothing */
export async function explainRequest(
  engine: Engine,
  incoming: IncomingRequest,
  user: Identity = 'anonymous'
): Promise<RequestExplanation> {
  const { request } = parseRequest(incoming, () => user)
  const derivation = derive(request, wikiFactsOf(engine.store))
  // An address alone does not say that a request is posted.
  const isPosted =
    derivation.unposted === '' && !engine.store.has(keyForUnposted(derivation).key)
  const reply = await engine.handle(isPosted ? posted(incoming) : incoming)
  const [miss] = engine.summary.misses.values()
  return { derivation, reply, miss }
}

function posted(incoming: IncomingRequest): IncomingRequest {
  const [target, query] = splitTarget(incoming.target)
  const headers = {
    ...incoming.headers,
    'content-type': 'application/x-www-form-urlencoded'
  }
  return {
    ...incoming,
    method: 'POST',
    target,
    headers,
    body: Buffer.from(query, 'latin1')
  }
}

/** Path and query of an address as people copy it: a complete URL, a path, or a query string. */
export function targetOf(address: string, apiPath: string): string {
  const isRelative = address.startsWith('rest.php/')
  const relative = isRelative ? apiPath.replace(/[^/]*$/, '') + address : address
  const isQuery = !/^(?:\/|https?:)|\?|\/api\.php/.test(relative)
  const target = isQuery
    ? `${apiPath}?${relative}`
    : relative.replace(/^https?:\/\/[^/?#]*/, '').replace(/^\/~[^/]*/, '')
  return target.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
}

const ruleTexts: Readonly<Record<KeyStepRule, string>> = texts.keySteps

/** E.g. `10  (as sent)`, `a|b → b|a  (several values: …)`. */
export function stepText({ sent, became, rule }: KeyStep): string {
  const shown = rule === 'secret' ? '…' : sent
  return became === undefined || became === sent
    ? `${shown}  (${ruleTexts[rule]})`
    : `${shown} → ${became === '' ? '(present)' : became}  (${ruleTexts[rule]})`
}

/** The values of `X-Cassette-Synthesized-By` (docs/paging.md). */
export const synthesisTexts: Readonly<Record<SynthesisBasis, string>> = texts.synthesis
