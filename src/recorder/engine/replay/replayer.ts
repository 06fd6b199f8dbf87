/** Answers from the cassette: the facts that `decide` needs, the answer tried, and how it is sent, or what goes wrong in its place. */
import { setTimeout } from 'node:timers/promises'
import { answerDigest } from '../../cassette/interaction.ts'
import { failureIn } from '../../cassette/recorded-failure.ts'
import { isSignedForServer, type Reply } from '../../http/incoming-request.ts'
import { renderReply } from '../../http/render-reply.ts'
import {
  answerSource,
  type DecisionFacts,
  mayAskWiki,
  type Trial,
  type TrialResults
} from '../../playback/decide.ts'
import type { SessionMatch } from '../../playback/lookup/find-in-session.ts'
import type { RecordedMatch } from '../../playback/lookup/match.ts'
import { nextTrouble, type TroubleKind, troubledRequest } from '../../playback/trouble.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import { type AnswerPlan, apiParamsOf, type Call, type CallOutcome } from '../call.ts'
import type { EngineContext } from '../engine-options.ts'
import type { EngineParts } from '../engine-parts.ts'
import { issuesCredentials, personalise } from '../session/personaliser.ts'
import { readsWrittenPage } from '../session/recorded-writes.ts'
import type { SentChanges } from '../session/sent-changes.ts'
import { apiErrorResponse, errorOf, tokenRefusal, troublePages } from './api-error.ts'
import type { LookupResult } from './lookup.ts'
import { docrefOf, planRefusal } from './token-guard.ts'

/** @param recordedKey under which a concurrent request has just recorded its answer */
export function factsOfCall(
  { store, sessions, trouble, mode, isNew, onMiss, refuseWrites }: EngineContext,
  { incoming, parsed: { request }, derivation, otherWiki, session, dependency }: Call,
  { match, fromEarlierEpoch }: SessionMatch,
  recordedKey: RequestKey | undefined
): DecisionFacts {
  const { scoped, readSet } = dependency
  const { effect } = scoped
  const isRecorded = match.kind === 'recorded'
  const responseCount = isRecorded ? match.interaction.responses.length : 0
  const position = isRecorded ? session.position(match.exactKey) : 0
  const sent = mayAskWiki(mode) ? sessions.sent : undefined
  const plan = incoming.method === 'HEAD' ? undefined : trouble?.plan
  return {
    mode,
    isNew,
    onMiss,
    refuseWrites,
    isSignedForServer: isSignedForServer(incoming),
    strict: store.manifest.match === 'strict',
    trouble:
      plan && request.kind === 'api' ? nextTrouble(plan, request, scoped) : undefined,
    otherWiki,
    unreadBody: request.unread?.why,
    aboutSecret: derivation.aboutSecret,
    effect,
    writes: effect === 'write' || (request.kind === 'plain' && request.posted),
    // In a sequence the session may not have got that far.
    justRecorded:
      isRecorded && match.key === recordedKey && position >= responseCount - 1,
    fromEarlierEpoch,
    issuesCredentials:
      isRecorded &&
      mayAskWiki(mode) &&
      issuesCredentials(match.response, scoped, sessions.credentialsOf(incoming.headers)),
    isErrorToRetry:
      isRecorded && sent !== undefined && isErrorToRetry(match, position, sent),
    isOutdated:
      isRecorded &&
      sent !== undefined &&
      isOutdated(match, { derivation, session }, sent, store),
    afterReplayedWrite: sent?.areUnsent(readSet) === true,
    repeatedWrite: isRecorded && effect === 'write' && position >= responseCount
  }
}

/** True if something was sent since, in this run or by an earlier one. */
const isOutdated = (
  { key, interaction }: RecordedMatch,
  { derivation, session }: Pick<Call, 'derivation' | 'session'>,
  sent: SentChanges,
  store: Store
) =>
  sent.haveOutdated(session, derivation.key, interaction) ||
  (sent.isQuiet && !sent.wasRequested(key) && readsWrittenPage(derivation, store))

/** An error is asked again: what clients that retry get is a sequence. */
function isErrorToRetry(match: RecordedMatch, position: number, sent: SentChanges) {
  const failure = failureIn(match.response)
  if (!failure) return false
  const isPast = position >= match.interaction.responses.length
  return sent.wasRequested(match.key) || (failure.isPassing && isPast)
}

/** Makes an answer without any effect, so that `decide` knows whether there is one. */
export function tryToAnswer(
  call: Call,
  found: LookupResult,
  facts: DecisionFacts,
  parts: EngineParts
): TrialResults<AnswerPlan> {
  const { context, synthesizer, loops } = parts
  const source = answerSource(found.match, facts)
  const nothing = { kind: 'nothing' } as const
  if (source === 'wiki' || source === 'none')
    return { badToken: undefined, trial: nothing }
  const badToken = planRefusal(call, found, parts)
  if (badToken === 'unknown') return { badToken: undefined, trial: unknownRefusal }
  if (badToken || source === 'only-token') return { badToken, trial: nothing }
  const trial =
    source === 'recording'
      ? planReplay(call, found, parts)
      : synthesizer.plan(call, loops, context.now())
  return { badToken, trial }
}

