/** The decision about a request: a pure function of mode, match and facts, made nowhere else (docs/decisions/0161). */
import type { Interaction } from '../cassette/interaction.ts'
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Match } from './lookup/match.ts'
import type { MissReason } from './lookup/near-miss.ts'
import type { TroubleKind } from './trouble.ts'

export const modes = [
  'none',
  'once',
  'new_episodes',
  'all',
  'update',
  'passthrough'
] as const

export type Mode = (typeof modes)[number]

export const parseMode = (text: string | undefined): Mode | undefined =>
  modes.find((mode) => mode === text)

/** From the one that changes nothing to the one that deletes. */
const byReach: readonly Mode[] = [
  'none',
  'passthrough',
  'once',
  'new_episodes',
  'all',
  'update'
]

/** The mode of a request that names its own: it can narrow the run's mode, not widen it. */
export const narrowMode = (run: Mode, requested: Mode): Mode =>
  byReach.indexOf(requested) <= byReach.indexOf(run) ? requested : run

export const mayAskWiki = (mode: Mode): boolean => mode !== 'none'

/** What replay does with a request that was not recorded. (Its HTTP status: `missStatus` in engine/engine-options.ts.) */
export const missPolicies = ['synthesize', 'error'] as const

export type MissPolicy = (typeof missPolicies)[number]

/** @typeParam Plan an answer that is ready, and what is to be noted when it is sent */
export type Decision<Plan> =
  | { readonly kind: 'replay'; readonly plan: Plan }
  | { readonly kind: 'synthesize'; readonly plan: Plan }
  /** An error in place of an answer that is ready, or this answer late or cut off. */
  | { readonly kind: 'trouble'; readonly trouble: TroubleKind; readonly plan: Plan }
  /** The wiki's own refusal of a token. */
  | { readonly kind: 'bad-token'; readonly plan: Plan }
  /** Ask the wiki; `record`: its answer goes into the cassette. */
  | { readonly kind: 'forward'; readonly record: boolean }
  | { readonly kind: 'miss'; readonly cause: MissCause }

