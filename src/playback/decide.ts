/**
 * What is done with a request: one pure function of the mode, the match and the facts. Nothing else in wikitape decides
 * this (docs/decisions/0161-decide-decides-everything.md).
 */
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { Match } from './lookup/match.ts'
import type { MissReason } from './lookup/near-miss.ts'
import type { MissPolicy } from './miss-policy.ts'
import type { Mode } from './mode.ts'

/** @typeParam Plan an answer that is made already, and what remains to be noted when it is sent */
export type Decision<Plan> =
  | { readonly kind: 'replay'; readonly plan: Plan }
  /** Prove an answer from recorded batches. */
  | { readonly kind: 'synthesise'; readonly plan: Plan }
  /** The wiki's own refusal of a token. */
  | { readonly kind: 'bad-token'; readonly plan: Plan }
  /** Ask the wiki; `record` says whether its answer goes into the cassette. */
  | { readonly kind: 'forward'; readonly record: boolean }
  | { readonly kind: 'miss'; readonly cause: MissCause }

export type MissCause =
  | { readonly kind: 'other-wiki' }
  | { readonly kind: 'unread-body'; readonly why: string }
  | { readonly kind: 'write-refused' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other-order'; readonly why: string }
  | { readonly kind: 'contradicted'; readonly between: readonly [RequestKey, RequestKey] }
  | Obstacle

/** Why the cassette does not answer, which is known only by trying. */
export type Obstacle =
  /** The client would come back to where it was in its walk. */
  | { readonly kind: 'circle'; readonly why: string }
  /** The answer does not fit into the envelope that the client wants. */
  | { readonly kind: 'not-renderable'; readonly why: string }
  /** The listing is recorded, but not so that it proves this answer. */
  | { readonly kind: 'lacking'; readonly why: string; readonly reason: MissReason }

/** What came of trying to answer from the cassette; trying changes nothing. */
export type Trial<Plan> =
  | { readonly kind: 'ready'; readonly plan: Plan }
  | Obstacle
  | { readonly kind: 'nothing' }

/** What is known of a run, a request and what matches it. */
export interface DecisionFacts {
  readonly mode: Mode
  /** The cassette was empty when it was opened (for `once`). */
  readonly isNew: boolean
  readonly onMiss: MissPolicy
  /** The cassette answers only requests that are spelled as they were recorded. */
  readonly strict: boolean
  /** `--writes refuse`. */
  readonly refuseWrites: boolean
  /** The path of another wiki's api.php was asked for. */
  readonly otherWiki: boolean
  /** Why the body was not read, where it was not: the key says nothing of what is asked. */
  readonly unreadBody: string | undefined
  readonly effect: Derivation['effect']
  /** It would change the wiki: a write of the API, or a form posted to a page. */
  readonly writes: boolean
  /** A concurrent request of the same key has just recorded this answer, and the session is as far in its sequence. */
  readonly justRecorded: boolean
  /** The recording is from an earlier epoch, and holds for this one too. */
  readonly fromEarlierEpoch: boolean
  /** While recording: the answer hands out a session or a token that the wiki would not take back. */
  readonly issuesCredentials: boolean
  /** While recording: a write was sent again after its last recorded answer. */
  readonly repeatedWrite: boolean
}

/** Trials of what `sourceOf` names; the others need not be made. */
export interface TrialResults<Plan> {
  /** The wiki's refusal, where a token of the wrong kind was sent. */
  readonly badToken: Plan | undefined
  readonly trial: Trial<Plan>
}

/** Where the answer is to come from; `wiki` and `none` need no trial. */
export type AnswerSource = 'recording' | 'synthesis' | 'wiki' | 'only-token' | 'none'

/** Modes that record nothing must not make a cassette, not even of what the wiki says of its modules. */
export function mayRecord(mode: Mode, isNew: boolean): boolean {
  if (mode === 'none' || mode === 'passthrough') return false
  return mode !== 'once' || isNew
}

/** Which trial `decide` needs. Nothing is synthesised where the wiki is asked, which would cost time for nothing. */
export function answerSource(match: Match, facts: DecisionFacts): AnswerSource {
  if (facts.otherWiki) return 'none'
  if (facts.unreadBody !== undefined) return asksWikiOnMiss(facts) ? 'wiki' : 'none'
  const isRecorded = match.kind === 'recorded'
  if (isRecorded && facts.justRecorded && !facts.issuesCredentials) return 'recording'
  if (alwaysAsksWiki(facts.mode)) return 'wiki'
  if (asksWikiOnMiss(facts)) return isRecorded && !mustAskWiki(facts) ? 'recording' : 'wiki'
  if (isRecorded) return 'recording'
  // What was recorded for another spelling proves nothing where the spelling counts.
  const synthesises = facts.onMiss === 'synthesize' && !facts.strict && match.kind !== 'contradicted'
  return synthesises ? 'synthesis' : 'only-token'
}

export function decide<Plan>(
  match: Match,
  facts: DecisionFacts,
  { badToken, trial }: TrialResults<Plan> = { badToken: undefined, trial: { kind: 'nothing' } },
): Decision<Plan> {
  const source = answerSource(match, facts)
  switch (source) {
    case 'none':
      return miss(
        facts.unreadBody === undefined || facts.otherWiki
          ? { kind: 'other-wiki' }
          : { kind: 'unread-body', why: facts.unreadBody },
      )
    case 'wiki':
      return forward(facts, facts.mode !== 'passthrough')
    case 'recording':
    case 'synthesis':
    case 'only-token':
      if (badToken !== undefined) return { kind: 'bad-token', plan: badToken }
      if (trial.kind === 'ready')
        return { kind: source === 'recording' ? 'replay' : 'synthesise', plan: trial.plan }
      // The recording stays as it is: only this envelope is asked of the wiki.
      if (trial.kind === 'not-renderable' && mayRecord(facts.mode, facts.isNew)) return forward(facts, false)
      return miss(trial.kind === 'nothing' ? causeOfMiss(match) : trial)
  }
}

const miss = (cause: MissCause): Decision<never> => ({ kind: 'miss', cause })

const forward = ({ refuseWrites, writes }: DecisionFacts, record: boolean): Decision<never> =>
  refuseWrites && writes ? miss({ kind: 'write-refused' }) : { kind: 'forward', record }

const alwaysAsksWiki = (mode: Mode): boolean => mode === 'passthrough' || mode === 'all' || mode === 'update'

/** True where the wiki is asked for what is not recorded. */
const asksWikiOnMiss = ({ mode, isNew }: DecisionFacts): boolean =>
  mode === 'passthrough' || mayRecord(mode, isNew)

/** While recording, this recording cannot stand in for the wiki. */
const mustAskWiki = ({
  effect,
  fromEarlierEpoch,
  issuesCredentials,
  repeatedWrite,
}: DecisionFacts): boolean => fromEarlierEpoch || issuesCredentials || repeatedWrite || effect === 'session'

function causeOfMiss(match: Match): MissCause {
  switch (match.kind) {
    case 'other-order':
      return { kind: 'other-order', why: match.why }
    case 'contradicted':
      return { kind: 'contradicted', between: match.between }
    // A recording is there, and nothing was tried with it.
    case 'recorded':
    case 'missing':
      return { kind: 'missing' }
  }
}
