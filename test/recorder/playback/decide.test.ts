/**
 * What wikitape does with a request: mode × match × facts -> decision. Each table is read from its first column: what is
 * not said stands as in `usual`.
 */
import { describe, expect, it } from 'vitest'
import {
  answerSource,
  type Decision,
  type DecisionFacts,
  decide,
  type Mode,
  mayAskWiki,
  mayRecord,
  modes,
  parseMode,
  type SourceOfReply,
  type Trial
} from '../../../src/recorder/playback/decide.ts'
import type { Match } from '../../../src/recorder/playback/lookup/match.ts'
import { interactionOf } from '../../helpers/recorded.ts'

const interaction = interactionOf({ action: 'query' })
const matches = {
  recorded: {
    kind: 'recorded',
    key: interaction.key,
    interaction,
    response: interaction.responses[0],
    exactKey: interaction.key,
    reordered: false
  },
  'other-order': { kind: 'other-order', interaction, why: 'its order is not certain' },
  missing: { kind: 'missing' },
  contradicted: { kind: 'contradicted', between: [interaction.key, interaction.key] }
} satisfies Record<string, Match>
type Kind = keyof typeof matches
const kinds: readonly Kind[] = ['recorded', 'other-order', 'missing', 'contradicted']

/** A read that is replayed from an old cassette as it was recorded. */
const usual: DecisionFacts = {
  mode: 'none',
  isNew: false,
  onMiss: 'error',
  strict: false,
  refuseWrites: false,
  isSignedForServer: false,
  otherWiki: false,
  unreadBody: undefined,
  effect: 'read',
  writes: false,
  justRecorded: false,
  fromEarlierEpoch: false,
  issuesCredentials: false,
  isErrorToRetry: false,
  isOutdated: false,
  afterReplayedWrite: false,
  repeatedWrite: false,
  trouble: undefined
}
const trials = {
  ready: { kind: 'ready', plan: 'an answer' },
  circle: { kind: 'circle', why: 'a circle' },
  'not-renderable': { kind: 'not-renderable', why: 'an envelope' },
  lacking: { kind: 'lacking', why: 'rows are missing', reason: 'outside-coverage' },
  nothing: { kind: 'nothing' }
} satisfies Record<string, Trial<string>>

/** In a word or two: `replay`, `record`, `pass`, `miss: circle` ... */
function inWords(decision: Decision<string>): string {
  switch (decision.kind) {
    case 'forward':
      return decision.record ? 'record' : 'pass'
    case 'miss':
      return `miss: ${decision.cause.kind}`
    case 'trouble':
      return `trouble: ${decision.trouble}`
    case 'replay':
    case 'synthesize':
    case 'bad-token':
      return decision.kind
  }
}

const decided = (
  kind: Kind,
  facts: Partial<DecisionFacts>,
  trial: keyof typeof trials = 'ready',
  badToken?: string
): string =>
  inWords(
    decide(matches[kind], { ...usual, ...facts }, { badToken, trial: trials[trial] })
  )

const missed = ['miss: other-order', 'miss: missing', 'miss: contradicted']
const recorded4 = ['record', 'record', 'record', 'record']

describe('by mode and match', () => {
  // The matches: recorded, other-order, missing, contradicted.
  it.each<[Mode, readonly string[], readonly string[]]>([
    // mode, in a new cassette, in an old one
    ['none', ['replay', ...missed], ['replay', ...missed]],
    ['once', ['replay', 'record', 'record', 'record'], ['replay', ...missed]],
    [
      'new_episodes',
      ['replay', 'record', 'record', 'record'],
      ['replay', 'record', 'record', 'record']
    ],
    ['all', recorded4, recorded4],
    ['update', recorded4, recorded4],
    ['passthrough', ['pass', 'pass', 'pass', 'pass'], ['pass', 'pass', 'pass', 'pass']]
  ])('%s', (mode, inNew, inOld) => {
    const row = (isNew: boolean): readonly string[] =>
      kinds.map((kind) =>
        decided(kind, { mode, isNew }, kind === 'recorded' ? 'ready' : 'nothing')
      )
    expect(row(true)).toEqual(inNew)
    expect(row(false)).toEqual(inOld)
  })

  // `--on-miss synthesize`: only where nothing is asked of a wiki, and never of what contradicts itself.
  it.each<[Kind, Partial<DecisionFacts>, SourceOfReply]>([
    ['missing', {}, 'synthesis'],
    ['other-order', {}, 'synthesis'],
    ['contradicted', {}, 'only-token'],
    ['recorded', {}, 'recording'],
    ['missing', { strict: true }, 'only-token'],
    ['missing', { onMiss: 'error' }, 'only-token'],
    ['missing', { mode: 'once' }, 'synthesis'],
    ['missing', { mode: 'once', isNew: true }, 'wiki'],
    ['missing', { mode: 'new_episodes' }, 'wiki'],
    ['missing', { mode: 'passthrough' }, 'wiki'],
    ['missing', { otherWiki: true }, 'none'],
    ['missing', { unreadBody: 'too many parts' }, 'none']
  ])('%s with %j is answered by: %s', (kind, facts, source) => {
    expect(
      answerSource(matches[kind], { ...usual, onMiss: 'synthesize', ...facts })
    ).toBe(source)
  })
})