export type MissCause =
  | { readonly kind: 'other-wiki' }
  | { readonly kind: 'unread-body'; readonly why: string }
  /** The answer depends on a secret, and no key may tell two secrets apart. @param param that holds it */
  | { readonly kind: 'about-secret'; readonly param: string }
  | { readonly kind: 'write-refused' }
  | { readonly kind: 'signed-request' }
  /** It depends on a write that was replayed, so the wiki cannot answer it. */
  | { readonly kind: 'write-replayed' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other-order'; readonly why: string }
  | { readonly kind: 'contradicted'; readonly between: readonly [RequestKey, RequestKey] }
  /** It shows other writes of other sessions. */
  | { readonly kind: 'other-state'; readonly interaction: Interaction }
  | Obstacle

/** Why the cassette cannot answer, as a trial found out. */
export type Obstacle =
  /** The client's walk would not end. */
  | { readonly kind: 'circle'; readonly why: string }
  /** The answer does not fit the requested envelope. */
  | { readonly kind: 'not-renderable'; readonly why: string }
  /** The recordings of its listing do not prove the answer. */
  | { readonly kind: 'lacking'; readonly why: string; readonly reason: MissReason }

/** The result of trying to answer from the cassette; a trial changes nothing. */
export type Trial<Plan> =
  | { readonly kind: 'ready'; readonly plan: Plan }
  | Obstacle
  | { readonly kind: 'nothing' }

export interface DecisionFacts {
  readonly mode: Mode
  /** The cassette was empty when it was opened (for `once`). */
  readonly isNew: boolean
  readonly onMiss: MissPolicy
  /** The cassette answers only requests that are spelled as they were recorded. */
  readonly strict: boolean
  /** `--writes refuse`. */
  readonly refuseWrites: boolean
  /** OAuth 1 with the address of this server: the wiki refuses it. */
  readonly isSignedForServer: boolean
  /** It is for the path of another wiki's api.php. */
  readonly otherWiki: boolean
  /** Why the body could not be read (the key does not cover it then); undefined where it was. */
  readonly unreadBody: string | undefined
  /** The parameter with the secret that the answer depends on; undefined for other requests. */
  readonly aboutSecret?: string | undefined
  readonly effect: Derivation['effect']
  /** It would change the wiki: a write of the API, or a form posted to a page. */
  readonly writes: boolean
  /** A concurrent request of the same key has just recorded this answer, and the session is as far in its sequence. */
  readonly justRecorded: boolean
  /** The recording is from an earlier epoch, and holds for this one too. */
  readonly fromEarlierEpoch: boolean
  /** While recording: the answer issues a session or a token, and the wiki would refuse the recorded one. */
  readonly issuesCredentials: boolean
  /** While recording: an error that this run was told itself, or one that passes and that this client has got already. */
  readonly isErrorToRetry: boolean
  /** While recording: something was sent since the wiki was asked for this answer, and may have changed it. */
  readonly isOutdated: boolean
  /** While recording: a write that it depends on was answered from the cassette, so the wiki does not know of it. */
  readonly afterReplayedWrite: boolean
  /** While recording: a write was sent again after its last recorded answer. */
  readonly repeatedWrite: boolean
  /** What the request meets on a bad day (`--trouble`). */
  readonly trouble: TroubleKind | undefined
}

/** The trials that `answerSource` asks for; others need not be made. */
export interface TrialResults<Plan> {
  /** The wiki's refusal, where a token of the wrong kind was sent. */
  readonly badToken: Plan | undefined
  readonly trial: Trial<Plan>
}

/** Where the answer is to come from; `wiki` and `none` need no trial. */
export type SourceOfReply = 'recording' | 'synthesis' | 'wiki' | 'only-token' | 'none'

/** False where nothing may be written: no interaction, and no description of a module. */
export function mayRecord(mode: Mode, isNew: boolean): boolean {
  if (mode === 'none' || mode === 'passthrough') return false
  return mode !== 'once' || isNew
}

/** The trial that `decide` needs; trying is costly, so nothing is synthesized where the wiki is asked. */
export function answerSource(match: Match, facts: DecisionFacts): SourceOfReply {
  if (facts.otherWiki) return 'none'
  if (facts.unreadBody !== undefined || facts.aboutSecret !== undefined)
    return asksWikiOnMiss(facts) ? 'wiki' : 'none'
  const isRecorded = match.kind === 'recorded'
  if (isRecorded && facts.justRecorded && !facts.issuesCredentials && !facts.isOutdated)
    return 'recording'
  if (['passthrough', 'all', 'update'].includes(facts.mode)) return 'wiki'
  if (asksWikiOnMiss(facts))
    return isRecorded && !mustAskWiki(facts) ? 'recording' : 'wiki'
  if (isRecorded) return 'recording'
  // In strict mode another spelling proves nothing.
  const synthesizes =
    facts.onMiss === 'synthesize' &&
    !facts.strict &&
    match.kind !== 'contradicted' &&
    match.kind !== 'other-state'
  return synthesizes ? 'synthesis' : 'only-token'
}

export function decide<Plan>(
  match: Match,
  facts: DecisionFacts,
  { badToken, trial }: TrialResults<Plan> = {
    badToken: undefined,
    trial: { kind: 'nothing' }
  }
): Decision<Plan> {
  const source = answerSource(match, facts)
  if (source === 'none') {
    if (facts.otherWiki) return miss({ kind: 'other-wiki' })
    return facts.unreadBody === undefined
      ? miss({ kind: 'about-secret', param: facts.aboutSecret ?? '' })
      : miss({ kind: 'unread-body', why: facts.unreadBody })
  }
  if (source === 'wiki') return forward(facts, facts.mode !== 'passthrough')
  if (badToken !== undefined) return { kind: 'bad-token', plan: badToken }
  // It hides no miss, and is never made while recording.
  if (
    trial.kind === 'ready' &&
    facts.trouble !== undefined &&
    !mayRecord(facts.mode, facts.isNew)
  )
    return { kind: 'trouble', trouble: facts.trouble, plan: trial.plan }
  if (trial.kind === 'ready')
    return { kind: source === 'recording' ? 'replay' : 'synthesize', plan: trial.plan }
  // The wiki is asked for this envelope; the recording stays as it is.
  if (trial.kind === 'not-renderable' && mayRecord(facts.mode, facts.isNew))
    return forward(facts, false)
  return miss(trial.kind === 'nothing' ? causeOfMiss(match) : trial)
}

const miss = (cause: MissCause): Decision<never> => ({ kind: 'miss', cause })

function forward(facts: DecisionFacts, record: boolean): Decision<never> {
  if (facts.refuseWrites && facts.writes) return miss({ kind: 'write-refused' })
  if (facts.isSignedForServer) return miss({ kind: 'signed-request' })
  const isRecording = facts.mode === 'new_episodes' || facts.mode === 'once'
  if (isRecording && facts.afterReplayedWrite) return miss({ kind: 'write-replayed' })
  return { kind: 'forward', record }
}

const asksWikiOnMiss = ({ mode, isNew }: DecisionFacts) =>
  mode === 'passthrough' || mayRecord(mode, isNew)

/** While recording: this recording does not replace asking the wiki. */
const mustAskWiki = (facts: DecisionFacts) =>
  ((facts.fromEarlierEpoch || facts.isErrorToRetry) && !facts.afterReplayedWrite) ||
  facts.isOutdated ||
  facts.issuesCredentials ||
  facts.repeatedWrite ||
  facts.effect === 'session'

function causeOfMiss(match: Match): MissCause {
  if (match.kind === 'contradicted' || match.kind === 'other-state') return match
  return match.kind === 'other-order'
    ? { kind: 'other-order', why: match.why }
    : { kind: 'missing' }
}
