import { describe, expect, it } from 'vitest'
import { decide } from '../../src/playback/decide.ts'
import type { Match } from '../../src/playback/match.ts'
import { asMode, goesOut, type Mode, modes } from '../../src/playback/mode.ts'
import { interactionOf } from '../helpers/recorded.ts'

const interaction = interactionOf({ action: 'query' })
const matches = {
  recorded: {
    kind: 'recorded',
    key: interaction.key,
    interaction,
    response: interaction.responses[0],
    spelled: interaction.key,
    reprojected: false,
  },
  'other-order': { kind: 'other-order', interaction, why: 'x' },
  missing: { kind: 'missing' },
  contradicted: { kind: 'contradicted', between: [interaction.key, interaction.key] },
} satisfies Record<string, Match>
type Kind = keyof typeof matches

const told = (mode: Mode, kind: Kind, isNew: boolean, policy: 'error' | 'synthesize'): string => {
  const decision = decide(matches[kind], { mode, isNew, policy, mustAsk: false })
  return decision.kind === 'forward' ? (decision.record ? 'record' : 'pass') : decision.kind
}

describe('decide', () => {
  // mode: recorded, other-order, missing; in a new cassette and in an old one
  it.each<[Mode, string, string]>([
    ['none', 'replay refuse refuse', 'replay refuse refuse'],
    ['once', 'replay record record', 'replay refuse refuse'],
    ['new_episodes', 'replay record record', 'replay record record'],
    ['all', 'record record record', 'record record record'],
    ['update', 'record record record', 'record record record'],
    ['passthrough', 'pass pass pass', 'pass pass pass'],
  ])('%s', (mode, inNew, inOld) => {
    const row = (isNew: boolean, policy: 'error' | 'synthesize'): string =>
      (['recorded', 'other-order', 'missing'] as const)
        .map((kind) => told(mode, kind, isNew, policy))
        .join(' ')
    expect(row(true, 'error')).toBe(inNew)
    expect(row(false, 'error')).toBe(inOld)
    expect(row(true, 'synthesize')).toBe(inNew.replaceAll('refuse', 'synthesise'))
    expect(row(false, 'synthesize')).toBe(inOld.replaceAll('refuse', 'synthesise'))
  })

  it('replays what was found', () => {
    expect(decide(matches.recorded, { mode: 'none', isNew: false, policy: 'error', mustAsk: false })).toEqual(
      {
        kind: 'replay',
        match: matches.recorded,
      },
    )
  })

  it('goes out in every mode but one', () => {
    expect(modes.filter((mode) => !goesOut(mode))).toEqual(['none'])
    expect(['none', 'NONE', '', undefined].map(asMode)).toEqual(['none', undefined, undefined, undefined])
  })
})