describe('while recording', () => {
  // A recording that cannot stand in for the wiki is asked for anew; in a replay it is served.
  it.each<[string, Partial<DecisionFacts>]>([
    ['a login, or what hands out tokens', { effect: 'session' }],
    [
      'an answer with a session or a token of its one caller',
      { issuesCredentials: true }
    ],
    ['an answer of an earlier epoch', { fromEarlierEpoch: true }],
    [
      'a write sent once more than it was recorded',
      { effect: 'write', writes: true, repeatedWrite: true }
    ],
    ['an answer from before a write of another session', { isOutdated: true }]
  ])('%s', (_, facts) => {
    expect(decided('recorded', { mode: 'new_episodes', ...facts })).toBe('record')
    expect(decided('recorded', { mode: 'once', isNew: true, ...facts })).toBe('record')
    expect(decided('recorded', { mode: 'once', ...facts })).toBe('replay')
    expect(decided('recorded', { mode: 'none', ...facts })).toBe('replay')
  })

  // What a concurrent request of the same key has just recorded, the one that waited is served, in every mode.
  it.each<[Mode, Partial<DecisionFacts>, string]>([
    ['all', {}, 'replay'],
    ['update', {}, 'replay'],
    ['new_episodes', { fromEarlierEpoch: true }, 'replay'],
    ['all', { issuesCredentials: true }, 'record'],
    ['new_episodes', { issuesCredentials: true }, 'record'],
    ['new_episodes', { isOutdated: true }, 'record']
  ])('%s, just recorded by another, %j: %s', (mode, facts, decision) => {
    expect(decided('recorded', { mode, justRecorded: true, ...facts })).toBe(decision)
  })
})

describe('what never goes out', () => {
  type Row = [string, Mode, Partial<DecisionFacts>, string]
  it.each<Row>([
    // The path of another wiki is missed in every mode.
    ...modes.map(
      (mode): Row => ['another wiki', mode, { otherWiki: true }, 'miss: other-wiki']
    ),
    // A key that says nothing of what is asked is never looked up; the wiki is asked where it may be.
    ['an unread body', 'none', { unreadBody: 'x' }, 'miss: unread-body'],
    ['an unread body', 'once', { unreadBody: 'x' }, 'miss: unread-body'],
    ['an unread body', 'once', { unreadBody: 'x', isNew: true }, 'record'],
    ['an unread body', 'new_episodes', { unreadBody: 'x' }, 'record'],
    ['an unread body', 'all', { unreadBody: 'x' }, 'record'],
    ['an unread body', 'passthrough', { unreadBody: 'x' }, 'pass'],
    // `--writes refuse` is asked last, so that recorded writes are replayed.
    [
      'a write',
      'new_episodes',
      { refuseWrites: true, writes: true },
      'miss: write-refused'
    ],
    [
      'a write',
      'passthrough',
      { refuseWrites: true, writes: true },
      'miss: write-refused'
    ],
    ['a read', 'new_episodes', { refuseWrites: true }, 'record'],
    ['a write', 'none', { refuseWrites: true, writes: true }, 'miss: missing'],
    [
      'unread',
      'all',
      { refuseWrites: true, writes: true, unreadBody: 'x' },
      'miss: write-refused'
    ],
    // The wiki does not know of a write that was replayed.
    [
      'after a replayed write',
      'new_episodes',
      { afterReplayedWrite: true },
      'miss: write-replayed'
    ],
    [
      'after a replayed write',
      'once',
      { afterReplayedWrite: true, isNew: true },
      'miss: write-replayed'
    ],
    ['after a replayed write', 'all', { afterReplayedWrite: true }, 'record'],
    ['after a replayed write', 'passthrough', { afterReplayedWrite: true }, 'pass']
  ])('%s in mode %s, %j: %s', (_, mode, facts, decision) => {
    expect(decided('missing', { mode, ...facts }, 'nothing')).toBe(decision)
  })

  it('a recording that holds after a replayed write, too, is replayed', () => {
    const facts = {
      mode: 'new_episodes',
      fromEarlierEpoch: true,
      afterReplayedWrite: true
    } as const
    expect(decided('recorded', facts)).toBe('replay')
  })

  it('a recorded write is replayed although writes are refused', () => {
    const facts = {
      mode: 'new_episodes',
      refuseWrites: true,
      effect: 'write',
      writes: true
    } as const
    expect(decided('recorded', facts)).toBe('replay')
  })
})

