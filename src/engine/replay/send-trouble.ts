/** Sends what goes wrong on a bad day in place of answers: the wiki's errors, pages of an edge, answers cut off or late. */
import { setTimeout } from 'node:timers/promises'
import type { Reply } from '../../http/incoming-request.ts'
import { renderReply } from '../../http/render-reply.ts'
import { assertsLogin, type TroubleKind, troubledRequest } from '../../playback/trouble.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import { type AnswerPlan, apiParamsOf, type Call, type CallOutcome } from '../call.ts'
import type { EngineParts } from '../engine-parts.ts'
import { type ApiError, apiErrorResponse, tokenRefusal } from './api-error.ts'
import { sendAnswer } from './replayer.ts'
import { docrefOf } from './token-guard.ts'

/** The session learns nothing of an answer that is not sent whole, but its recordings count as used. @param call in its present epoch */
export async function sendTrouble(
  trouble: TroubleKind,
  answer: AnswerPlan,
  call: Call,
  parts: EngineParts,
): Promise<CallOutcome> {
  const { summary, trouble: state } = parts.context
  const plan = state?.plan
  const { reply, key, response } = answer.outcome
  summary.troubled += 1
  const id = troubledRequest(call.dependency.scoped)
  plan?.met.set(id, (plan.met.get(id) ?? 0) + 1)
  if (trouble === 'slow') {
    sendAnswer(call, answer, parts)
    await setTimeout(plan?.delay)
    return { reply: { ...reply, trouble }, key, response }
  }
  summary.addProofs(reply.from ?? [])
  if (reply.from === undefined) summary.used.add(key)
  const instead =
    trouble === 'cut' ? withoutCookies(reply) : (pages[trouble] ?? refusal(trouble, call, parts))
  return { reply: { ...instead, cassetteStatus: 'trouble', trouble, key }, key, response: undefined }
}

/** A login that was cut is none. */
const withoutCookies = (reply: Reply): Reply => ({
  ...reply,
  headers: reply.headers.filter(([name]) => name !== 'set-cookie'),
})

function refusal(
  trouble: TroubleKind,
  { incoming: { rewriting }, parsed: { request }, derivation: { key } }: Call,
  { context: { store, now } }: EngineParts,
): Reply {
  const params = apiParamsOf(request)
  const docref = docrefOf(store)
  const error = errorOf(trouble, params)
  const response =
    error === undefined
      ? tokenRefusal(params, store.manifest.site?.generator, docref)
      : apiErrorResponse(error, params, docref)
  const reply = renderReply(response, request, { status: 'trouble', key, now: now(), rewriting })
  if (typeof reply === 'string') throw new Error(`the error ${trouble} cannot be sent: ${reply}`)
  return reply
}

/** In the words of MediaWiki 1.29 and later; undefined where the token is refused, and for other codes. */
export function errorOf(kind: string, params: Params): ApiError | undefined {
  if (kind === 'maxlag') return lagError(Number(params.get('maxlag') ?? retryAfter))
  if (kind === 'readonly') {
    const data = { readonlyreason: 'The database is locked for maintenance' }
    return { code: kind, text: 'The wiki is currently in read-only mode.', data }
  }
  if (kind === 'ratelimited') {
    const text = "You've exceeded your rate limit. Please wait some time and try again."
    return { code: kind, text, module: params.get('action') ?? '' }
  }
  return kind === 'session-lost' && assertsLogin(params) ? assertError(params) : undefined
}

function lagError(maxLag: number): ApiError {
  const lag = Math.max(maxLag, 0) + 2
  return {
    code: 'maxlag',
    text: `Waiting for a database server: ${lag} seconds lagged.`,
    key: 'apierror-maxlag-generic',
    values: [lag],
    data: { host: 'db1', lag, type: 'db' },
    headers: { 'retry-after': String(Math.max(maxLag, retryAfter)), 'x-database-lag': String(lag) },
  }
}

/** `assert` is checked before `assertuser`. */
function assertError(params: Params): ApiError {
  const failed = ', so the action could not be completed.'
  const [assert, name = ''] = [params.get('assert'), params.get('assertuser')]
  if (assert === 'bot')
    return { code: 'assertbotfailed', text: `You do not have the <code>bot</code> right${failed}` }
  if (assert === 'user') return { code: 'assertuserfailed', text: `You are no longer logged in${failed}` }
  const text = `You are no longer logged in as "${name}"${failed}`
  return { code: 'assertnameduserfailed', text, values: [name] }
}

/** Seconds: MediaWiki names no fewer with `maxlag`, and Varnish names these. */
const retryAfter = 5

/** Of what stands in front of a wiki, or of its maintenance. */
function page(status: number, title: string, text: string): Reply {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1>\n<p>${text}</p></body></html>\n`
  const wait = status === 200 ? [] : [['retry-after', String(retryAfter)] as const]
  const headers = [['content-type', 'text/html; charset=utf-8'] as const, ...wait]
  return { status, headers, body: Buffer.from(body), cassetteStatus: 'trouble', key: undefined }
}

const pages: Readonly<Partial<Record<TroubleKind, Reply>>> = {
  '503': page(503, '503 Backend fetch failed', 'Guru Meditation:'),
  '429': page(429, '429 Too Many Requests', 'You are making too many requests. Please slow down.'),
  html: page(200, 'Maintenance', 'This wiki is being upgraded. Please come back in a few minutes.'),
}