const unknownRefusal = {
  kind: 'lacking',
  reason: 'param-differs',
  why: 'Its token is for something else, or of another session, and no recording shows how this wiki answers that.'
} as const

export function planReplay(
  { incoming, parsed, session, dependency: { scoped } }: Call,
  { match, dependsOn }: LookupResult,
  { context, synthesizer, loops }: EngineParts
): Trial<AnswerPlan> {
  if (match.kind !== 'recorded') return { kind: 'nothing' }
  const { headers, rewriting } = incoming
  const credentials = context.sessions.credentialsOf(headers)
  const { identity } = parsed.request
  const response = personalise(match.response, scoped, { credentials, identity })
  const step = synthesizer.walkStep(scoped, match.response)
  const circle = loops.circleReason(session, step)
  if (circle !== undefined) return { kind: 'circle', why: circle }
  const { key } = match
  const serving = { status: 'replayed', key, now: context.now(), rewriting } as const
  const reply = renderReply(response, parsed.request, serving)
  if (typeof reply === 'string')
    return {
      kind: 'not-renderable',
      why: `It cannot be served in this envelope: ${reply}.`
    }
  const { chosenBy, responses } = match.interaction
  const isForAll =
    chosenBy === undefined &&
    match.turnsIn === undefined &&
    responses[0].afterOthers === undefined
  const isCacheable = isForAll && responses.length === 1 && response.cookies.length === 0
  const answer = answerDigest(match.response.body)
  const outcome = { reply: { ...reply, answer }, key, response, isCacheable, dependsOn }
  return { kind: 'ready', plan: { outcome, step, match } }
}

/** Sends what was replayed or synthesized, or the wiki's refusal of a token. */
export function sendAnswer(
  call: Call,
  { outcome, step, match }: AnswerPlan,
  { context: { summary, sessions }, live, loops }: EngineParts
): CallOutcome {
  const { session } = call
  loops.note(session, step)
  if (outcome.reply.cassetteStatus === 'synthesized') {
    summary.counts.synthesized += 1
    summary.addProofs(outcome.reply.from ?? [])
    if (match) summary.used.add(match.key)
    return outcome
  }
  if (match) {
    if (live) live.writer.noteServed(call, match)
    else if (match.interaction.responses.length > 1)
      session.advance(match.exactKey, {
        ...match,
        position: session.position(match.exactKey)
      })
  }
  const isRead = call.derivation.effect === 'read'
  if (session.name === undefined)
    sessions.turns.note(session, outcome.key, isRead, match?.turnsIn)
  summary.counts.replayed += 1
  summary.used.add(outcome.key)
  return outcome
}

/** The session learns nothing of an answer that is not sent whole, but its recordings count as used. */
export async function sendTrouble(
  trouble: TroubleKind,
  answer: AnswerPlan,
  call: Call,
  parts: EngineParts
): Promise<CallOutcome> {
  const { summary, trouble: state } = parts.context
  const plan = state?.plan
  const { reply, key, response } = answer.outcome
  summary.counts.troubled += 1
  const id = troubledRequest(call.dependency.scoped)
  plan?.met.set(id, (plan.met.get(id) ?? 0) + 1)
  if (trouble === 'slow') {
    sendAnswer(call, answer, parts)
    await setTimeout(plan?.delay)
    return { reply: { ...reply, trouble }, key, response }
  }
  summary.addProofs(reply.from ?? [])
  if (!reply.from) summary.used.add(key)
  const instead =
    trouble === 'cut'
      ? withoutCookies(reply)
      : (troublePages[trouble] ?? refusal(trouble, call, parts))
  return {
    reply: { ...instead, cassetteStatus: 'trouble', trouble, key },
    key,
    response: undefined
  }
}

/** A login that was cut is none. */
const withoutCookies = (reply: Reply) => ({
  ...reply,
  headers: reply.headers.filter(([name]) => name !== 'set-cookie')
})

function refusal(
  trouble: TroubleKind,
  { incoming: { rewriting }, parsed: { request }, dependency: { scoped } }: Call,
  { context: { store, now } }: EngineParts
) {
  const params = apiParamsOf(request)
  const docref = docrefOf(store)
  const error = errorOf(trouble, params)
  const response = error
    ? apiErrorResponse(error, params, docref)
    : tokenRefusal(params, store.manifest.site?.generator, docref)
  const serving = { status: 'trouble', key: scoped.key, now: now(), rewriting } as const
  const reply = renderReply(response, request, serving)
  if (typeof reply === 'string')
    throw new Error(`the error ${trouble} cannot be sent: ${reply}`)
  return reply
}