describe('what only trying can tell', () => {
  it.each<[Kind, Partial<DecisionFacts>, keyof typeof trials, string]>([
    ['recorded', {}, 'ready', 'replay'],
    ['recorded', {}, 'circle', 'miss: circle'],
    ['recorded', {}, 'not-renderable', 'miss: not-renderable'],
    ['missing', { onMiss: 'synthesize' }, 'ready', 'synthesize'],
    ['missing', { onMiss: 'synthesize' }, 'circle', 'miss: circle'],
    ['missing', { onMiss: 'synthesize' }, 'not-renderable', 'miss: not-renderable'],
    ['missing', { onMiss: 'synthesize' }, 'lacking', 'miss: lacking'],
    ['missing', { onMiss: 'synthesize' }, 'nothing', 'miss: missing'],
    ['other-order', { onMiss: 'synthesize' }, 'nothing', 'miss: other-order'],
    // While recording, an envelope that the recording does not fit in is asked of the wiki; the recording stays.
    ['recorded', { mode: 'new_episodes' }, 'not-renderable', 'pass'],
    ['recorded', { mode: 'once', isNew: true }, 'not-renderable', 'pass'],
    ['recorded', { mode: 'once' }, 'not-renderable', 'miss: not-renderable'],
    ['recorded', { mode: 'new_episodes' }, 'circle', 'miss: circle'],
    [
      'recorded',
      { mode: 'new_episodes', refuseWrites: true, writes: true },
      'not-renderable',
      'miss: write-refused'
    ]
  ])('%s, %j, tried: %s -> %s', (kind, facts, trial, decision) => {
    expect(decided(kind, facts, trial)).toBe(decision)
  })

  // The wiki's own refusal of a token goes before everything but the wiki itself.
  it.each<[Kind, Partial<DecisionFacts>, string]>([
    ['recorded', {}, 'bad-token'],
    ['missing', {}, 'bad-token'],
    ['contradicted', {}, 'bad-token'],
    ['missing', { onMiss: 'synthesize' }, 'bad-token'],
    ['missing', { mode: 'new_episodes' }, 'record'],
    ['missing', { otherWiki: true }, 'miss: other-wiki'],
    ['missing', { unreadBody: 'x' }, 'miss: unread-body']
  ])('%s, %j, and a token of the wrong kind: %s', (kind, facts, decision) => {
    expect(decided(kind, facts, 'ready', 'a refusal')).toBe(decision)
  })

  it('sends what was tried, and says why it does not', () => {
    expect(
      decide(matches.recorded, usual, { badToken: undefined, trial: trials.ready })
    ).toEqual({
      kind: 'replay',
      plan: 'an answer'
    })
    expect(
      decide(matches.missing, usual, { badToken: undefined, trial: trials.lacking })
    ).toEqual({
      kind: 'miss',
      cause: trials.lacking
    })
  })
})

describe('modes', () => {
  it('go out but for one, and record but for three', () => {
    expect(modes.filter((mode) => !mayAskWiki(mode))).toEqual(['none'])
    expect(modes.filter((mode) => !mayRecord(mode, false))).toEqual([
      'none',
      'once',
      'passthrough'
    ])
    expect(mayRecord('once', true)).toBe(true)
  })

  it('are known by their words', () => {
    expect(['none', 'NONE', '', undefined].map(parseMode)).toEqual([
      'none',
      undefined,
      undefined,
      undefined
    ])
  })
})

describe('on a bad day', () => {
  const facing = { trouble: 'maxlag' } as const

  it.each<[Mode, inNew: string, inOld: string]>([
    ['none', 'trouble: maxlag', 'trouble: maxlag'],
    ['once', 'replay', 'trouble: maxlag'],
    // While recording, and where the wiki is asked, there is no trouble but the wiki's own.
    ['new_episodes', 'replay', 'replay'],
    ['all', 'record', 'record'],
    ['update', 'record', 'record'],
    ['passthrough', 'pass', 'pass']
  ])('%s', (mode, inNew, inOld) => {
    expect(decided('recorded', { ...facing, mode, isNew: true })).toBe(inNew)
    expect(decided('recorded', { ...facing, mode })).toBe(inOld)
  })

  it.each<[string, string]>([
    ['a synthesised answer', decided('missing', { ...facing, onMiss: 'synthesize' })],
    [
      'an answer in another order',
      decided('other-order', { ...facing, onMiss: 'synthesize' })
    ]
  ])('%s is troubled too', (_what, became) => {
    expect(became).toBe('trouble: maxlag')
  })

  it('hides no miss, and no refusal of a token', () => {
    expect(kinds.map((kind) => decided(kind, facing, 'nothing'))).toEqual([
      'miss: missing',
      ...missed
    ])
    expect(decided('recorded', facing, 'circle')).toBe('miss: circle')
    expect(decided('recorded', { ...facing, otherWiki: true })).toBe('miss: other-wiki')
    expect(decided('recorded', facing, 'ready', 'a refusal')).toBe('bad-token')
  })
})
